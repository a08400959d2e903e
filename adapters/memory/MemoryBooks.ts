// The one set of books that all in-memory stores read and the order book writes, with its indexes. Lives and dies with its
// layer. What may be written, and whether it is right, is decided elsewhere.
import { Context, Effect, Layer, PubSub } from "effect"
import { apply } from "#core/decisions/Apply.ts"
import { type Books, emptyBooks } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { type Index, Indexes } from "./Indexes.ts"

/** What one decision wrote, all of it. */
export interface Commit {
  readonly atMs: Millis
  /** At least one, in the order in which they were folded. */
  readonly changes: ReadonlyArray<Change>
}

export class MemoryBooks extends Context.Service<
  MemoryBooks,
  {
    /** The books as of the last commit. They never change; the next commit makes new ones. */
    readonly current: () => Books
    /** Of the current books. To be read and done with before the next commit, which moves its entries. */
    readonly index: Index
    /** Writes all changes of a decision at once. No changes are no commit. */
    readonly commit: (commit: Commit) => void
    /** Every commit after it was made, in order. A subscriber that falls behind misses nothing and delays nobody. */
    readonly commits: PubSub.PubSub<Commit>
  }
>()("backlinks/memory/MemoryBooks") {}

export const layer: Layer.Layer<MemoryBooks> = Layer.effect(
  MemoryBooks,
  Effect.gen(function* () {
    const commits = yield* Effect.acquireRelease(PubSub.unbounded<Commit>(), PubSub.shutdown)
    const indexes = new Indexes()
    let books = emptyBooks
    return {
      current: () => books,
      index: indexes,
      commit: (commit) => {
        if (commit.changes.length === 0) return
        const before = books
        const after = commit.changes.reduce(apply, before)
        indexes.follow(before, after, commit.changes)
        books = after
        PubSub.publishUnsafe(commits, commit)
      },
      commits
    }
  })
)
