// Looks at what `transact` shows a decision, by decisions that change nothing.
import { Effect, HashMap, Result } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import { unchanged } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Caller } from "#core/domain/ApiKey.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"

export const readBooks = Effect.fnUntraced(function* (reads: Reads) {
  const book = yield* OrderBook
  return yield* book.transact(reads, (books) => Result.succeed(unchanged(books)))
})

const idsIn = (shelf: Books[keyof Books]): Iterable<unknown> => {
  if (HashMap.isHashMap(shelf)) return HashMap.keys<unknown, unknown>(shelf)
  return shelf instanceof Set ? shelf : []
}

/** The names on every shelf that is not empty. */
const idsByTable = (books: Books): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    Object.entries(books)
      .map(([name, shelf]) => [name, Array.from(idsIn(shelf), String).sort()] as const)
      .filter(([, names]) => names.length > 0)
  )

/** What a decision with these reads is shown. */
export const visibleIds = (reads: Reads) => Effect.map(readBooks(reads), idsByTable)

export const emptyListingReads = {
  _tag: "ForListing" as const,
  siteIds: [],
  articleIds: [],
  promoCodes: [],
  projectIds: [],
  opportunityIds: [],
  accountIds: []
}

/** A placement that names nothing but who asks. */
export const emptyPlacementReads = ({ keyId, accountId }: Pick<Caller, "keyId" | "accountId">) => ({
  _tag: "ForPlacement" as const,
  keyId,
  accountId,
  siteIds: [],
  articleIds: [],
  projectIds: [],
  opportunityIds: [],
  targets: [],
  promoCode: null,
  idempotencyKey: null
})
