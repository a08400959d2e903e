// The one set of books that all in-memory stores read and the order book writes, with its indexes.
import { Context, Effect, Layer, PubSub } from "effect"
import { apply } from "#core/decisions/Apply.ts"
import { type Books, emptyBooks } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { changedRows } from "./ChangedRows.ts"
import { Indexes, type ReadonlyIndexes } from "./Indexes.ts"
import type { Row } from "./IndexKeys.ts"

/** Everything that one decision wrote. */
export interface Commit {
  readonly atMs: Millis
  /** At least one, in the order in which they were folded. */
  readonly changes: ReadonlyArray<Change>
}

export class MemoryBooks extends Context.Service<
  MemoryBooks,
  {
    /** The books as of the last commit. Immutable: the next commit replaces them. */
    readonly current: () => Books
    /** Indexes of the current books. The next commit changes them in place, so that an iteration must end before it. */
    readonly indexes: ReadonlyIndexes
    /** Writes all changes of a decision at once; without changes there is no commit. */
    readonly commit: (commit: Commit) => void
    /** Replaces the books by others from which these rows were removed or freed, without a notification. */
    readonly replace: (after: Books, changed: ReadonlyArray<Row>) => void
    /** Every commit, in order. Unbounded: a slow subscriber misses nothing and delays no other. */
    readonly commits: PubSub.PubSub<Commit>
  }
>()("backlinks/adapters/memory/MemoryBooks") {}

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
        const before = books
        const after = commit.changes.reduce(apply, before)
        const changed = commit.changes.flatMap((change) => changedRows(after, indexes, change))
        indexes.update(before, after, changed)
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
