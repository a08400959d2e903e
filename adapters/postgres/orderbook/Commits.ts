// Writes the changes of many decisions together. What goes wrong for one of them does not touch the others.
import { Deferred, Effect, Exit, Predicate } from "effect"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import {
  type BatchEntry,
  completeAll,
  MAX_BATCH_SIZE,
  MAX_CONCURRENT_BATCHES,
  makeBatcher
} from "../database/Batcher.ts"
import { WORKED_MS } from "../database/CommitStrategy.ts"
import type { Database } from "../database/Database.ts"
import { skipAdmission } from "../database/Semaphore.ts"
import { ConflictError, isRejectedByDatabase } from "../database/SqlErrors.ts"
import type { RowSet } from "./WriteContext.ts"

/** The rows of one decision, and the names of those among them that are written over a version: two cannot write the same. */
export interface Commit {
  readonly rows: RowSet
  readonly conflictKeys: ReadonlyArray<string>
}

/** The statement that takes the rows as JSON. */
export const COMMIT = `SELECT commit_changes($1), ${WORKED_MS}`

type Waiting = BatchEntry<Commit, void, ConflictError>

const SIDE_BY_SIDE = { concurrency: MAX_CONCURRENT_BATCHES, discard: true }

/** The rows of all under the same names; a single value, such as a stem, is anybody's. */
const joined = (parts: ReadonlyArray<RowSet>): RowSet => {
  const all: Record<string, unknown> = {}
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      const known = all[name]
      if (Array.isArray(value)) all[name] = Array.isArray(known) ? known.concat(value) : value
      else all[name] = Predicate.isObject(value) && Predicate.isObject(known) ? joined([known, value]) : value
    }
  }
  return all
}

const lost = Exit.fail(new ConflictError({ code: "in process" }))

/** Those who would write what somebody before them writes have lost already. */
const withoutRivals = (calls: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
  const taken = new Set<string>()
  return calls.filter(({ input: cargo, done }) => {
    const free = cargo.conflictKeys.every((name) => !taken.has(name))
    if (free) for (const name of cargo.conflictKeys) taken.add(name)
    else Deferred.doneUnsafe(done, lost)
    return free
  })
}

export type WriteCommit = (commit: Commit) => Effect.Effect<void, ConflictError | StoreUnavailable>

export const makeCommitBatcher = (database: Database["Service"]) => {
  const write = (calls: ReadonlyArray<Waiting>) =>
    Effect.suspend(() => {
      const rows = joined(calls.map(({ input: cargo }) => cargo.rows))
      return Effect.asVoid(database.write(COMMIT, [JSON.stringify(rows)], skipAdmission))
    })

  /** Where it is certain that nothing was written, each goes once more and by itself. */
  const settle = (calls: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(write(calls)), (exit) => {
      const final = calls.length === 1 || Exit.isSuccess(exit) || !isRejectedByDatabase(exit.cause)
      return final
        ? Effect.sync(() => completeAll(calls, exit))
        : Effect.forEach(calls, (call) => settle([call]), SIDE_BY_SIDE)
    })

  return makeBatcher<Commit, void, ConflictError>({
    maxConcurrent: MAX_CONCURRENT_BATCHES,
    admission: database.admission,
    batchSize: () => MAX_BATCH_SIZE,
    runBatch: (aboard) => settle(withoutRivals(aboard))
  })
}
