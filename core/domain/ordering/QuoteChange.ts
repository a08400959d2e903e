// What happens to a quote once it is open, and what each change makes of it.
import type { Actor } from "../members/Actor.ts"
import type { Cents } from "../pricing/Money.ts"
import type { Millis } from "../shared/DecisionContext.ts"
import type { HoldId, OrderId, PaymentSessionId, QuoteId } from "../shared/Ids.ts"
import type { AbandonedBy, Quote } from "./Quote.ts"

export type QuoteChange =
  | {
      readonly _tag: "SessionStored"
      readonly quoteId: QuoteId
      readonly sessionId: PaymentSessionId
      readonly paymentUrl: string
    }
  /** Money is under way in this session, from this time on. */
  | {
      readonly _tag: "PaymentPending"
      readonly quoteId: QuoteId
      readonly sessionId: PaymentSessionId
      readonly atMs: Millis
    }
  /** The session ended unpaid; the quote waits for another one. */
  | { readonly _tag: "SessionEnded"; readonly quoteId: QuoteId; readonly sessionId: PaymentSessionId }
  | {
      readonly _tag: "QuoteSettled"
      readonly quoteId: QuoteId
      readonly orderId: OrderId
      readonly holdId: HoldId | null
    }
  /** It awaits payment from now on, unless its order follows at once. */
  | {
      readonly _tag: "QuoteApproved"
      readonly quoteId: QuoteId
      readonly holdId: HoldId | null
      /** `null`: the sandbox's own control. */
      readonly by: Actor | null
      readonly atMs: Millis
      /** The end of the quote and its hold. */
      readonly expiresAtMs: Millis
      readonly paymentUrl: string | null
    }
  | {
      readonly _tag: "QuoteAbandoned"
      readonly quoteId: QuoteId
      readonly by: AbandonedBy
      readonly declinedReason?: string
    }
  | { readonly _tag: "QuoteCredited"; readonly quoteId: QuoteId; readonly cents: Cents }

const noSession = { sessionId: null, paymentUrl: null, paymentPendingAtMs: null }
const paid = { status: "paid", abandonedBy: null, paymentPendingAtMs: null } as const
const abandoned = { status: "abandoned", paymentPendingAtMs: null } as const

/** The members that the change replaces. */
export const changedQuote = (quote: Quote, change: QuoteChange): Partial<Quote> => {
  switch (change._tag) {
    case "SessionStored":
      return { sessionId: change.sessionId, paymentUrl: change.paymentUrl }
    case "PaymentPending":
      return { sessionId: change.sessionId, paymentPendingAtMs: change.atMs }
    case "SessionEnded":
      return { ...noSession, endedSessionId: change.sessionId }
    case "QuoteSettled":
      return { ...paid, orderId: change.orderId, holdId: change.holdId }
    case "QuoteApproved": {
      const { by: approvedBy, atMs: approvedAtMs, expiresAtMs, paymentUrl } = change
      return { status: "awaiting_payment", approvedBy, approvedAtMs, expiresAtMs, paymentUrl }
    }
    case "QuoteAbandoned":
      return { ...abandoned, abandonedBy: change.by, declinedReason: change.declinedReason ?? null }
    case "QuoteCredited":
      return { creditedCents: quote.creditedCents + change.cents }
  }
}
