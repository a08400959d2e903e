// Gathers the placements that wait: those of one account take their turn together, and those of several accounts go in one flight.
// What becomes of them on the way is `PlacementFlight`'s.
import { Deferred, Effect, Exit, type Scope } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { flights, land, type Passenger } from "./Flights.ts"
import { full } from "./Gate.ts"
import { type Party, type Place, type Placing, placementFlight, tellAll, type Waiting } from "./PlacementFlight.ts"
import type { ForPlacement } from "./PlacementQuery.ts"
import { unavailable } from "./SqlFaults.ts"

/** Placements in one flight: beyond this, one more costs what it would cost alone. */
const MOST = 64

/** Of a busy account's placements one flight may be full: those of others go in the next, and before its own that come after. */
const FLIGHTS = 3

/** As many parties as there is room for, as they came. The first always goes. */
const board = (waiting: Array<Passenger<Party, void, never>>): ReadonlyArray<Passenger<Party, void, never>> => {
  let count = 0
  const tooMany = waiting.findIndex(({ cargo }) => {
    count += cargo.length
    return count > MOST
  })
  return waiting.splice(0, tooMany < 0 ? waiting.length : Math.max(1, tooMany))
}

export const placements = Effect.fnUntraced(function* (placing: Placing): Effect.fn.Return<Place, never, Scope.Scope> {
  const { database } = placing
  const { room } = database
  const flight = placementFlight(placing)
  const scope = yield* Effect.scope
  /** Those who wait for their account's turn. */
  const queues = new Map<string, Array<Waiting>>()

  const travel = yield* flights<Party, void, never>({
    atOnce: FLIGHTS,
    room,
    board,
    carry: (aboard) => {
      const parties = aboard.map(({ cargo }) => cargo)
      const [[one] = [], ...others] = parties
      const only = one === undefined || others.length > 0 ? null : one.reads.accountId
      const gone =
        only === null ? flight.together(parties) : flight.follow(parties.flat(), only, () => leaveQueue(only))
      return Effect.map(gone, () => land(aboard, Exit.void))
    }
  })

  const leaveQueue = (accountId: string): Party => {
    const party = queues.get(accountId)?.splice(0, MOST) ?? []
    room.taken -= party.length
    return party
  }

  /** Nobody is left where a flight before this turn took them along. */
  const goTogether = (party: Party) =>
    party.length === 0
      ? Effect.void
      : Effect.catchCause(travel(party), (cause) => Effect.sync(() => tellAll(party, Exit.failCause(cause))))

  const takeTurn = (accountId: string) =>
    database
      .inTurn(accountId, () => goTogether(leaveQueue(accountId)))
      .pipe(
        // Whoever waits for a turn in vain is told so.
        Effect.catchCause((cause) => Effect.sync(() => tellAll(leaveQueue(accountId), Exit.failCause(cause))))
      )

  /** In one step with looking: whoever comes after it begins a new queue. */
  const goesOn = (accountId: string, queue: ReadonlyArray<Waiting>): boolean =>
    queue.length > 0 || !queues.delete(accountId)

  /** One turn of the account after another, for as long as somebody waits for it: one of these for each account that is waited for. */
  const takeTurns = (accountId: string, queue: ReadonlyArray<Waiting>) =>
    Effect.whileLoop({
      while: () => goesOn(accountId, queue),
      body: () => takeTurn(accountId),
      step: () => {}
    }).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          queues.delete(accountId)
          tellAll(queue, Exit.fail(unavailable))
        })
      )
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
      const first = [one]
      queues.set(accountId, first)
      yield* Effect.forkIn(takeTurns(accountId, first), scope)
    } else queue.push(one)
    return yield* Effect.onInterrupt(Deferred.await(one.done), () => withdraw(one))
  })

  return <A, E extends Refusal>(reads: ForPlacement, decide: Decide<A, E>) =>
    // What it is told is what its own decision came to.
    place({ reads, decide, done: Deferred.makeUnsafe() }) as Effect.Effect<A, E | StoreUnavailable>
})
