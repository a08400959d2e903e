// Abandons an open quote and releases what it reserved, exactly once.
import { Result } from "effect"
import type { Actor } from "#core/domain/Actor.ts"
import { type Millis, utcDay } from "#core/domain/DecisionContext.ts"
import { type AbandonedBy, hasExpired, isOpen, type Quote } from "#core/domain/Quote.ts"
import { QuoteNotFound } from "#core/domain/Refusal.ts"
import { find } from "./Books.ts"
import { audit, type Decide, Draft, unchanged } from "./Draft.ts"
import { releaseReservations } from "./Reservations.ts"

/** For an open quote only. Takes its total off the spend of the day on which it was made. */
export const abandon = (draft: Draft, quote: Quote, by: AbandonedBy): void => {
  const { quoteId, keyId, totalCents } = quote
  draft.record({ _tag: "QuoteAbandoned", quoteId, by })
  draft.record({ _tag: "DailySpendChanged", keyId, day: utcDay(quote.createdAtMs), cents: -totalCents })
  if (quote.mode === "live") releaseReservations(draft, quote)
}

/**
 * Returns the quote as it is afterwards. A quote that is paid, abandoned, or (for `expiry`) not expired yet stays unchanged. `actor` is
 * the operator who abandons it for the human.
 */
export const abandonQuote =
  (quoteId: string, by: AbandonedBy, actor: Actor | null = null): Decide<Quote, QuoteNotFound> =>
  (books, context) => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const due = by === "expiry" ? hasExpired(quote, context.nowMs) : isOpen(quote)
    if (!due) return Result.succeed(unchanged(quote))
    const draft = new Draft(books, context)
    abandon(draft, quote, by)
    audit(draft, actor, { action: "quote.abandon", subject: quoteId, details: {} })
    return Result.succeed(draft.decided(find(draft.books.quotes, quoteId) ?? quote))
  }

/** A quote and the store's time at which it was read. */
export interface TimedQuote {
  readonly quote: Quote
  readonly atMs: Millis
}

/** Reads the quote by the store's clock, which alone decides whether it has expired: an instance's own clock may be wrong. */
export const readQuoteInTime =
  (quoteId: string): Decide<TimedQuote, QuoteNotFound> =>
  (books, { nowMs: atMs }) => {
    const quote = find(books.quotes, quoteId)
    return quote === undefined
      ? Result.fail(new QuoteNotFound({ quoteId }))
      : Result.succeed(unchanged({ quote, atMs }))
  }
