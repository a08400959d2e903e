// Writes the changes of many decisions together: whoever comes while others are on their way waits for the next statement, which
// takes all who wait. Nobody waits when nobody is on the way. What goes wrong for one of them does not touch the others.
import { Deferred, Effect, Exit, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import type { Database } from "./Database.ts"
import { isRefusedByDatabase, LostRace, unavailable } from "./SqlFaults.ts"
import type { Part } from "./Writing.ts"

/** The rows of one decision, and the names of those among them that are written over a version: two cannot write the same. */
export interface Commit {
  readonly rows: Part
  readonly taken: ReadonlyArray<string>
}

/** The statement that takes the rows as JSON. */
export const COMMIT = "SELECT commit_changes($1)"

type Fault = LostRace | StoreUnavailable

interface Call extends Commit {
  readonly done: Deferred.Deferred<void, Fault>
}

/** Statements on their way at once: enough that the database is never idle while one is being prepared. */
const FLIGHTS = 3

const SIDE_BY_SIDE = { concurrency: FLIGHTS, discard: true }

/** Decisions in one statement: beyond this, one more costs what it would cost alone. */
const MOST = 64

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value)

/** The rows of all under the same names; a single value, such as a stem, is anybody's. */
const joined = (parts: ReadonlyArray<Part>): Part => {
  const all: Record<string, unknown> = {}
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      const known = all[name]
      if (Array.isArray(value)) all[name] = Array.isArray(known) ? known.concat(value) : value
      else all[name] = isPart(value) && isPart(known) ? joined([known, value]) : value
    }
  }
  return all
}

const lost = Exit.fail(new LostRace({ code: "in process" }))

export type Committing = (commit: Commit) => Effect.Effect<void, Fault>

/** Its statements go on to their end as long as the scope is open. */
export const committing = Effect.fnUntraced(function* (
  database: Database["Service"]
): Effect.fn.Return<Committing, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const waiting: Array<Call> = []
  let flying = 0

  const write = (calls: ReadonlyArray<Call>): Effect.Effect<void, Fault> =>
    Effect.suspend(() => Effect.asVoid(database.write(COMMIT, [JSON.stringify(joined(calls.map(({ rows }) => rows)))])))

  const end = (calls: ReadonlyArray<Call>, exit: Exit.Exit<void, Fault>) =>
    Effect.sync(() => {
      for (const { done } of calls) Deferred.doneUnsafe(done, exit)
    })

  /** Takes who waits. Those who would write what somebody before them writes have lost already. */
  const board = (): ReadonlyArray<Call> => {
    const taken = new Set<string>()
    return waiting.splice(0, MOST).filter((call) => {
      const free = call.taken.every((name) => !taken.has(name))
      if (free) for (const name of call.taken) taken.add(name)
      else Deferred.doneUnsafe(call.done, lost)
      return free
    })
  }

  /** Where it is certain that nothing was written, each goes once more and by itself. */
  const settle = (calls: ReadonlyArray<Call>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(write(calls)), (exit) => {
      const final = calls.length === 1 || Exit.isSuccess(exit) || !isRefusedByDatabase(exit.cause)
      return final ? end(calls, exit) : Effect.forEach(calls, (call) => settle([call]), SIDE_BY_SIDE)
    })

  const fly = Effect.gen(function* () {
    while (waiting.length > 0) yield* Effect.uninterruptible(settle(board()))
  }).pipe(
    Effect.onInterrupt(() => end(waiting.splice(0), Exit.fail(unavailable))),
    Effect.ensuring(Effect.sync(() => void flying--))
  )

  return ({ rows, taken }) =>
    Effect.suspend(() => {
      const call: Call = { rows, taken, done: Deferred.makeUnsafe() }
      waiting.push(call)
      if (flying >= FLIGHTS) return Deferred.await(call.done)
      flying++
      return Effect.andThen(Effect.forkIn(fly, scope), Deferred.await(call.done))
    })
})
