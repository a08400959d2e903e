// A quote: a cart with fixed prices that awaits approval or payment, was paid, or was abandoned.
import { Schema } from "effect"
import type { PlacedBy } from "../access/PlacedBy.ts"
import { OrderItem } from "../pricing/Cart.ts"
import { Discount } from "../pricing/Discount.ts"
import { Cents } from "../pricing/Money.ts"
import { Shelf } from "../pricing/Shelf.ts"
import { Millis, Mode } from "../shared/DecisionContext.ts"
import {
  AccountId,
  HoldId,
  KeyId,
  MemberId,
  OrderId,
  type PayableId,
  PaymentId,
  PaymentSessionId,
  QuoteId
} from "../shared/Ids.ts"
import { QuoteStatus } from "./QuoteStatus.ts"
import { Warning } from "./Warning.ts"

/** Who abandoned a quote. It decides whether a late payment may still make the order. */
export const AbandonedBy = Schema.Literals(["human", "agent", "expiry"])
export type AbandonedBy = typeof AbandonedBy.Type

/** How many open quotes a balance lists: as many as a key makes in a day by default. */
export const MAX_OPEN_QUOTES = 20

export const QuoteLine = Schema.Struct({
  item: OrderItem,
  domain: Schema.String,
  shelf: Shelf,
  priceCents: Cents,
  netCents: Cents,
  /** Days from the order until the link is due, as the site had them; missing in quotes from before turnarounds. */
  turnaroundDays: Schema.optionalKey(Schema.Int)
})
export type QuoteLine = typeof QuoteLine.Type

export const Quote = Schema.Struct({
  quoteId: QuoteId,
  accountId: AccountId,
  keyId: KeyId,
  /** Who ordered it in the Shop; absent for agents, and before this was kept. */
  memberId: Schema.optionalKey(MemberId),
  mode: Mode,
  lines: Schema.Array(QuoteLine),
  /** SHA-256 of the canonical items, to find similar quotes. */
  itemsDigest: Schema.String,
  grossCents: Cents,
  discount: Discount,
  totalCents: Cents,
  creditCents: Cents,
  cardCents: Cents,
  /** The hold of the credit part; `null` in sandbox and where no credit is used. */
  holdId: Schema.NullOr(HoldId),
  warnings: Schema.Array(Warning),
  status: QuoteStatus,
  abandonedBy: Schema.NullOr(AbandonedBy),
  orderId: Schema.NullOr(OrderId),
  /** What late and surplus payments have added to the prepaid credit. */
  creditedCents: Cents,
  idempotencyKey: Schema.NullOr(Schema.String),
  /** At least 128 random bits. Its bearer may see, pay and abandon this quote. */
  paymentToken: Schema.String,
  /** `null` until the processor's session is stored, and if there is nothing to pay. */
  paymentUrl: Schema.NullOr(Schema.String),
  /** The processor's id of the session; `null` in sandbox. */
  sessionId: Schema.NullOr(PaymentSessionId),
  createdAtMs: Millis,
  expiresAtMs: Millis,
  /** Since when money is under way for it, as with a bank debit; `null` otherwise. Only an open quote has it, and does not expire. */
  paymentPendingAtMs: Schema.NullOr(Millis),
  /** The last session that ended unpaid while the quote was open: another one takes its place. */
  endedSessionId: Schema.NullOr(PaymentSessionId),
  /** The member or operator who approved it; `null` also where the sandbox's own control did. */
  approvedBy: Schema.NullOr(Schema.String),
  /** `null` unless it waited for approval and was approved. */
  approvedAtMs: Schema.NullOr(Millis),
  /** The word to the agent of the human who declined it, empty if there was none; `null` unless it was declined. */
  declinedReason: Schema.NullOr(Schema.String),
  /** The buyer's own for the order as a whole. */
  reference: Schema.NullOr(Schema.String)
})
export type Quote = typeof Quote.Type

export interface PlacedQuote extends Quote {
  readonly placedBy: PlacedBy
}

export const awaitsApproval = (quote: Pick<Quote, "status">): boolean => quote.status === "awaiting_approval"

export const awaitsPayment = (quote: Pick<Quote, "status">): boolean => quote.status === "awaiting_payment"

/** Reserves what it names until it is decided, paid, abandoned or expires. */
export const isOpen = (quote: Pick<Quote, "status">): boolean => awaitsApproval(quote) || awaitsPayment(quote)

export const isPaymentPending = (quote: Pick<Quote, "paymentPendingAtMs">): boolean => quote.paymentPendingAtMs !== null

export const hasExpired = (
  quote: Pick<Quote, "status" | "expiresAtMs" | "paymentPendingAtMs">,
  nowMs: Millis
): boolean => isOpen(quote) && !isPaymentPending(quote) && quote.expiresAtMs <= nowMs

/** The payment link while the quote can still be paid, and no payment is under way. */
export const payableUrl = (quote: Quote, nowMs: Millis): string | null =>
  awaitsPayment(quote) && !isPaymentPending(quote) && !hasExpired(quote, nowMs) ? quote.paymentUrl : null

/** A payment that a processor reports. `paymentId` is the processor's, and the same in every repetition of the notice. */
export const Payment = Schema.Struct({
  paymentId: PaymentId,
  quoteId: QuoteId,
  amountCents: Cents,
  currency: Schema.String
})
export type Payment = typeof Payment.Type

/** A payment as its processor reports it: the processor knows a top-up by the name of a quote. */
export type PaymentFor<Id extends PayableId> = Omit<Payment, "quoteId"> & { readonly quoteId: Id }
