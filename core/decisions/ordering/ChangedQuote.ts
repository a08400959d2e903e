// What a change makes of a quote.
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { Change } from "../Change.ts"

export type QuoteChange = Extract<
  Change,
  {
    readonly _tag:
      | "SessionStored"
      | "PaymentPending"
      | "SessionEnded"
      | "QuoteSettled"
      | "QuoteApproved"
      | "QuoteAbandoned"
      | "QuoteCredited"
  }
>

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
