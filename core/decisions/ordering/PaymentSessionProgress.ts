// What a payment session without a payment means for its quote: a bank debit under way keeps it, a session that ended makes room for
// another one. A session that is not the quote's own any more changes nothing, however late or often it is reported.
import { Result } from "effect"
import { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { awaitsPayment, hasExpired, isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { find } from "../Books.ts"
import { type Decide, Draft, unchanged } from "../Draft.ts"
import { abandon } from "./AbandonQuote.ts"
import { reserve } from "./Reservations.ts"
import { canRetake } from "./SettlePayment.ts"

export interface ReportedSession {
  readonly quoteId: QuoteId
  readonly sessionId: PaymentSessionId
}

/**
 * Too short to pay in. A session ends a minute before its quote, and that end, when it is told, is no reason for another session.
 */
const TIME_TO_PAY_MS: Millis = 2 * 60_000

const isWaiting = ({ status, mode }: Quote): boolean => awaitsPayment({ status }) && mode === "live"

/** `kept`: the debit holds the quote and all that it reserved. */
export interface PendingReport {
  readonly quote: Quote
  readonly outcome: "kept" | "ignored"
}

/**
 * A debit that began before the quote's first session was stored counts too. One that is told after the expiry of a quote that cannot
 * have everything again is ignored: if its money comes, it is a late payment.
 */
export const keepWhilePending =
  ({ quoteId, sessionId }: ReportedSession): Decide<PendingReport, QuoteNotFound> =>
  (books, context) => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const isFirst = quote.sessionId === null && quote.endedSessionId === null
    const isOwn = quote.sessionId === sessionId || isFirst
    const isNews = isWaiting(quote) && isOwn && !isPaymentPending(quote)
    if (!isNews || (hasExpired(quote, context.nowMs) && !canRetake(books, quote, context)))
      return Result.succeed(unchanged({ quote, outcome: "ignored" }))
    const draft = new Draft(books, context)
    draft.record({ _tag: "PaymentPending", quoteId, sessionId, atMs: context.nowMs })
    const kept = find(draft.books.quotes, quoteId) ?? quote
    reserve(draft, kept)
    return Result.succeed(draft.decided({ quote: kept, outcome: "kept" }))
  }

/** `reopens`: the quote is open and waits for another session. `lapsed`: its time was over, and it ended. */
export interface SessionEnd {
  readonly quote: Quote
  readonly outcome: "reopens" | "lapsed" | "ignored"
}

/** `render` renders the event of an expiry. */
export const endSession =
  ({ quoteId, sessionId }: ReportedSession, render?: Rendering): Decide<SessionEnd, QuoteNotFound> =>
  (books, context) => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const leftMs = quote.expiresAtMs - context.nowMs
    const tooLate = leftMs > 0 && leftMs < TIME_TO_PAY_MS && !isPaymentPending(quote)
    if (!isWaiting(quote) || quote.sessionId !== sessionId || tooLate)
      return Result.succeed(unchanged({ quote, outcome: "ignored" }))
    const draft = new Draft(books, context)
    draft.record({ _tag: "SessionEnded", quoteId, sessionId })
    const waiting = find(draft.books.quotes, quoteId) ?? quote
    if (leftMs <= 0) abandon(draft, waiting, { by: "expiry", render })
    else if (isPaymentPending(quote)) reserve(draft, waiting)
    const ended = find(draft.books.quotes, quoteId) ?? waiting
    return Result.succeed(draft.decided({ quote: ended, outcome: leftMs > 0 ? "reopens" : "lapsed" }))
  }
