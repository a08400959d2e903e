// Gives an open quote up: the hold, the articles, the promotion and the welcome offer go back, exactly once.

import { Result } from "effect"
import type { Actor } from "#core/domain/Actor.ts"
import { utcDay } from "#core/domain/DecisionContext.ts"
import { type AbandonedBy, hasExpired, isOpen, type Quote } from "#core/domain/Quote.ts"
import { QuoteNotFound } from "#core/domain/Refusal.ts"
import { find } from "./Books.ts"
import { audit, begin, type Decide, type Draft, ledgerEntry, unchanged } from "./Draft.ts"

const releaseHold = (draft: Draft, quote: Quote): void => {
  const hold = quote.holdId === null ? undefined : find(draft.books.holds, quote.holdId)
  if (hold?.state !== "open") return
  const entry = ledgerEntry(draft, quote.accountId, { kind: "release", cents: hold.cents }, { quoteId: quote.quoteId })
  draft.record({ _tag: "HoldReleased", holdId: hold.holdId, entry })
}

const releaseReservations = (draft: Draft, quote: Quote): void => {
  const { quoteId, accountId, discount } = quote
  for (const { item } of quote.lines) {
    if (item.articleId !== undefined) draft.record({ _tag: "ArticleFreed", articleId: item.articleId, quoteId })
  }
  if (discount.source === "promo" && discount.code !== undefined) {
    draft.record({ _tag: "PromoReleased", code: discount.code, quoteId, accountId })
  }
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeReleased", accountId, quoteId })
}

/** For an open quote only. Its spend no longer counts against the day it was made on. */
export const abandon = (draft: Draft, quote: Quote, by: AbandonedBy): void => {
  const { quoteId, keyId, totalCents } = quote
  draft.record({ _tag: "QuoteAbandoned", quoteId, by })
  draft.record({ _tag: "DailySpendChanged", keyId, day: utcDay(quote.createdAtMs), cents: -totalCents })
  if (quote.mode === "sandbox") return
  releaseHold(draft, quote)
  releaseReservations(draft, quote)
}

/**
 * Answers the quote as it then is. A quote that is settled or given up already, or not yet expired, stays as it was. `actor`
 * is the operator who does it for the human.
 */
export const abandonQuote =
  (quoteId: string, by: AbandonedBy, actor: Actor | null = null): Decide<Quote, QuoteNotFound> =>
  (books, context) => {
    const quote = find(books.quotes, quoteId)
    if (quote === undefined) return Result.fail(new QuoteNotFound({ quoteId }))
    const due = by === "expiry" ? hasExpired(quote, context.nowMs) : isOpen(quote)
    if (!due) return Result.succeed(unchanged(quote))
    const draft = begin(books, context)
    abandon(draft, quote, by)
    audit(draft, actor, { action: "quote.abandon", subject: quoteId, details: {} })
    return Result.succeed(draft.decided(find(draft.books.quotes, quoteId) ?? quote))
  }
