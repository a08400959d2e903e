// Reads the books that `transact` passes to a decision, by decisions without changes.
import { Effect, HashMap, Result } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import { unchanged } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"

export const readBooks = Effect.fnUntraced(function* (reads: Reads) {
  const book = yield* OrderBook
  return yield* book.transact(reads, (books) => Result.succeed(unchanged(books)))
})

const idsIn = (table: Books[keyof Books]): Iterable<unknown> => {
  if (HashMap.isHashMap(table)) return HashMap.keys<unknown, unknown>(table)
  return table instanceof Set ? table : []
}

/** The ids of every table that is not empty. */
const idsByTable = (books: Books): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    Object.entries(books)
      .map(([name, table]) => [name, Array.from(idsIn(table), String).sort()] as const)
      .filter(([, names]) => names.length > 0)
  )

/** The ids that a decision with these reads can see. */
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

/** The reads of a placement that names only its key and account. */
export const emptyPlacementReads = ({
  keyId,
  accountId,
  mode = "live"
}: Pick<Caller, "keyId" | "accountId"> & Partial<Pick<Caller, "mode">>) => ({
  _tag: "ForPlacement" as const,
  keyId,
  accountId,
  mode,
  siteIds: [],
  articleIds: [],
  projectIds: [],
  opportunityIds: [],
  targets: [],
  welcomeDomains: [],
  promoCode: null,
  idempotencyKey: null
})
