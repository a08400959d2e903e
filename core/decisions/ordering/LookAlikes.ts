// Recent orders of an account for the same items, which hold up an order by a key that asks for that.
import { HashMap, Result } from "effect"
import type { ApiKey, Caller } from "#core/domain/access/ApiKey.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { type Decide, unchanged } from "../Draft.ts"

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

export interface LookAlikesUnread {
  readonly kind: "look_alikes_unread"
}

/** Runs `decide`, unless the key holds look-alikes: then it replies that the books have to be read with them. */
export const deferUnread =
  <A>({ keyId }: Caller, decide: Decide<A>): Decide<A | LookAlikesUnread> =>
  (books, context) =>
    find(books.keys, keyId)?.limits.holdLookAlikes === true
      ? Result.succeed(unchanged({ kind: "look_alikes_unread" as const }))
      : decide(books, context)
