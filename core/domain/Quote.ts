// A quote: a cart with fixed prices that awaits approval or payment, was paid, or was abandoned.
import type { OrderItem } from "./Cart.ts"
import type { Millis, Mode } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"
import type { Discount } from "./Pricing.ts"
import type { QuoteStatus } from "./QuoteStatus.ts"
import type { Shelf } from "./Shelf.ts"
import type { Warning } from "./Warning.ts"

/** Who abandoned a quote. It decides whether a late payment may still make the order. */
export type AbandonedBy = "human" | "agent" | "expiry"

/** How many open quotes a balance lists: as many as a key makes in a day by default. */
export const MAX_OPEN_QUOTES = 20

export interface QuoteLine {
  readonly item: OrderItem
  readonly domain: string
  readonly shelf: Shelf
  readonly priceCents: Cents
  readonly netCents: Cents
}

export interface Quote {
  readonly quoteId: string
  readonly accountId: string
  readonly keyId: string
  readonly mode: Mode
  readonly lines: ReadonlyArray<QuoteLine>
  /** SHA-256 of the canonical items, to find similar quotes. */
  readonly itemsDigest: string
  readonly grossCents: Cents
  readonly discount: Discount
  readonly totalCents: Cents
  readonly creditCents: Cents
  readonly cardCents: Cents
  /** The hold of the credit part; `null` in sandbox and where no credit is used. */
  readonly holdId: string | null
  readonly warnings: ReadonlyArray<Warning>
  readonly status: QuoteStatus
  readonly abandonedBy: AbandonedBy | null
  readonly orderId: string | null
  /** What late and surplus payments have added to the prepaid credit. */
  readonly creditedCents: Cents
  readonly idempotencyKey: string | null
  /** At least 128 random bits. Its bearer may see, pay and abandon this quote. */
  readonly paymentToken: string
  /** `null` until the processor's session is stored, and if there is nothing to pay. */
  readonly paymentUrl: string | null
  /** The processor's id of the session; `null` in sandbox. */
  readonly sessionId: string | null
  readonly createdAtMs: Millis
  readonly expiresAtMs: Millis
  /** Since when money is under way for it, as with a bank debit; `null` otherwise. Only an open quote has it, and does not expire. */
  readonly paymentPendingAtMs: Millis | null
  /** The last session that ended unpaid while the quote was open: another one takes its place. */
  readonly endedSessionId: string | null
  /** The member or operator who approved it; `null` also where the sandbox's own control did. */
  readonly approvedBy: string | null
  /** `null` unless it waited for approval and was approved. */
  readonly approvedAtMs: Millis | null
  /** The word to the agent of the human who declined it, empty if there was none; `null` unless it was declined. */
  readonly declinedReason: string | null
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
export interface Payment {
  readonly paymentId: string
  readonly quoteId: string
  readonly amountCents: Cents
  readonly currency: string
}
