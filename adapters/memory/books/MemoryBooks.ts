// The one set of books that all in-memory stores read and the order book writes, with its indexes.
import { Context, Effect, Layer, PubSub } from "effect"
import { type Books, emptyBooks } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Difference } from "#core/decisions/Difference.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { Row } from "./IndexEntries.ts"
import { Indexes, type ReadonlyIndexes } from "./Indexes.ts"
import { booksWith, changedRows } from "./WrittenRows.ts"

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
    /** Indexes of the current books. The next commit changes them in place, so that an iteration must end before it. */
    readonly indexes: ReadonlyIndexes
    /** Writes all that a decision changed at once; without changes there is no commit. */
    readonly commit: (commit: Commit) => void
    /** Replaces the books by others from which these rows were removed or freed, without a notification. */
    readonly replace: (after: Books, changed: ReadonlyArray<Row>) => void
    /** Every commit, in order. Unbounded: a slow subscriber misses nothing and delays no other. */
    readonly commits: PubSub.PubSub<Commit>
  }
>()("backlinks/memory/books/MemoryBooks") {}

export const layer: Layer.Layer<MemoryBooks> = Layer.effect(
  MemoryBooks,
  Effect.gen(function* () {
    const commits = yield* Effect.acquireRelease(PubSub.unbounded<Commit>(), PubSub.shutdown)
    const indexes = new Indexes()
    let books = emptyBooks
    return {
      current: () => books,
      indexes,
      commit: (commit) => {
        if (commit.changes.length === 0) return
        const after = booksWith(books, commit.changed, indexes)
        indexes.update(books, after, changedRows(after, commit.changed, indexes))
        books = after
        PubSub.publishUnsafe(commits, commit)
      },
      replace: (after, changed) => {
        indexes.update(books, after, changed)
        books = after
      },
      commits
    }
  })
)
