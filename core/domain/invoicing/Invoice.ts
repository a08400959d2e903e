// Invoices of orders, credit notes of links, and receipts of top-ups: facts that are computed once, frozen and numbered when issued.
import { Schema } from "effect"
import type { Link } from "../ordering/Link.ts"
import type { Order } from "../ordering/Order.ts"
import { allocate, type Cents, sum } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, EntryId, InvoiceId, LinkId, OrderId } from "../shared/Ids.ts"
import type { LedgerEntry } from "../wallet/Ledger.ts"
import { orderVat } from "./OrderVat.ts"
import { type BillingIdentity, buyerParty, Party, type SellerTerms, sellerParty } from "./Party.ts"
import { netOf, Taxed, VatCategory, VatTreatment, vatCategory, vatSentence } from "./Vat.ts"

export const InvoiceKind = Schema.Literals(["invoice", "credit_note", "receipt"])
export type InvoiceKind = typeof InvoiceKind.Type

export const InvoiceLine = Schema.Struct({
  /** `null` on receipts. */
  linkId: Schema.NullOr(LinkId),
  name: Schema.String,
  detail: Schema.String,
  totalCents: Schema.Int,
  netCents: Schema.Int,
  vatCents: Schema.Int
})
export type InvoiceLine = typeof InvoiceLine.Type

/** Everything on a document that is not a column of its table. */
export const InvoiceFacts = Schema.Struct({
  /** `null` on pro forma documents and receipts. */
  number: Schema.NullOr(Schema.String),
  proForma: Schema.Boolean,
  /** YYYY-MM-DD in the seller's time zone. */
  issueDate: Schema.String,
  /** The time of the order, the cancellation or the top-up. */
  suppliedAtMs: Schema.Int,
  /** `null` where no seller was configured. */
  seller: Schema.NullOr(Party),
  buyer: Party,
  treatment: VatTreatment,
  category: VatCategory,
  vatBasisPoints: Schema.Int,
  sentence: Schema.NullOr(Schema.String),
  lines: Schema.Array(InvoiceLine),
  /** The invoice that a credit note corrects. */
  corrects: Schema.NullOr(
    Schema.Struct({ invoiceId: InvoiceId, number: Schema.NullOr(Schema.String), issueDate: Schema.String })
  )
})
export type InvoiceFacts = typeof InvoiceFacts.Type

/** Amounts are positive on credit notes too. */
export const Invoice = Schema.Struct({
  ...Taxed.fields,
  /** `inv_`, `crn_` or `rct_`, and the rest of the id of the order, link or ledger entry that it is for: each has one document at most. */
  invoiceId: InvoiceId,
  kind: InvoiceKind,
  accountId: AccountId,
  orderId: Schema.NullOr(OrderId),
  /** The cancelled link of a credit note; `null` for other kinds. */
  linkId: Schema.NullOr(LinkId),
  /** The ledger entry of the top-up that a receipt is for; `null` for other kinds. */
  entryId: Schema.NullOr(EntryId),
  /** The place in the gapless series of the kind and year; `null` on documents without number. */
  series: Schema.NullOr(Schema.Struct({ year: Schema.Int, sequence: Schema.Int })),
  issuedAtMs: Millis,
  facts: InvoiceFacts
})
export type Invoice = typeof Invoice.Type

/** Facts before they have a number. */
export type Draft = Omit<Invoice, "series" | "issuedAtMs" | "facts"> & {
  readonly facts: Omit<InvoiceFacts, "number" | "issueDate">
}

const PREFIX = { invoice: "inv_", credit_note: "crn_", receipt: "rct_" } as const

/** The id of the document for the order, link or ledger entry with this id. */
export const documentId = (kind: InvoiceKind, causeId: OrderId | LinkId | EntryId): InvoiceId =>
  // Made of another id and a prefix of documents.
  `${PREFIX[kind]}${causeId.slice(causeId.indexOf("_") + 1)}` as InvoiceId

export interface Buyer {
  readonly accountName: string
  readonly identity: BillingIdentity | null
}

/** What a line of an invoice says of a link. */
export type InvoicedLink = Pick<
  Link,
  "linkId" | "domain" | "format" | "anchorText" | "targetUrl" | "tier2Links" | "netCents"
>

export interface InvoicedOrder {
  readonly order: Pick<Order, "orderId" | "accountId" | "createdAtMs" | "reference">
  /** In the order of the quote's lines. */
  readonly links: ReadonlyArray<InvoicedLink>
}

/** Splits totals that include VAT: the nets add up to the net of their sum, by largest remainder, and net and VAT to each total. */
export const taxLines = (totals: ReadonlyArray<Cents>, basisPoints: number): ReadonlyArray<Taxed> => {
  const nets = allocate(netOf(sum(totals), basisPoints), totals)
  return totals.map((totalCents, index) => {
    const netCents = nets[index] ?? 0
    return { totalCents, netCents, vatCents: totalCents - netCents }
  })
}

const taxedSum = (lines: ReadonlyArray<Taxed>): Taxed => ({
  totalCents: sum(lines.map(({ totalCents }) => totalCents)),
  netCents: sum(lines.map(({ netCents }) => netCents)),
  vatCents: sum(lines.map(({ vatCents }) => vatCents))
})

const nameOf = ({ domain }: InvoicedLink): string => `Backlink on ${domain}`

const detailOf = ({ format, anchorText, targetUrl, tier2Links }: InvoicedLink): string =>
  [
    format === "insertion" ? "Insertion into an article" : "New article",
    `"${anchorText}" to ${targetUrl}`,
    ...(tier2Links === 0 ? [] : [`${tier2Links} tier-2 link${tier2Links === 1 ? "" : "s"}`])
  ].join(", ")

const LINK_DETAIL = /^([^"]*")(.*)(" to )(\S+?)(|, \d+ tier-2 links?)$/su
/** Receipts of before call the top-up a deposit. */
const TOP_UP_DETAIL = /^((?:Top-up|Deposit), )(.*)$/su

/** The detail of a line as the service's own words and the texts of others between them, whose direction of writing may be another. */
export const detailTexts = (detail: string): ReadonlyArray<string> => {
  const [, ...texts] = LINK_DETAIL.exec(detail) ?? TOP_UP_DETAIL.exec(detail) ?? []
  return texts.length === 0 ? [detail] : texts.filter((text) => text !== "")
}

/** Each link's price less its share of the discount, VAT taken out of the total; the reference that the buyer is billed under before the order's own. */
export const invoiceOf = (
  { order, links }: InvoicedOrder,
  buyer: Buyer,
  terms: SellerTerms,
  isNumbered: boolean
): Draft => {
  const party = buyerParty(buyer.accountName, buyer.identity, terms.seller?.country ?? null)
  const { treatment, vatBasisPoints } = orderVat(terms, buyer.identity)
  const taxed = taxLines(
    links.map(({ netCents }) => netCents),
    vatBasisPoints
  )
  const lines = links.map((link, index) => ({
    linkId: link.linkId,
    name: nameOf(link),
    detail: detailOf(link),
    ...(taxed[index] ?? { totalCents: 0, netCents: 0, vatCents: 0 })
  }))
  return {
    invoiceId: documentId("invoice", order.orderId),
    kind: "invoice",
    accountId: order.accountId,
    orderId: order.orderId,
    linkId: null,
    entryId: null,
    ...taxedSum(lines),
    facts: {
      proForma: !isNumbered,
      suppliedAtMs: order.createdAtMs,
      seller: sellerParty(terms),
      buyer: { ...party, reference: party.reference ?? order.reference },
      treatment,
      category: vatCategory(treatment),
      vatBasisPoints,
      sentence: vatSentence(treatment),
      lines,
      corrects: null
    }
  }
}

/** What `cents` of a line are net when `before` cents of it were credited earlier: parts add up, however a line is divided. */
export const creditedPart = (line: Taxed, cents: Cents, before: Cents): Taxed => {
  const netUpTo = (credited: Cents): Cents => allocate(line.netCents, [credited, line.totalCents - credited])[0] ?? 0
  const netCents = netUpTo(before + cents) - netUpTo(before)
  return { totalCents: cents, netCents, vatCents: cents - netCents }
}

/**
 * The credit note of a link of that invoice, which has it as a line: over its whole price, with parties and VAT of the invoice. It has a
 * number exactly if the invoice has one.
 */
export const creditNoteOf = (link: Link, cancelledAtMs: Millis, invoice: Invoice): Draft | undefined => {
  const line = invoice.facts.lines.find(({ linkId }) => linkId === link.linkId)
  if (line === undefined) return undefined
  const { number, issueDate, ...facts } = invoice.facts
  const credited = { ...line, ...creditedPart(line, line.totalCents, 0) }
  return {
    invoiceId: documentId("credit_note", link.linkId),
    kind: "credit_note",
    accountId: invoice.accountId,
    orderId: invoice.orderId,
    linkId: link.linkId,
    entryId: null,
    ...taxedSum([credited]),
    facts: {
      ...facts,
      suppliedAtMs: cancelledAtMs,
      lines: [credited],
      corrects: { invoiceId: invoice.invoiceId, number, issueDate }
    }
  }
}

/** The receipt of a top-up. It bears no VAT and no number. */
export const receiptOf = (entry: LedgerEntry, buyer: Buyer, terms: SellerTerms): Draft => {
  const { amountCents, entryId, accountId, reference } = entry
  const amounts = { totalCents: amountCents, netCents: amountCents, vatCents: 0 }
  const detail = reference === undefined ? "Top-up" : `Top-up, ${reference}`
  return {
    invoiceId: documentId("receipt", entryId),
    kind: "receipt",
    accountId,
    orderId: null,
    linkId: null,
    entryId,
    ...amounts,
    facts: {
      proForma: terms.seller === null,
      suppliedAtMs: entry.atMs,
      seller: sellerParty(terms),
      buyer: buyerParty(buyer.accountName, buyer.identity, terms.seller?.country ?? null),
      treatment: "prepayment",
      category: vatCategory("prepayment"),
      vatBasisPoints: 0,
      sentence: vatSentence("prepayment"),
      lines: [{ linkId: null, name: "Prepaid credit", detail, ...amounts }],
      corrects: null
    }
  }
}
