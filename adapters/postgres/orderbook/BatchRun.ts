// Loads, decides and writes one batch of placements, and answers each of them.
import { Cause, Deferred, Effect, Exit } from "effect"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import type { RunSql, RunWrite } from "../database/Connections.ts"
import { isLockTimeout, isRejectedByDatabase } from "../database/SqlErrors.ts"
import { type Batch, completeAll } from "./Batches.ts"
import { writtenRows } from "./CommitRows.ts"
import { COMMIT, type CommitListener } from "./Commits.ts"
import { type LoadedBooks, loadedBooks } from "./LoadedBooks.ts"
import { type DecidedBatch, decidePlacements } from "./PlacementBatch.ts"
import { type ForPlacement, queryForPlacements } from "./PlacementQuery.ts"

/** Conflicts of a batch after which its calls run singly. */
const MAX_TRIES = 2

/** Unless written, it is certain that nothing was: after a conflict a retry may succeed, after a rejection it would not. */
type WriteOutcome = "written" | "rejected" | "conflict"

export interface BatchRunOptions {
  readonly read: RunSql<StoreUnavailable>
  readonly write: RunWrite
  /** `count` decision contexts that follow all that was loaded. */
  readonly contexts: (loaded: LoadedBooks, count: number) => Effect.Effect<() => DecisionContext>
  /** Called with all that was written. */
  readonly onCommitted: CommitListener
}

/** Only after the next batch was sent on its way, so that the database has work meanwhile. */
const answerLater = (batch: Batch<ForPlacement>, { results }: DecidedBatch): void => {
  setImmediate(() => {
    for (const [index, { done }] of batch.entries()) {
      Deferred.doneUnsafe(done, results[index] ?? Exit.die("every call has its result"))
    }
  })
}

/** Runs a batch, and returns whether all of it was answered. If not, nothing was written, and each call has to run singly. */
export const batchRun = ({
  read,
  write: commit,
  contexts,
  onCommitted
}: BatchRunOptions): ((batch: Batch<ForPlacement>) => Effect.Effect<boolean>) => {
  const loadAndDecide = Effect.fnUntraced(function* (batch: Batch<ForPlacement>) {
    const { sql, params } = queryForPlacements(batch.map(({ reads }) => reads))
    const [row] = yield* read(sql, params, "admitted")
    const loaded = loadedBooks(row)
    return decidePlacements(loaded, batch, yield* contexts(loaded, batch.length))
  })

  const write = ({ writeContext }: DecidedBatch): Effect.Effect<WriteOutcome, StoreUnavailable> => {
    if (writeContext === null) return Effect.succeed("written")
    return Effect.suspend(() => commit(COMMIT, [JSON.stringify(writtenRows(writeContext))], "admitted")).pipe(
      Effect.andThen(Effect.suspend(() => onCommitted(writeContext.changed))),
      Effect.as<WriteOutcome>("written"),
      Effect.catchTag("ConflictError", (error) =>
        Effect.succeed<WriteOutcome>(isLockTimeout(error) ? "rejected" : "conflict")
      ),
      Effect.catchCause((cause) =>
        isRejectedByDatabase(cause) ? Effect.succeed<WriteOutcome>("rejected") : Effect.failCause(cause)
      )
    )
  }

  return Effect.fnUntraced(function* (batch) {
    const failAll = (cause: Cause.Cause<StoreUnavailable>): boolean => {
      completeAll(batch, Exit.failCause(cause))
      return true
    }
    for (let tries = MAX_TRIES; tries > 0; tries--) {
      const decided = yield* Effect.exit(loadAndDecide(batch))
      if (Exit.isFailure(decided)) {
        // A row that cannot be decoded affects only the calls that read it, so each runs singly.
        return Cause.hasDies(decided.cause) ? false : failAll(decided.cause)
      }
      const outcome = yield* Effect.exit(write(decided.value))
      if (Exit.isFailure(outcome)) return failAll(outcome.cause)
      if (outcome.value === "written") {
        answerLater(batch, decided.value)
        return true
      }
      if (outcome.value === "rejected") return false
    }
    return false
  })
}
