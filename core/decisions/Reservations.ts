// What an open quote reserves: credit, articles, a promotion, the welcome offer. Its order spends them, an abandonment releases them.
// Sandbox quotes reserve nothing.
import type { Quote } from "#core/domain/Quote.ts"
import { find } from "./Books.ts"
import { type Draft, ledgerEntry } from "./Draft.ts"

const articleIdsOf = ({ lines }: Quote): ReadonlyArray<number> => lines.flatMap(({ item }) => item.articleId ?? [])

const promoCodeOf = ({ discount }: Quote): string | undefined =>
  discount.source === "promo" ? discount.code : undefined

const holdOf = (draft: Draft, { holdId }: Quote) => (holdId === null ? undefined : find(draft.books.holds, holdId))

/** Holds the credit part, if there is one, under the quote's `holdId`. */
export const placeHold = (draft: Draft, quote: Quote): void => {
  const { holdId, accountId, quoteId, creditCents: cents, expiresAtMs } = quote
  if (holdId === null) return
  const entry = ledgerEntry(draft, accountId, { kind: "hold", cents }, { quoteId })
  draft.record({ _tag: "HoldPlaced", hold: { holdId, accountId, quoteId, cents, state: "open", expiresAtMs }, entry })
}

/** Reserves everything but credit until the quote expires. */
export const reserve = (draft: Draft, quote: Quote): void => {
  const { quoteId, accountId, discount, expiresAtMs: untilMs } = quote
  for (const articleId of articleIdsOf(quote)) draft.record({ _tag: "ArticleReserved", articleId, quoteId, untilMs })
  const code = promoCodeOf(quote)
  if (code !== undefined) draft.record({ _tag: "PromoReserved", code, reservation: { quoteId, accountId, untilMs } })
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeReserved", accountId, quoteId, untilMs })
}

/** Captures the hold and sells what was reserved. */
export const spendReservations = (draft: Draft, quote: Quote, orderId: string): void => {
  const { quoteId, accountId, discount } = quote
  const hold = holdOf(draft, quote)
  if (hold !== undefined) {
    const entry = ledgerEntry(draft, accountId, { kind: "capture", cents: hold.cents }, { quoteId, orderId })
    draft.record({ _tag: "HoldCaptured", holdId: hold.holdId, entry })
  }
  for (const articleId of articleIdsOf(quote)) draft.record({ _tag: "ArticleSold", articleId, quoteId })
  const code = promoCodeOf(quote)
  if (code !== undefined) draft.record({ _tag: "PromoSpent", code, quoteId, accountId })
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeSpent", accountId, quoteId })
}

/** Releases the hold, if it is still open, and what was reserved. */
export const releaseReservations = (draft: Draft, quote: Quote): void => {
  const { quoteId, accountId, discount } = quote
  const hold = holdOf(draft, quote)
  if (hold?.state === "open") {
    const entry = ledgerEntry(draft, accountId, { kind: "release", cents: hold.cents }, { quoteId })
    draft.record({ _tag: "HoldReleased", holdId: hold.holdId, entry })
  }
  for (const articleId of articleIdsOf(quote)) draft.record({ _tag: "ArticleFreed", articleId, quoteId })
  const code = promoCodeOf(quote)
  if (code !== undefined) draft.record({ _tag: "PromoReleased", code, quoteId, accountId })
  if (discount.source === "welcome") draft.record({ _tag: "WelcomeReleased", accountId, quoteId })
}
