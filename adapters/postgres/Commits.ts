// Writes the changes of many decisions together. What goes wrong for one of them does not touch the others.
import { Deferred, Effect, Exit, Predicate } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { WORKED_MS } from "./CommitLane.ts"
import type { Database } from "./Database.ts"
import { FLIGHTS, flights, land, MOST, type Passenger } from "./Flights.ts"
import { forTheSeated } from "./Gate.ts"
import { isRefusedByDatabase, LostRace } from "./SqlFaults.ts"
import type { Part } from "./Writing.ts"

/** The rows of one decision, and the names of those among them that are written over a version: two cannot write the same. */
export interface Commit {
  readonly rows: Part
  readonly taken: ReadonlyArray<string>
}

/** The statement that takes the rows as JSON. */
export const COMMIT = `SELECT commit_changes($1), ${WORKED_MS}`

type Waiting = Passenger<Commit, void, LostRace>

const SIDE_BY_SIDE = { concurrency: FLIGHTS, discard: true }

/** The rows of all under the same names; a single value, such as a stem, is anybody's. */
const joined = (parts: ReadonlyArray<Part>): Part => {
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

const lost = Exit.fail(new LostRace({ code: "in process" }))

/** Those who would write what somebody before them writes have lost already. */
const withoutRivals = (calls: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
  const taken = new Set<string>()
  return calls.filter(({ cargo, done }) => {
    const free = cargo.taken.every((name) => !taken.has(name))
    if (free) for (const name of cargo.taken) taken.add(name)
    else Deferred.doneUnsafe(done, lost)
    return free
  })
}

export type Committing = (commit: Commit) => Effect.Effect<void, LostRace | StoreUnavailable>

export const committing = (database: Database["Service"]) => {
  const write = (calls: ReadonlyArray<Waiting>) =>
    Effect.suspend(() => {
      const rows = joined(calls.map(({ cargo }) => cargo.rows))
      return Effect.asVoid(database.write(COMMIT, [JSON.stringify(rows)], forTheSeated))
    })

  /** Where it is certain that nothing was written, each goes once more and by itself. */
  const settle = (calls: ReadonlyArray<Waiting>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(write(calls)), (exit) => {
      const final = calls.length === 1 || Exit.isSuccess(exit) || !isRefusedByDatabase(exit.cause)
      return final
        ? Effect.sync(() => land(calls, exit))
        : Effect.forEach(calls, (call) => settle([call]), SIDE_BY_SIDE)
    })

  return flights<Commit, void, LostRace>({
    atOnce: FLIGHTS,
    room: database.room,
    board: () => MOST,
    carry: (aboard) => settle(withoutRivals(aboard))
  })
}
