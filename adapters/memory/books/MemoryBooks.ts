// The one set of books that all in-memory stores read and the order book writes.
import { Context, Effect, HashMap, Layer, PubSub } from "effect"
import { type Books, emptyBooks, idOf, tableNames } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { type Difference, dropsDeliveries, laterRows } from "#core/decisions/Difference.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { DeliveryId } from "#core/domain/shared/Ids.ts"
import { type Delivery, dropped } from "#core/domain/webhooks/Delivery.ts"

/** Everything that one decision wrote. */
export interface Commit {
  readonly atMs: Millis
  /** In the order in which they were folded. */
  readonly changes: ReadonlyArray<Change>
  /** The difference that they made of the books that the decision read. */
  readonly changed: Difference
}

export class MemoryBooks extends Context.Service<
  MemoryBooks,
  {
    /** The books as of the last commit. Immutable: the next commit replaces them. */
    readonly current: () => Books
    /** The deliveries that are not sent: each claim looks at them, and would else look at all that were ever sent. */
    readonly pending: ReadonlyMap<DeliveryId, Delivery>
    /** Writes all that a decision changed at once; without changes there is no commit. */
    readonly commit: (commit: Commit) => void
    /** Replaces the books by others, with the same pending deliveries, without a notification. */
    readonly replace: (after: Books) => void
    /** Every commit, in order. Unbounded: a slow subscriber misses nothing and delays no other. */
    readonly commits: PubSub.PubSub<Commit>
  }
>()("backlinks/memory/books/MemoryBooks") {}

/**
 * A row that a decision makes is new to the store, too: one that it had not read would be lost, which PostgreSQL refuses by its keys. A use of
 * the welcome offer that has ended is not read, and the account's next one takes its place.
 */
const REPLACED_UNREAD: ReadonlySet<string> = new Set(["welcomeUses"])

/** The books with the rows that a decision changed of those that it read. */
const withRows = (books: Books, changed: Difference): Books => {
  const tables: Record<string, HashMap.HashMap<string | number, unknown>> = {}
  for (const name of tableNames) {
    if (changed[name].length === 0) continue
    const id = idOf(name)
    // Written with rows of that table alone.
    const table = books[name] as HashMap.HashMap<string | number, unknown>
    const rows = changed[name].map(({ before, after }) => {
      if (before === undefined && !REPLACED_UNREAD.has(name) && HashMap.has(table, id(after)))
        throw new Error(`a decision made a row of ${name} that is there, and that it did not read: ${id(after)}`)
      return [id(after), after] as const
    })
    tables[name] = HashMap.setMany(table, rows)
  }
  // Each by the name of the table that it replaces.
  return { ...books, ...(tables as Partial<Books>), fulfilment: changed.fulfilment ?? books.fulfilment }
}

export const layer: Layer.Layer<MemoryBooks> = Layer.effect(
  MemoryBooks,
  Effect.gen(function* () {
    const commits = yield* Effect.acquireRelease(PubSub.unbounded<Commit>(), PubSub.shutdown)
    const pending = new Map<DeliveryId, Delivery>()
    let books = emptyBooks

    /** Writes deliveries once more, if need be, and keeps those that are not sent. */
    const put = (deliveries: ReadonlyArray<Delivery>): void => {
      for (const delivery of deliveries) {
        if (delivery.nextAttemptAtMs === null) pending.delete(delivery.deliveryId)
        else pending.set(delivery.deliveryId, delivery)
      }
    }

    /** Subscriptions that ended drop their pending deliveries. */
    const dropPending = ({ subscriptions }: Difference): void => {
      const ended = new Set(laterRows(subscriptions.filter(dropsDeliveries)).map(({ webhookId }) => webhookId))
      if (ended.size === 0) return
      const drops = Array.from(pending.values()).filter(({ webhookId }) => ended.has(webhookId))
      const entries = drops.map((delivery) => [delivery.deliveryId, dropped(delivery)] as const)
      books = { ...books, deliveries: HashMap.setMany(books.deliveries, entries) }
      put(entries.map(([, delivery]) => delivery))
    }

    return {
      current: () => books,
      pending,
      commit: (commit) => {
        if (commit.changes.length === 0) return
        books = withRows(books, commit.changed)
        put(laterRows(commit.changed.deliveries))
        dropPending(commit.changed)
        PubSub.publishUnsafe(commits, commit)
      },
      replace: (after) => {
        books = after
      },
      commits
    }
  })
)
