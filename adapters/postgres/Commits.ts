// Writes the changes of many decisions together: whoever comes while others are on their way waits for the next statement, which
// takes all who wait. Nobody waits when nobody is on the way. What goes wrong for one of them does not touch the others.
import { Deferred, Effect, Exit, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import type { Database } from "./Database.ts"
import { LostRace } from "./SqlFaults.ts"
import type { Part } from "./Writing.ts"

/** The rows of one decision, and the names of those among them that are written over a version: two cannot write the same. */
export interface Commit {
  readonly rows: Part
  readonly taken: ReadonlyArray<string>
}

type Fault = LostRace | StoreUnavailable

interface Call extends Commit {
  readonly done: Deferred.Deferred<void, Fault>
}

/** Statements on their way at once: enough that the database is never idle while one is being prepared. */
const FLIGHTS = 3

/** Decisions in one statement: beyond this, one more costs what it would cost alone. */
const MOST = 64

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value)

/** The rows of all under the same names; a single value, such as a stem, is anybody's. */
const joined = (parts: ReadonlyArray<Part>): Part => {
  const all: Record<string, unknown> = {}
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      const known = all[name]
      all[name] =
        Array.isArray(value) && Array.isArray(known)
          ? [...known, ...value]
          : isPart(value) && isPart(known)
            ? joined([known, value])
            : value
    }
  }
  return all
}

const lost = Exit.fail(new LostRace({ code: "in process" }))

export type Committing = (commit: Commit) => Effect.Effect<void, Fault>

/** Its statements go on to their end as long as the scope is open. */
export const committing = Effect.fnUntraced(function* (database: Database["Service"]): Effect.fn.Return<
  Committing,
  never,
  Scope.Scope
> {
  const scope = yield* Effect.scope
  const waiting: Array<Call> = []
  let flying = 0

  const write = (calls: ReadonlyArray<Call>): Effect.Effect<void, Fault> =>
    Effect.asVoid(database.write("SELECT commit_changes($1)", [JSON.stringify(joined(calls.map(({ rows }) => rows)))]))

  const end = (exit: Exit.Exit<void, Fault>) => (call: Call) => Deferred.doneUnsafe(call.done, exit)

  /** Those who write what somebody before them writes have lost already. */
  const board = (): ReadonlyArray<Call> => {
    const taken = new Set<string>()
    return waiting.splice(0, MOST).filter((call) => {
      const free = call.taken.every((name) => !taken.has(name))
      if (free) for (const name of call.taken) taken.add(name)
      else end(lost)(call)
      return free
    })
  }

  const settle = Effect.fnUntraced(function* (calls: ReadonlyArray<Call>) {
    const exit = yield* Effect.exit(write(calls))
    const unknown = Exit.isFailure(exit) && Exit.findErrorOption(exit)._tag === "Some"
    return { exit, unknown }
  })

  const fly = Effect.gen(function* () {
    while (waiting.length > 0) {
      const calls = board()
      const { exit } = yield* settle(calls)
      void exit
    }
  }).pipe(Effect.ensuring(Effect.sync(() => void flying--)))

  return ({ rows, taken }) =>
    Effect.suspend(() => {
      const call: Call = { rows, taken, done: Deferred.makeUnsafe() }
      waiting.push(call)
      if (flying >= FLIGHTS) return Deferred.await(call.done)
      flying++
      return Effect.andThen(Effect.forkIn(fly, scope), Deferred.await(call.done))
    })
})
