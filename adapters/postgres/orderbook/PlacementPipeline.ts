// Loads, decides and writes batches of placements, and answers each of them. The next batch of one account is loaded and decided while
// the one before it is written.
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

/** How many batches of a busy account follow the first before other work on the account gets its turn. */
const PIPELINE_DEPTH = 3

/** Conflicts of a batch after which its placements run singly. */
const MAX_TRIES = 2

interface DecidedWrite extends DecidedBatch {
  /** The rows to write, as JSON; `null` if there are none. */
  readonly rowsJson: string | null
}

/** Unless written, it is certain that nothing was: after a conflict a retry may succeed, after a rejection it would not. */
type WriteOutcome = "written" | "rejected" | "conflict"

/** Either all were answered, or nothing was written and each has to run singly. `next` is the result of the concurrent work. */
type BatchOutcome<A> = { readonly answered: true; readonly next: A | null } | { readonly answered: false }

export interface PipelineOptions {
  readonly database: Database["Service"]
  /** `count` decision contexts that follow all that was loaded. */
  readonly contexts: (loaded: LoadedBooks, count: number) => Effect.Effect<() => DecisionContext>
  /** Called with all changes that were written. */
  readonly onCommitted: (changes: ReadonlyArray<Change>) => Effect.Effect<void>
}

export const placementPipeline = ({ database, contexts, onCommitted }: PipelineOptions) => {
  const load = (batch: AccountBatch) =>
    Effect.suspend(() => {
      const { sql, params } = queryForPlacements(batch.map(({ reads }) => reads))
      return Effect.map(database.read(sql, params, skipAdmission), ([row]) => loadedBooks(row))
    })

  const decide = (loaded: LoadedBooks, batch: AccountBatch): Effect.Effect<DecidedWrite> =>
    Effect.map(contexts(loaded, batch.length), (nextContext) => {
      const decided = decideBatch(loaded, batch, nextContext)
      const { writeContext } = decided
      return { ...decided, rowsJson: writeContext === null ? null : JSON.stringify(commitOf(writeContext).rows) }
    })

  const loadAndDecide = (batch: AccountBatch) => Effect.flatMap(load(batch), (loaded) => decide(loaded, batch))

  /** Decides on the assumption that the earlier batch will be written; `null` if that has to be done first. */
  const speculate = (accountId: string, batch: AccountBatch, earlier: DecidedWrite) =>
    load(batch).pipe(
      Effect.flatMap((loaded) => {
        const rebased = rebase(loaded, accountId, earlier)
        return rebased === null ? Effect.succeed(null) : decide(rebased, batch)
      }),
      Effect.catchCause(() => Effect.succeed(null))
    )

  const write = ({ rowsJson, changes }: DecidedWrite): Effect.Effect<WriteOutcome, StoreUnavailable> =>
    rowsJson === null
      ? Effect.succeed<WriteOutcome>("written")
      : database.commit(COMMIT, [rowsJson], skipAdmission).pipe(
          Effect.andThen(Effect.suspend(() => onCommitted(changes))),
          Effect.as<WriteOutcome>("written"),
          Effect.catchTag("ConflictError", (error) =>
            Effect.succeed<WriteOutcome>(isLockTimeout(error) ? "rejected" : "conflict")
          ),
          Effect.catchCause((cause) =>
            isRejectedByDatabase(cause) ? Effect.succeed<WriteOutcome>("rejected") : Effect.failCause(cause)
          )
        )

  const answer = (batch: AccountBatch, { results }: DecidedWrite): void => {
    for (const [index, { done }] of batch.entries()) {
      Deferred.doneUnsafe(done, results[index] ?? Exit.die("every placement has its result"))
    }
  }

  /** Answers a written batch, but only after the next one was sent on its way, so that the database has work meanwhile. */
  const writeAndAnswer = (batch: AccountBatch, decided: DecidedWrite) =>
    Effect.map(Effect.exit(write(decided)), (outcome) => {
      if (Exit.isSuccess(outcome) && outcome.value === "written") setImmediate(() => answer(batch, decided))
      return outcome
    })

  /**
   * Retries after a conflict. `speculated` replaces the first load and decision. `meanwhile` runs while the batch is written; its result
   * is only valid, and only returned, if it was.
   */
  const run = Effect.fnUntraced(function* <A>(
    batch: AccountBatch,
    speculated: DecidedWrite | null,
    meanwhile: (decided: DecidedWrite) => Effect.Effect<A>
  ): Effect.fn.Return<BatchOutcome<A>> {
    const failAll = (cause: Cause.Cause<StoreUnavailable>): BatchOutcome<A> => {
      completeAll(batch, Exit.failCause(cause))
      return { answered: true, next: null }
    }
    let ready = speculated
    for (let tries = MAX_TRIES; tries > 0; tries--) {
      const decided = ready === null ? yield* Effect.exit(loadAndDecide(batch)) : Exit.succeed(ready)
      ready = null
      if (Exit.isFailure(decided)) {
        // A row that cannot be decoded affects only the placements that read it, so each runs singly.
        return Cause.hasDies(decided.cause) ? { answered: false } : failAll(decided.cause)
      }
      const { value } = decided
      const concurrently = [writeAndAnswer(batch, value), meanwhile(value)] as const
      const [outcome, next] = yield* Effect.all(concurrently, { concurrency: 2 })
      if (Exit.isFailure(outcome)) return failAll(outcome.cause)
      if (outcome.value === "written") return { answered: true, next }
      if (outcome.value === "rejected") return { answered: false }
    }
    return { answered: false }
  })

  return {
    /** One batch of several accounts. Whether all were answered; if not, each of them has to run singly. */
    runTogether: (batches: ReadonlyArray<AccountBatch>): Effect.Effect<boolean> =>
      Effect.map(
        run(batches.flat(), null, () => Effect.void),
        ({ answered }) => answered
      ),

    /**
     * Runs batches of one account in order. Returns the placements that have to run singly: none, or the batch that could not be
     * written and the one after it.
     */
    runPipelined: Effect.fnUntraced(function* (first: AccountBatch, accountId: string, startNext: () => AccountBatch) {
      let batch = first
      let ready: DecidedWrite | null = null
      for (let left = PIPELINE_DEPTH; batch.length > 0; left--) {
        let next: AccountBatch = []
        const prepareNext = (earlier: DecidedWrite) =>
          Effect.suspend(() => {
            if (left > 0 && next.length === 0) next = startNext()
            return next.length < 2 ? Effect.succeed(null) : speculate(accountId, next, earlier)
          })
        const outcome: BatchOutcome<DecidedWrite | null> = yield* Effect.onError(
          run(batch, ready, prepareNext),
          (cause) => Effect.sync(() => completeAll([...batch, ...next], Exit.failCause(cause)))
        )
        if (!outcome.answered) return [...batch, ...next]
        ready = outcome.next
        batch = next
      }
      return []
    })
  }
}
