// One flight of placements: loads, decides and writes them all at once, and tells each what became of it. Whom it cannot carry
// together it leaves to go alone. Who flies when, and who goes alone how, is `Placements`'.
import { Cause, Deferred, Effect, Exit } from "effect"
import type { Change } from "#core/decisions/Change.ts"
import type { DecisionContext } from "#core/domain/DecisionContext.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import type { Waiter } from "../database/AdmissionQueue.ts"
import { completeAll } from "../database/Batcher.ts"
import type { Database } from "../database/Database.ts"
import { skipAdmission } from "../database/Semaphore.ts"
import { isLockTimeout, isRejectedByDatabase } from "../database/SqlErrors.ts"
import { commitOf } from "./CommitRows.ts"
import { COMMIT } from "./Commits.ts"
import { type LoadedBooks, loadedBooks } from "./LoadedBooks.ts"
import { type DecidedBatch, decideBatch, type Placement, rebase } from "./PlacementBatch.ts"
import { queryForPlacements } from "./PlacementQuery.ts"

export interface QueuedPlacement extends Placement, Waiter {
  readonly done: Deferred.Deferred<unknown, Refusal | StoreUnavailable>
}

/** Placements of one account. */
export type AccountBatch = ReadonlyArray<QueuedPlacement>

/** Of a busy account's parties, so many follow the first before others who want something of the account have their turn. */
const FOLLOWERS = 3

/** Times that all may lose a race before each goes alone. */
const TRIES = 2

interface Decided extends DecidedBatch {
  /** As they are written; `null` where there is nothing to write. */
  readonly rows: string | null
}

/** Where it is not written, certainly nothing was: who lost may be quicker the next time. */
type Written = "written" | "refused" | "lost"

/** They were told, written or not, or none of them was written and each has to go alone. `next` is what came of the meantime. */
type Settled<A> = { readonly isTold: true; readonly next: A | null } | { readonly isTold: false }

export interface PipelineOptions {
  readonly database: Database["Service"]
  /** So many moments that follow all that was loaded. */
  readonly contexts: (loaded: LoadedBooks, count: number) => Effect.Effect<() => DecisionContext>
  /** Hears of all that was written. */
  readonly onCommitted: (changes: ReadonlyArray<Change>) => Effect.Effect<void>
}

export const placementPipeline = ({ database, contexts: moments, onCommitted: written }: PipelineOptions) => {
  const load = (all: AccountBatch) =>
    Effect.suspend(() => {
      const { sql, params } = queryForPlacements(all.map(({ reads }) => reads))
      return Effect.map(database.read(sql, params, skipAdmission), ([row]) => loadedBooks(row))
    })

  const decideOn = (loaded: LoadedBooks, all: AccountBatch): Effect.Effect<Decided> =>
    Effect.map(moments(loaded, all.length), (nextMoment) => {
      const batch = decideBatch(loaded, all, nextMoment)
      const { writeContext: writing } = batch
      return { ...batch, rows: writing === null ? null : JSON.stringify(commitOf(writing).rows) }
    })

  const decideAll = (all: AccountBatch) => Effect.flatMap(load(all), (loaded) => decideOn(loaded, all))

  /** Decides while an earlier party is being written; `null` where that has to be done first. */
  const decideAhead = (accountId: string, party: AccountBatch, earlier: Decided) =>
    load(party).pipe(
      Effect.flatMap((loaded) => {
        const after = rebase(loaded, accountId, earlier)
        return after === null ? Effect.succeed(null) : decideOn(after, party)
      }),
      Effect.catchCause(() => Effect.succeed(null))
    )

  const write = ({ rows, changes }: Decided): Effect.Effect<Written, StoreUnavailable> =>
    rows === null
      ? Effect.succeed<Written>("written")
      : database.commit(COMMIT, [rows], skipAdmission).pipe(
          Effect.andThen(Effect.suspend(() => written(changes))),
          Effect.as<Written>("written"),
          Effect.catchTag("ConflictError", (race) => Effect.succeed<Written>(isLockTimeout(race) ? "refused" : "lost")),
          Effect.catchCause((cause) =>
            isRejectedByDatabase(cause) ? Effect.succeed<Written>("refused") : Effect.failCause(cause)
          )
        )

  const tell = (all: AccountBatch, { results: answers }: Decided): void => {
    for (const [index, { done }] of all.entries()) {
      Deferred.doneUnsafe(done, answers[index] ?? Exit.die("every placement has its answer"))
    }
  }

  /** Tells those who were written, and nobody else; but first whoever comes next goes on, so that the database has work meanwhile. */
  const writeAndTell = (all: AccountBatch, decided: Decided) =>
    Effect.map(Effect.exit(write(decided)), (outcome) => {
      if (Exit.isSuccess(outcome) && outcome.value === "written") setImmediate(() => tell(all, decided))
      return outcome
    })

  /**
   * Where it is certain that nothing was written, all go once more together. `ready` is what was decided ahead, `meanwhile` goes on
   * while they are being written; what comes of it holds if they were.
   */
  const settle = Effect.fnUntraced(function* <A>(
    all: AccountBatch,
    ready: Decided | null,
    meanwhile: (decided: Decided) => Effect.Effect<A>
  ): Effect.fn.Return<Settled<A>> {
    const toldAll = (cause: Cause.Cause<StoreUnavailable>): Settled<A> => {
      completeAll(all, Exit.failCause(cause))
      return { isTold: true, next: null }
    }
    let ahead = ready
    for (let tries = TRIES; tries > 0; tries--) {
      const decided = ahead === null ? yield* Effect.exit(decideAll(all)) : Exit.succeed(ahead)
      ahead = null
      if (Exit.isFailure(decided)) {
        // A row that nobody can read is only in the way of those who look at it.
        return Cause.hasDies(decided.cause) ? { isTold: false } : toldAll(decided.cause)
      }
      const { value } = decided
      const sideBySide = [writeAndTell(all, value), meanwhile(value)] as const
      const [outcome, next] = yield* Effect.all(sideBySide, { concurrency: 2 })
      if (Exit.isFailure(outcome)) return toldAll(outcome.cause)
      if (outcome.value === "written") return { isTold: true, next }
      if (outcome.value === "refused") return { isTold: false }
    }
    return { isTold: false }
  })

  return {
    /** Parties of several accounts. Whether all were told; if not, each of them has to go alone. */
    together: (parties: ReadonlyArray<AccountBatch>): Effect.Effect<boolean> =>
      Effect.map(
        settle(parties.flat(), null, () => Effect.void),
        ({ isTold }) => isTold
      ),

    /**
     * Parties of one account in their order: each is loaded and decided while the one before it is being written. Who has to go alone:
     * nobody, or the party that could not be written and the one that was to follow it.
     */
    follow: Effect.fnUntraced(function* (first: AccountBatch, accountId: string, callNext: () => AccountBatch) {
      let party = first
      let ready: Decided | null = null
      for (let left = FOLLOWERS; party.length > 0; left--) {
        let next: AccountBatch = []
        const prepare = (earlier: Decided) =>
          Effect.suspend(() => {
            if (left > 0 && next.length === 0) next = callNext()
            return next.length < 2 ? Effect.succeed(null) : decideAhead(accountId, next, earlier)
          })
        const settled: Settled<Decided | null> = yield* Effect.onError(settle(party, ready, prepare), (cause) =>
          Effect.sync(() => completeAll([...party, ...next], Exit.failCause(cause)))
        )
        if (!settled.isTold) return [...party, ...next]
        ready = settled.next
        party = next
      }
      return []
    })
  }
}
