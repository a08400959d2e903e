// Recent orders of an account for the same items, which hold up an order by a key that asks for that.
import { HashMap } from "effect"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { needsApproval } from "#core/domain/ordering/Approval.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import type { OrderRequest } from "#core/domain/pricing/Cart.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import type { Books } from "../Books.ts"

/** The account's newest quote for the same items within the window, `null` if there is none. The books have to be read with them. */
export const lookAlikeIn = (
  books: Books,
  { accountId, mode }: Pick<ApiKey, "accountId" | "mode">,
  itemsDigest: string,
  nowMs: Millis
): QuoteId | null => {
  const isAlike = (quote: Quote): boolean =>
    quote.accountId === accountId &&
    quote.mode === mode &&
    quote.itemsDigest === itemsDigest &&
    quote.status !== "abandoned" &&
    quote.createdAtMs >= nowMs - SIMILAR_ORDER_WINDOW_MS
  const alike = Array.from(HashMap.values(books.quotes)).filter(isAlike)
  return alike.sort((a, b) => b.createdAtMs - a.createdAtMs || (a.quoteId < b.quoteId ? 1 : -1))[0]?.quoteId ?? null
}

/** Whether an order waits for approval, and the similar order that it is warned of. */
export interface Verdict {
  readonly held: boolean
  readonly lookAlike: QuoteId | null
}

interface Judged {
  readonly itemsDigest: string
  readonly lookAlike: QuoteId | null
  readonly request: Pick<OrderRequest, "items">
}

/** `lookAlike` was found outside the books, for a warning only. */
export const judgeOrder = (
  books: Books,
  key: ApiKey,
  { itemsDigest, lookAlike, request }: Judged,
  facts: { readonly totalCents: Cents; readonly nowMs: Millis }
): Verdict => {
  const similar = key.limits.holdLookAlikes ? lookAlikeIn(books, key, itemsDigest, facts.nowMs) : null
  return {
    held: needsApproval(key.limits, { ...facts, items: request.items }, similar),
    lookAlike: similar ?? lookAlike
  }
}
