// The list of a month's documents for the accountant, one line each. Credit notes are negative, so that columns can be summed up.
import { BYTE_ORDER_MARK, type Cell, csvLine } from "#adapters/contract/shared/Csv.ts"
import { euros } from "#adapters/operator/records/Euros.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"

export const kindText: Readonly<Record<Invoice["kind"], string>> = {
  invoice: "invoice",
  credit_note: "credit note",
  receipt: "receipt"
}

const KINDS: ReadonlyArray<Invoice["kind"]> = ["invoice", "credit_note", "receipt"]

export const signedCents = ({ kind }: Pick<Invoice, "kind">, cents: number): number =>
  kind === "credit_note" && cents !== 0 ? -cents : cents

const eur = (invoice: Invoice, cents: number): string => euros(signedCents(invoice, cents))

const PERCENT = 100

const COLUMNS: Readonly<Record<string, (invoice: Invoice) => Cell>> = {
  number: ({ facts }) => facts.number,
  kind: ({ kind }) => kind,
  issue_date: ({ facts }) => facts.issueDate,
  account_id: ({ accountId }) => accountId,
  buyer: ({ facts }) => facts.buyer.name,
  country: ({ facts }) => facts.buyer.country,
  vat_id: ({ facts }) => facts.buyer.vatId,
  net_eur: (invoice) => eur(invoice, invoice.netCents),
  // A top-up is no sale.
  vat_category: ({ kind, facts }) => (kind === "receipt" ? null : facts.category),
  vat_percent: ({ kind, facts }) => (kind === "receipt" ? null : facts.vatBasisPoints / PERCENT),
  vat_eur: (invoice) => eur(invoice, invoice.vatCents),
  total_eur: (invoice) => eur(invoice, invoice.totalCents),
  corrects: ({ facts: { corrects } }) => corrects && (corrects.number ?? corrects.invoiceId),
  pro_forma: ({ facts }) => (facts.proForma ? "yes" : "no"),
  order_id: ({ orderId }) => orderId,
  invoice_id: ({ invoiceId }) => invoiceId
}

export const INVOICES_HEAD = `${BYTE_ORDER_MARK}${csvLine(Object.keys(COLUMNS))}`

export const invoiceLine = (invoice: Invoice): string => csvLine(Object.values(COLUMNS).map((cell) => cell(invoice)))

/** Sorts by kind, then by number, then by time: the order is that of the documents alone. */
export const sortKey = ({ kind, series, issuedAtMs, invoiceId }: Invoice): string =>
  [
    KINDS.indexOf(kind),
    series === null ? "" : `${series.year}-${String(series.sequence).padStart(12, "0")}`,
    String(issuedAtMs).padStart(16, "0"),
    invoiceId
  ].join(" ")
