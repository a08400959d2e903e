// A priced cart that waits for payment, was paid, or was given up. Prices are frozen here.
import type { OrderItem } from "./Cart.ts"
import type { Millis, Mode } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"
import type { Discount } from "./Pricing.ts"
import type { Shelf } from "./Shelf.ts"
import type { Warning } from "./Warning.ts"

export type QuoteStatus = "awaiting_payment" | "paid" | "abandoned"

/** Who gave an open quote up. A payment that comes too late is treated by it. */
export type AbandonedBy = "human" | "agent" | "expiry"

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
  /** SHA-256 of the canonical items, to recognise look-alikes. */
  readonly itemsDigest: string
  readonly grossCents: Cents
  readonly discount: Discount
  readonly totalCents: Cents
  readonly creditCents: Cents
  readonly cardCents: Cents
  /** The open hold of the credit part; `null` in sandbox and where no credit is used. */
  readonly holdId: string | null
  readonly warnings: ReadonlyArray<Warning>
  readonly status: QuoteStatus
  readonly abandonedBy: AbandonedBy | null
  readonly orderId: string | null
  /** What a late or surplus payment gave back as prepaid credit. */
  readonly creditedCents: Cents
  readonly idempotencyKey: string | null
  /** At least 128 random bits: whoever has it may see, pay and abandon this quote. */
  readonly paymentToken: string
  /** `null` until the processor's session is stored, and where there is nothing to pay. */
  readonly paymentUrl: string | null
  /** The processor's own id of the session; `null` in sandbox. */
  readonly sessionId: string | null
  readonly createdAtMs: Millis
  readonly expiresAtMs: Millis
}

export const isOpen = (quote: Quote): boolean => quote.status === "awaiting_payment"

export const hasExpired = (quote: Quote, nowMs: Millis): boolean => isOpen(quote) && quote.expiresAtMs <= nowMs

/** The link a human may still pay at. */
export const payableUrl = (quote: Quote, nowMs: Millis): string | null =>
  isOpen(quote) && !hasExpired(quote, nowMs) ? quote.paymentUrl : null

/** A processor's notice that money arrived. `paymentId` is the processor's and stays the same in every repetition. */
export interface Payment {
  readonly paymentId: string
  readonly quoteId: string
  readonly amountCents: Cents
  readonly currency: string
}
