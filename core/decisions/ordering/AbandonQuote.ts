// Abandons an open quote and releases what it reserved, exactly once.
import { Result } from "effect"
import { EXPIRY_ACTION } from "#core/domain/mails/ExpiryMail.ts"
import { type Actor, SERVICE } from "#core/domain/members/Actor.ts"
import { QuoteNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { PaymentUnderWay } from "#core/domain/ordering/PaymentRefusal.ts"
import {
  type AbandonedBy,
  awaitsApproval,
  hasExpired,
  isOpen,
  isPaymentPending,
  type Quote
} from "#core/domain/ordering/Quote.ts"
import { type Millis, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { PaymentSessionId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { Abandoner } from "#core/domain/webhooks/Event.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { raiseQuoteEvent } from "../webhooks/RaiseEvent.ts"
import { releaseReservations } from "./Reservations.ts"
import { responseOf } from "./StorePaymentSession.ts"

interface End {
  readonly by: AbandonedBy
  readonly render: Rendering | undefined
  readonly declinedReason?: string
  /** Who did it where it was no agent, as its event tells it; otherwise its human. */
  readonly abandoner?: Abandoner
}

/** Who acts under this name: a member under an id, an operator under a name. */
export const abandonerOf = (actor: Actor | null | undefined): Abandoner =>
  actor == null || actor.startsWith("mem_") ? "human" : "operator"

/** For an open quote only. Takes its total off the spend of the day on which it was made. */
export const abandon = (draft: Draft, quote: Quote, end: End): void => {
  const { by, render, declinedReason, abandoner = "human" } = end
  const { quoteId, keyId, totalCents } = quote
  const declined = declinedReason === undefined ? {} : { declinedReason }
  draft.record({ _tag: "QuoteAbandoned", quoteId, by, ...declined })
  draft.record({ _tag: "DailySpendChanged", keyId, day: utcDay(quote.createdAtMs), cents: -totalCents })
  if (quote.mode === "live") releaseReservations(draft, quote)
  if (render === undefined) return
  const ended = find(draft.books.quotes, quoteId) ?? quote
  if (by === "expiry") raiseQuoteEvent(draft, render, "quote.expired", { quote: ended })
  else raiseQuoteEvent(draft, render, "quote.abandoned", { quote: ended, by: by === "agent" ? by : abandoner })
}

/**
 * Abandons a quote that awaits approval, and stores the response that its idempotency key replays from now on. Owners are told of a live one
 * that expired.
 */
export const abandonUndecided = (draft: Draft, quote: Quote, end: End & { readonly render: Rendering }): void => {
  const { quoteId: subject, accountId, totalCents: cents, mode } = quote
  abandon(draft, quote, end)
  if (end.by === "expiry" && mode === "live")
    audit(draft, SERVICE, { action: EXPIRY_ACTION, subject, accountId, details: { cents } })
  responseOf(draft, find(draft.books.quotes, quote.quoteId) ?? quote, end.render)
}

export interface Abandonment {
  /** Renders the response of a quote that awaited approval, and the event of its end. */
  readonly render?: Rendering
  /** The operator or member who abandons the quote for its human. */
  readonly actor?: Actor | undefined
  /** The quote's session, which was closed before; `null` if it had none. */
  readonly closedSessionId?: PaymentSessionId | null
}

/**
 * Returns the quote as it is afterwards. It stays unchanged if it is paid or abandoned, if (for `expiry`) it has not expired, or if it
 * has another session by now than the one that was closed. While money is under way it is not abandoned, unless closing its session
 * showed that none is.
 */
export const abandonQuote =
  (
    quoteId: QuoteId,
    by: AbandonedBy,
    { actor, closedSessionId, render }: Abandonment = {}
  ): Decide<Quote, QuoteNotFound | PaymentUnderWay> =>
  (books, context) => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const due = by === "expiry" ? hasExpired(quote, context.nowMs) : isOpen(quote)
    if (!due || (closedSessionId !== undefined && closedSessionId !== quote.sessionId))
      return Result.succeed(unchanged(quote))
    if (isPaymentPending(quote) && closedSessionId === undefined) return Result.fail(new PaymentUnderWay({ quoteId }))
    const draft = new Draft(books, context)
    const abandoner = abandonerOf(actor)
    if (render !== undefined && awaitsApproval(quote)) abandonUndecided(draft, quote, { by, render, abandoner })
    else abandon(draft, quote, { by, render, abandoner })
    const { accountId, keyId } = quote
    const doer = actor ?? (by === "agent" ? keyId : null)
    audit(draft, doer, { action: "quote.abandon", subject: quoteId, accountId, details: {} })
    return Result.succeed(draft.decided(find(draft.books.quotes, quoteId) ?? quote))
  }

/** A quote and the store's time at which it was read. */
export interface TimedQuote {
  readonly quote: Quote
  readonly atMs: Millis
}

/** Reads the quote by the store's clock, which alone decides whether it has expired: an instance's own clock may be wrong. */
export const readQuoteInTime =
  (quoteId: QuoteId): Decide<TimedQuote, QuoteNotFound> =>
  (books, { nowMs: atMs }) => {
    const quote = find(books.quotes, quoteId)
    return quote === undefined
      ? Result.fail(new QuoteNotFound({ quoteId }))
      : Result.succeed(unchanged({ quote, atMs }))
  }
