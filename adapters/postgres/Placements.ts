// Gathers the placements that wait: those of one account take their turn together, and those of several accounts go in one flight,
// which loads, decides and writes them all at once. What goes wrong for one of them does not touch the others.
import { Cause, Deferred, Effect, Exit, type Scope } from "effect"
import type { Change } from "#core/decisions/Change.ts"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Moment } from "#core/domain/Moment.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { type ForPlacement, queryForPlacements } from "./BookQueries.ts"
import { COMMIT } from "./Commits.ts"
import type { Database } from "./Database.ts"
import { flights, land, type Passenger } from "./Flights.ts"
import { full } from "./Gate.ts"
import { type LoadedBooks, loadedBooks } from "./LoadedBooks.ts"
import { type DecidedBatch, decideTogether, type Placement } from "./PlacementBatch.ts"
import { isLockedOut, isRefusedByDatabase } from "./SqlFaults.ts"
import { commitOf } from "./WrittenRows.ts"

interface Waiting extends Placement {
  readonly done: Deferred.Deferred<unknown, Refusal | StoreUnavailable>
}

/** Placements of one account. */
type Party = ReadonlyArray<Waiting>

/** Placements in one flight: beyond this, one more costs what it would cost alone. */
const MOST = 64

/** Of a busy account's placements one flight may be full: those of others go in the next, and before its own that come after. */
const FLIGHTS = 3

/** Flights that may lose a race before each of their passengers goes alone. */
const TRIES = 2

/** As many parties as there is room for, as they came. The first always goes. */
const board = (waiting: Array<Passenger<Party, void, never>>): ReadonlyArray<Passenger<Party, void, never>> => {
  let count = 0
  const tooMany = waiting.findIndex(({ cargo }) => {
    count += cargo.length
    return count > MOST
  })
  return waiting.splice(0, tooMany < 0 ? waiting.length : Math.max(1, tooMany))
}

const tell = (all: Party, exits: ReadonlyArray<Exit.Exit<unknown, Refusal | StoreUnavailable>>): void => {
  for (const [index, { done }] of all.entries()) {
    Deferred.doneUnsafe(done, exits[index] ?? Exit.die("every placement has its answer"))
  }
}

const tellAll = (all: Party, exit: Exit.Exit<never, StoreUnavailable>): void =>
  tell(
    all,
    Array.from(all, () => exit)
  )

/** Where it is not written, certainly nothing was: who lost may be quicker the next time. */
type Written = "written" | "refused" | "lost"

export type Place = <A, E extends Refusal>(
  reads: ForPlacement,
  decide: Decide<A, E>
) => Effect.Effect<A, E | StoreUnavailable>

export interface Placing {
  readonly database: Database["Service"]
  /** So many moments that follow all that was loaded. */
  readonly moments: (loaded: LoadedBooks, count: number) => Effect.Effect<() => Moment>
  /** Decides one placement by itself, in its account's turn and again wherever it loses a race. */
  readonly alone: Place
  /** Hears of all that was written. */
  readonly written: (changes: ReadonlyArray<Change>) => Effect.Effect<void>
}

export const placements = Effect.fnUntraced(function* (placing: Placing): Effect.fn.Return<Place, never, Scope.Scope> {
  const { database, moments, alone, written } = placing
  const { room } = database
  const scope = yield* Effect.scope
  /** Those who wait for their account's turn. */
  const queues = new Map<string, Array<Waiting>>()

  const decideAll = Effect.fnUntraced(function* (all: ReadonlyArray<Waiting>) {
    const { sql, params } = queryForPlacements(all.map(({ reads }) => reads))
    const [row] = yield* database.read(sql, params)
    const loaded = loadedBooks(row)
    return decideTogether(loaded, all, yield* moments(loaded, all.length))
  })

  const write = ({ writing, changes }: DecidedBatch): Effect.Effect<Written, StoreUnavailable> =>
    writing === null
      ? Effect.succeed<Written>("written")
      : database.write(COMMIT, [JSON.stringify(commitOf(writing).rows)]).pipe(
          Effect.andThen(Effect.suspend(() => written(changes))),
          Effect.as<Written>("written"),
          Effect.catchTag("LostRace", (race) => Effect.succeed<Written>(isLockedOut(race) ? "refused" : "lost")),
          Effect.catchCause((cause) =>
            isRefusedByDatabase(cause) ? Effect.succeed<Written>("refused") : Effect.failCause(cause)
          )
        )

  const goAlone = (one: Waiting) =>
    Effect.flatMap(Effect.exit(alone(one.reads, one.decide)), (exit) => Effect.sync(() => tell([one], [exit])))

  const eachAlone = (parties: ReadonlyArray<Party>): Effect.Effect<void> =>
    Effect.forEach(parties, (party) => Effect.forEach(party, goAlone, { discard: true }), {
      concurrency: "unbounded",
      discard: true
    })

  /** Where it is certain that nothing was written, all go once more together, and then each alone. */
  const settle = Effect.fnUntraced(function* (parties: ReadonlyArray<Party>) {
    const all = parties.flat()
    for (let tries = all.length > 1 ? TRIES : 0; tries > 0; tries--) {
      const decided = yield* Effect.exit(decideAll(all))
      if (Exit.isFailure(decided)) {
        // A row that nobody can read is only in the way of those who look at it.
        if (Cause.hasDies(decided.cause)) break
        return tellAll(all, Exit.failCause(decided.cause))
      }
      const outcome = yield* Effect.exit(write(decided.value))
      if (Exit.isFailure(outcome)) return tellAll(all, Exit.failCause(outcome.cause))
      if (outcome.value === "written") return tell(all, decided.value.answers)
      if (outcome.value === "refused") break
    }
    yield* eachAlone(parties)
  })

  const travel = yield* flights<Party, void, never>({
    atOnce: FLIGHTS,
    room,
    board,
    carry: (aboard) => Effect.map(settle(aboard.map(({ cargo }) => cargo)), () => land(aboard, Exit.void))
  })

  const leaveQueue = (accountId: string): Party => {
    const queue = queues.get(accountId) ?? []
    const party = queue.splice(0, MOST)
    if (queue.length === 0) queues.delete(accountId)
    room.taken -= party.length
    return party
  }

  const goTogether = (party: Party) =>
    Effect.catchCause(travel(party), (cause) => Effect.sync(() => tellAll(party, Exit.failCause(cause))))

  /** One turn of the account after another, for as long as somebody waits for it. */
  const takeTurns = (accountId: string): Effect.Effect<void> =>
    database
      .inTurn(accountId, () => goTogether(leaveQueue(accountId)))
      .pipe(
        // Whoever waits for a turn in vain is told so, with all who wait behind it.
        Effect.catchCause((cause) => Effect.sync(() => tellAll(leaveQueue(accountId), Exit.failCause(cause)))),
        Effect.andThen(Effect.suspend(() => (queues.has(accountId) ? takeTurns(accountId) : Effect.void)))
      )

  const withdraw = (one: Waiting) =>
    Effect.sync(() => {
      const queue = queues.get(one.reads.accountId) ?? []
      const place = queue.indexOf(one)
      if (place < 0) return
      queue.splice(place, 1)
      room.taken--
    })

  const place = Effect.fnUntraced(function* (one: Waiting) {
    const { accountId } = one.reads
    const queue = queues.get(accountId)
    if (room.taken >= room.seats) return yield* full
    room.taken++
    if (queue === undefined) {
      queues.set(accountId, [one])
      yield* Effect.forkIn(takeTurns(accountId), scope)
    } else queue.push(one)
    return yield* Effect.onInterrupt(Deferred.await(one.done), () => withdraw(one))
  })

  return <A, E extends Refusal>(reads: ForPlacement, decide: Decide<A, E>) =>
    // What it is told is what its own decision came to.
    place({ reads, decide, done: Deferred.makeUnsafe() }) as Effect.Effect<A, E | StoreUnavailable>
})
