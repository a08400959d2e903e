// Invoices, credit notes and receipts by their titles, and as links beside what they were issued for.
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Invoice, InvoiceKind } from "#core/domain/invoicing/Invoice.ts"
import { attribute } from "../form/Fields.ts"

export const INVOICES_PATH = "/account/invoices"

const KINDS: Readonly<Record<InvoiceKind, string>> = {
  invoice: "Invoice",
  credit_note: "Credit note",
  receipt: "Receipt"
}

/** "Invoice 2026-000123", "Pro forma invoice", "Receipt". */
export const titleOf = ({ kind, facts: { number, proForma } }: Invoice): string => {
  if (number !== null) return `${KINDS[kind]} ${number}`
  return proForma ? `Pro forma ${KINDS[kind].toLowerCase()}` : KINDS[kind]
}

/** `about`: of which document, for those who hear links one by one. */
export const pdfLink = (invoice: Invoice, about = titleOf(invoice), look?: string): Html =>
  html`<a${attribute("class", look)} href="${INVOICES_PATH}/${invoice.invoiceId}/pdf" download aria-label="PDF: ${about}">PDF</a>`

/** `more`: what follows each. */
export const documentLinks = (documents: ReadonlyArray<Invoice>, more: (one: Invoice) => Html = () => nothing): Html =>
  html`${documents.map(
    (one, nth) =>
      html`${nth === 0 ? "" : ", "}<a href="${INVOICES_PATH}/${one.invoiceId}">${titleOf(one)}</a>${more(one)}`
  )}`
