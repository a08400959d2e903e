// The list of a month's documents for the accountant, one line each. Credit notes are negative, so that columns can be summed up.
import { csvLine } from "#adapters/contract/shared/Csv.ts"
import { euros } from "#adapters/operator/records/Euros.ts"
import type { Invoice } from "#adapters/operator/records/InvoiceRecords.ts"

export const kindText: Readonly<Record<Invoice["kind"], string>> = {
  invoice: "invoice",
  credit_note: "credit note",
  receipt: "receipt"
}

const KINDS: ReadonlyArray<Invoice["kind"]> = ["invoice", "credit_note", "receipt"]

export const signedCents = ({ kind }: Pick<Invoice, "kind">, cents: number): number =>
  kind === "credit_note" && cents !== 0 ? -cents : cents

export const INVOICES_HEAD = csvLine([
  "number",
  "kind",
  "issue_date",
  "account_id",
  "buyer",
  "country",
  "vat_id",
  "net_eur",
  "vat_category",
  "vat_percent",
  "vat_eur",
  "total_eur",
  "corrects",
  "pro_forma",
  "order_id",
  "invoice_id"
])

const PERCENT = 100

export const invoiceLine = ({ facts, ...invoice }: Invoice): string => {
  const { buyer, corrects } = facts
  const eur = (cents: number): string => euros(signedCents(invoice, cents))
  return csvLine([
    facts.number,
    invoice.kind,
    facts.issueDate,
    invoice.accountId,
    buyer.name,
    buyer.country,
    buyer.vatId,
    eur(invoice.netCents),
    // A top-up is no sale.
    invoice.kind === "receipt" ? null : facts.category,
    invoice.kind === "receipt" ? null : facts.vatBasisPoints / PERCENT,
    eur(invoice.vatCents),
    eur(invoice.totalCents),
    corrects === null ? null : (corrects.number ?? corrects.invoiceId),
    facts.proForma ? "yes" : "no",
    invoice.orderId,
    invoice.invoiceId
  ])
}

/** Sorts by kind, then by number, then by time: the order is that of the documents alone. */
export const sortKey = ({ kind, series, issuedAtMs, invoiceId }: Invoice): string =>
  [
    KINDS.indexOf(kind),
    series === null ? "" : `${series.year}-${String(series.sequence).padStart(12, "0")}`,
    String(issuedAtMs).padStart(16, "0"),
    invoiceId
  ].join(" ")
