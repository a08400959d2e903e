// Mails to owners with the invoices of what a person paid for: what they tell, and how often one is sent. What agents buy from credit has its own
// mail, so that each purchase is told once.
import { Schema } from "effect"
import type { Order } from "../ordering/Order.ts"
import type { Quote } from "../ordering/Quote.ts"
import { BasisPoints, Cents } from "../pricing/Money.ts"
import { DAY_MS, Millis } from "../shared/DecisionContext.ts"
import { InvoiceId, MemberId, OrderId } from "../shared/Ids.ts"
import { isAgentPurchase } from "./PurchaseMail.ts"

export const Receipt = Schema.Struct({
  orderId: OrderId,
  /** The label of the key or connection, or the address of the member; `null`: it was placed before the member was kept. */
  placedBy: Schema.NullOr(Schema.String),
  invoiceId: InvoiceId,
  /** `null` where the invoice is pro forma. */
  invoiceNumber: Schema.NullOr(Schema.String),
  /** The VAT on the invoice, and its sentence where none is charged; `null` where no seller was configured. */
  vat: Schema.NullOr(Schema.Struct({ cents: Cents, basisPoints: BasisPoints, sentence: Schema.NullOr(Schema.String) })),
  /** When it was ordered. */
  atMs: Millis,
  totalCents: Cents,
  cardCents: Cents,
  creditCents: Cents,
  links: Schema.Array(
    Schema.Struct({ domain: Schema.String, targetUrl: Schema.String, anchorText: Schema.String, netCents: Cents })
  )
})
export type Receipt = typeof Receipt.Type

/** A mail that is to be sent to one owner. */
export const DueReceiptMail = Schema.Struct({
  memberId: MemberId,
  email: Schema.String,
  accountName: Schema.String,
  /** Oldest first, at most `RECEIPTS_SHOWN`. */
  receipts: Schema.Array(Receipt),
  /** Counts all orders that it tells of. */
  count: Schema.Int,
  totalCents: Cents,
  /** The id of the last order that it tells of. */
  upTo: Schema.String,
  /** Earlier attempts that failed. */
  attempts: Schema.Int
})
export type DueReceiptMail = typeof DueReceiptMail.Type

/** The live orders that no other mail tells of: paid by card, ordered in the Shop, or free. */
export const isReceipted = (order: Pick<Order, "mode" | "keyId">, quote: Pick<Quote, "creditCents" | "cardCents">) =>
  order.mode === "live" && !isAgentPurchase(order, quote)

/**
 * A receipt waits this long for a document that an older one of its account lacks; then it is told without. Top-ups do alike. Documents are
 * issued within a minute, and looked for again for a day.
 */
export const DOCUMENT_WAIT_MS = DAY_MS

/** After a mail, what is bought is gathered for this long and told in one mail. */
export const RECEIPT_MAIL_GAP_MS = 5 * 60_000

/** A mail lists the oldest, and says how many there are. */
export const RECEIPTS_SHOWN = 20
