// Invoices, credit notes and receipts as JSON.
import { Schema } from "effect"
import {
  type Invoice as Document,
  type InvoiceLine as DocumentLine,
  InvoiceKind
} from "#core/domain/invoicing/Invoice.ts"
import type { InvoiceConditions } from "#core/domain/invoicing/InvoiceConditions.ts"
import type { Party as DocumentParty } from "#core/domain/invoicing/Party.ts"
import { type Taxed, VatCategory, VatTreatment } from "#core/domain/invoicing/Vat.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { Currency, Eur, eurOfCents, measure, PageCount } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { asName } from "../schema/MemberMarks.ts"
import { endOf, endsAfter, moment, startOf } from "../schema/Moment.ts"
import { NextCursor, PageQuery } from "../schema/Paging.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, text, timestamp } from "../schema/Text.ts"

export const InvoicesQuery = Schema.Struct({
  order_id: Schema.optionalKey(
    text(1)
      .annotate({ description: "Only the invoice of this order and its credit notes.", ...asName })
      .pipe(idBrands.OrderId)
  ),
  issued_from: Schema.optionalKey(moment("Only documents issued then or later.")),
  issued_to: Schema.optionalKey(moment("Only documents issued then or earlier; a date includes its whole day.")),
  ...PageQuery.fields
}).check(endsAfter("issued_from", "issued_to"))
export type InvoicesQuery = typeof InvoicesQuery.Type

export const readInvoiceConditions = ({ order_id, issued_from, issued_to }: InvoicesQuery): InvoiceConditions => {
  const issuedFromMs = issued_from === undefined ? undefined : startOf(issued_from)
  const issuedToMs = issued_to === undefined ? undefined : endOf(issued_to)
  return {
    ...(order_id === undefined ? {} : { orderId: order_id }),
    ...(issuedFromMs === undefined ? {} : { issuedFromMs }),
    ...(issuedToMs === undefined ? {} : { issuedToMs })
  }
}

const amounts = {
  total_eur: Eur.annotate({ description: "With VAT, euros. Positive on credit notes too." }),
  net_eur: Eur.annotate({ description: "Without VAT, euros; `net_eur` and `vat_eur` make `total_eur` to the cent." }),
  vat_eur: Eur.annotate({ description: "The VAT, euros; 0 where none is charged." })
}

const DocumentNumber = Schema.NullOr(Schema.String).annotate({
  description:
    "Of a gapless series per year, one for invoices and one for credit notes; `null` on receipts and pro forma documents."
})

const IssueDate = Schema.String.annotate({
  description: "The date on the document, in the seller's time zone.",
  format: "date"
})

const record = {
  invoice_id: answerId.invoice,
  number: DocumentNumber,
  kind: InvoiceKind.annotate({
    description:
      "`invoice` of an order, `credit_note` of one of its links that was cancelled or credited, `receipt` of a top-up."
  }),
  order_id: Schema.NullOr(answerId.order).annotate({ description: "The order that it is for; `null` on receipts." }),
  issued_at: at("When it was issued."),
  ...amounts
}

export const InvoiceRecord = Schema.Struct(record).annotate({
  identifier: "InvoiceRecord",
  description: "A document that was issued. It never changes."
})
export type InvoiceRecord = typeof InvoiceRecord.Type

export const InvoiceOfOrder = Schema.Struct({
  invoice_id: record.invoice_id,
  kind: Schema.Literals(["invoice", "credit_note"]).annotate({
    description: "`invoice` of the order, or `credit_note` of one of its links that was credited."
  }),
  number: record.number
}).annotate({
  identifier: "InvoiceOfOrder",
  description: "A document of an order; GET /api/v1/agent/invoices/{id} has more."
})

export const InvoiceList = Schema.Struct({
  ok: Ok,
  count: PageCount,
  invoices: Schema.Array(InvoiceRecord).annotate({ description: "Newest first." }),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "InvoiceList", description: "A page of the account's documents." })
export type InvoiceList = typeof InvoiceList.Type

const Party = Schema.Struct({
  name: Schema.String.annotate({ description: "Of the company or the person." }),
  address: Schema.NullOr(Schema.String).annotate({
    description: "Lines, divided by line breaks; `null` where none is known."
  }),
  country: Schema.NullOr(Schema.String).annotate({
    description: "ISO 3166, two capital letters; `null` where none is known."
  }),
  vat_id: Schema.NullOr(Schema.String).annotate({
    description: "Without blanks, such as `DE136695976`; `null` for none."
  }),
  reference: Schema.NullOr(Schema.String).annotate({
    description:
      "The buyer's own: the `reference` of the order, otherwise that of the billing identity; `null` for none."
  })
}).annotate({ identifier: "InvoiceParty", description: "A party as it was when the document was issued." })

const Line = Schema.Struct({
  link_id: Schema.NullOr(answerId.link).annotate({ description: "The link; `null` on receipts." }),
  name: Schema.String.annotate({ description: "What was bought, in a few words." }),
  detail: Schema.String.annotate({ description: "More about it, in a line." }),
  ...amounts
}).annotate({ identifier: "InvoiceLine", description: "A link, or the top-up of a receipt." })

export const InvoiceDetail = Schema.Struct({
  ok: Ok,
  ...record,
  link_id: Schema.NullOr(answerId.link).annotate({
    description: "Of a credit note: the link that it is for; `null` on other documents."
  }),
  currency: Currency,
  issue_date: IssueDate,
  supplied_at: at("When the order, the cancellation or the top-up was made."),
  pro_forma: Schema.Boolean.annotate({
    description: "`true` where no seller was configured: then it is no invoice for taxes."
  }),
  seller: Schema.NullOr(Party).annotate({ description: "Who sells; `null` where no seller was configured." }),
  buyer: Party,
  vat_treatment: VatTreatment.annotate({
    description:
      "`standard`: VAT is charged. `reverse_charge`: the buyer owes it. `outside_eu`: none is due. `franchise`: the seller charges none. `prepayment`: a top-up, which is no supply yet."
  }),
  vat_category: VatCategory.annotate({ description: "The same as a code of EN 16931 (UNTDID 5305)." }),
  vat_percent: measure(0, 100).annotate({ description: "The rate in percent, such as 19; 0 where none is charged." }),
  legal_sentence: Schema.NullOr(Schema.String).annotate({ description: "Why no VAT is charged; `null` where it is." }),
  lines: Schema.Array(Line).annotate({ description: "One for each link, or one for the top-up." }),
  corrects: Schema.NullOr(
    Schema.Struct({ invoice_id: answerId.invoice, number: DocumentNumber, issue_date: IssueDate })
  ).annotate({ description: "Of a credit note: its invoice; `null` on other documents." }),
  sandbox: Sandbox
}).annotate({ identifier: "InvoiceDetail", description: "A document with its parties and lines." })
export type InvoiceDetail = typeof InvoiceDetail.Type

const amountsOf = ({ totalCents, netCents, vatCents }: Taxed) => ({
  total_eur: eurOfCents(totalCents),
  net_eur: eurOfCents(netCents),
  vat_eur: eurOfCents(vatCents)
})

export const showInvoiceRecord = (invoice: Document): InvoiceRecord => ({
  invoice_id: invoice.invoiceId,
  number: invoice.facts.number,
  kind: invoice.kind,
  order_id: invoice.orderId,
  issued_at: timestamp(invoice.issuedAtMs),
  ...amountsOf(invoice)
})

/** Nothing for a receipt, which is for no order. */
export const showInvoiceOfOrder = ({ kind, invoiceId, facts }: Document): ReadonlyArray<typeof InvoiceOfOrder.Type> =>
  kind === "receipt" ? [] : [{ invoice_id: invoiceId, kind, number: facts.number }]

const showParty = ({ name, address, country, vatId, reference }: DocumentParty) => ({
  name,
  address,
  country,
  vat_id: vatId,
  reference
})

const showLine = (line: DocumentLine) => ({
  link_id: line.linkId,
  name: line.name,
  detail: line.detail,
  ...amountsOf(line)
})

const PERCENT = 100

export const showInvoice = (invoice: Document): InvoiceDetail => {
  const { facts } = invoice
  const { corrects } = facts
  return {
    ok: true,
    ...showInvoiceRecord(invoice),
    link_id: invoice.linkId,
    currency: "EUR",
    issue_date: facts.issueDate,
    supplied_at: timestamp(facts.suppliedAtMs),
    pro_forma: facts.proForma,
    seller: facts.seller === null ? null : showParty(facts.seller),
    buyer: showParty(facts.buyer),
    vat_treatment: facts.treatment,
    vat_category: facts.category,
    vat_percent: facts.vatBasisPoints / PERCENT,
    legal_sentence: facts.sentence,
    lines: facts.lines.map(showLine),
    corrects:
      corrects === null
        ? null
        : { invoice_id: corrects.invoiceId, number: corrects.number, issue_date: corrects.issueDate },
    sandbox: false
  }
}
