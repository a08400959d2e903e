// Reads of the books for expectations.
import { HashMap } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"

/** In order of creation, because ids ascend. */
export const inOrder = <A>(
  table: HashMap.HashMap<string, A>,
  isAsked: (one: A) => boolean = () => true
): ReadonlyArray<A> =>
  HashMap.toEntries(table)
    .filter(([, one]) => isAsked(one))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one)

/** The row with this id, which must exist. */
export const known = <A>(table: HashMap.HashMap<string, A> | HashMap.HashMap<number, A>, id: string | number): A =>
  // Expectations name ids as plain text.
  HashMap.getUnsafe(table as HashMap.HashMap<string | number, A>, id)

interface OfKey {
  readonly keyId: string
}

export const quotesOf = (books: Books, { keyId }: OfKey): ReadonlyArray<Quote> =>
  inOrder(books.quotes, (quote) => quote.keyId === keyId)

export const ordersOf = (books: Books, { keyId }: OfKey): ReadonlyArray<Order> =>
  inOrder(books.orders, (order) => order.keyId === keyId)

/** An account's ledger, oldest first. */
export const ledgerOf = (books: Books, accountId: string): ReadonlyArray<LedgerEntry> =>
  inOrder(books.ledger, (entry) => entry.accountId === accountId)

/** Kind and amount of each entry, such as `hold 200`. */
export const movements = (books: Books, accountId: string): ReadonlyArray<string> =>
  ledgerOf(books, accountId).map(({ kind, amountCents }) => `${kind} ${amountCents}`)

/** The types of an order's events that were rendered, as for a webhook; those of one moment in the order of their ids. */
export const eventsOf = (books: Books, orderId: string): ReadonlyArray<string> =>
  inOrder(books.events, (event) => event.orderId === orderId && event.body !== null).map(({ type }) => type)

/** The number of occurrences of each value. */
export const countEach = (values: Iterable<string | number>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
