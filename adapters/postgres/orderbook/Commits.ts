// Commits the changes of concurrent decisions in one statement. A commit that the database rejects does not affect the others.
import { Deferred, Effect, Exit, Predicate } from "effect"
import type { Difference } from "#core/decisions/Difference.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type BatchEntry, completeAll, MAX_CONCURRENT_BATCHES, makeBatcher } from "../database/Batcher.ts"
import type { Database } from "../database/Database.ts"
import { skipAdmission } from "../database/Semaphore.ts"
import { ConflictError, isRejectedByDatabase } from "../database/SqlErrors.ts"

/** Rows, or further row sets, under the names that the SQL function `write_changes` gives them. */
export type RowSet = Readonly<Record<string, unknown>>

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** A name that is missing costs the database nothing. */
export const omitEmpty = (rows: RowSet): RowSet =>
  Object.fromEntries(Object.entries(rows).filter(([, value]) => !isEmpty(value)))

/** Adds the version, which the database sets in rows that the service does not write itself. */
export const withVersion = (rows: RowSet, version: string): RowSet =>
  isEmpty(rows) ? rows : { ...rows, stem: version }

/** The rows of one decision. */
export interface Commit {
  readonly rows: RowSet
  /** Names of the rows that replace a version: of two commits with the same key, only one can be written. */
  readonly conflictKeys: ReadonlyArray<string>
}

/** Called with the difference that every commit of this instance makes, once it is written. */
export type CommitListener = (changed: Difference) => Effect.Effect<void>

/** The statement that takes the rows as JSON. */
export const COMMIT = "SELECT write_changes($1)"

type QueuedCommit = BatchEntry<Commit, void, ConflictError>

const IN_PARALLEL = { concurrency: MAX_CONCURRENT_BATCHES, discard: true }

/** Concatenates the rows under each name. Keeps one of several single values, such as versions: any one will do. */
const mergeRowSets = (rowSets: ReadonlyArray<RowSet>): RowSet => {
  const all: Record<string, unknown> = {}
  for (const rowSet of rowSets) {
    for (const [name, value] of Object.entries(rowSet)) {
      const known = all[name]
      if (Array.isArray(value)) all[name] = Array.isArray(known) ? known.concat(value) : value
      else all[name] = Predicate.isObject(value) && Predicate.isObject(known) ? mergeRowSets([known, value]) : value
    }
  }
  return all
}

const conflict = Exit.fail(new ConflictError({ code: "in process" }))

/** Fails the commits that have a key in common with an earlier one. */
const withoutConflicts = (commits: ReadonlyArray<QueuedCommit>): ReadonlyArray<QueuedCommit> => {
  const taken = new Set<string>()
  return commits.filter(({ input, done }) => {
    const free = input.conflictKeys.every((key) => !taken.has(key))
    if (free) for (const key of input.conflictKeys) taken.add(key)
    else Deferred.doneUnsafe(done, conflict)
    return free
  })
}

export type WriteCommit = (commit: Commit) => Effect.Effect<void, ConflictError | StoreUnavailable>

export const makeCommitBatcher = (database: Database["Service"]) => {
  const write = (commits: ReadonlyArray<QueuedCommit>) =>
    Effect.suspend(() => {
      const rows = mergeRowSets(commits.map(({ input }) => input.rows))
      return Effect.asVoid(database.write(COMMIT, [JSON.stringify(rows)], skipAdmission))
    })

  /** Writes each commit singly if the database rejects them together. */
  const writeAll = (commits: ReadonlyArray<QueuedCommit>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(write(commits)), (exit) => {
      const isFinal = commits.length === 1 || Exit.isSuccess(exit) || !isRejectedByDatabase(exit.cause)
      return isFinal
        ? Effect.sync(() => completeAll(commits, exit))
        : Effect.forEach(commits, (commit) => writeAll([commit]), IN_PARALLEL)
    })

  return makeBatcher<Commit, void, ConflictError>({
    maxConcurrent: MAX_CONCURRENT_BATCHES,
    admission: database.admission,
    runBatch: (commits) => writeAll(withoutConflicts(commits))
  })
}
