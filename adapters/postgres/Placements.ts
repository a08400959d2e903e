// Gathers the placements that wait: those of one account take their turn together, and those of several accounts go in one flight.
// What cannot go together goes alone. What becomes of a flight on the way is `PlacementFlight`'s.
import { Cause, Deferred, Effect, Exit, type Scope } from "effect"
import type { Decide } from "#core/decisions/Draft.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import { StoreUnavailable } from "#core/ports/Faults.ts"
import { FLIGHTS, flights, forkForAll, land, MOST, type Passenger } from "./Flights.ts"
import { forgetOldest } from "./ForgetOldest.ts"
import { forTheSeated } from "./Gate.ts"
import { type Party, type Placing, placementFlight, type Waiting } from "./PlacementFlight.ts"
import type { ForPlacement } from "./PlacementQuery.ts"
import { unavailable } from "./SqlFaults.ts"
import { full } from "./WaitingRoom.ts"

export type Place = <A, E extends Refusal>(
  reads: ForPlacement,
  decide: Decide<A, E>
) => Effect.Effect<A, E | StoreUnavailable>

export interface Gathering extends Placing {
  /** Decides one placement by itself, in its account's turn and again wherever it loses a race. */
  readonly alone: Place
}

/** As many parties as there is room for. The first always goes, however large. */
const board = (waiting: ReadonlyArray<Passenger<Party, Party, never>>): number => {
  let count = 0
  const tooMany = waiting.findIndex(({ cargo }) => {
    count += cargo.length
    return count > MOST
  })
  return tooMany < 0 ? waiting.length : Math.max(1, tooMany)
}

/** So many accounts are remembered as unserved. Where there are more, it is not about them. */
const UNSERVED = 1_000

const isAway = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable

export const placements = Effect.fnUntraced(function* ({
  alone,
  ...placing
}: Gathering): Effect.fn.Return<Place, never, Scope.Scope> {
  const { room, inTurn } = placing.database
  const flight = placementFlight(placing)
  /** Those who wait for their account's turn. Each account that somebody waits for has its turns taken until nobody does. */
  const queues = new Map<string, Array<Waiting>>()
  /** Accounts that could not be served the last time. They go alone until they are: who is held up holds up nobody else. */
  const unserved = new Set<string>()
  const ended = yield* Deferred.make<void>()
  let isClosed = false

  /** Those of them who have not given up. From now on they wait for nothing but their answer. */
  const call = (party: Party): Party => party.filter((one) => room.leave(one))

  /** Answers each party with those of it who have to go alone. Everybody keeps the seat until the flight leaves. */
  const travel = yield* flights<Party, Party, never>({
    atOnce: FLIGHTS,
    room: null,
    board,
    carry: Effect.fnUntraced(function* (aboard) {
      const called = aboard.map((one) => ({ ...one, cargo: call(one.cargo) }))
      const parties = called.map(({ cargo }) => cargo).filter(({ length }) => length > 0)
      const [[first] = [], ...others] = parties
      if (first !== undefined && others.length === 0) {
        const { accountId } = first.reads
        const callNext = () => call(queues.get(accountId)?.splice(0, MOST) ?? [])
        const left = yield* flight.follow(parties.flat(), accountId, callNext)
        for (const one of called) land([one], Exit.succeed(one.cargo.length > 0 ? left : []))
      } else {
        const areTold = parties.length === 0 || (yield* flight.together(parties))
        for (const one of called) land([one], Exit.succeed(areTold ? [] : one.cargo))
      }
    })
  })

  /**
   * One after another. Where the store is away for one of them, or somebody holds the account, so it is for the rest: they are told
   * at once. Whether they could be served.
   */
  const goAlone = Effect.fnUntraced(function* (party: Party) {
    for (const [index, { reads, decide, done }] of party.entries()) {
      const exit = yield* Effect.exit(alone(reads, decide))
      Deferred.doneUnsafe(done, exit)
      if (!isAway(exit)) continue
      land(party.slice(index + 1), exit)
      return false
    }
    return true
  })

  const goTogether = (party: Party) =>
    Effect.flatMap(travel(party), (left) => (left.length === 0 ? Effect.succeed(true) : goAlone(left)))

  /** Whether anybody waits. In one step with looking: whoever comes after it begins a new queue. */
  const goesOn = (accountId: string, queue: ReadonlyArray<Waiting>): boolean => {
    if (queue.length > 0) return true
    queues.delete(accountId)
    if (isClosed && queues.size === 0) Deferred.doneUnsafe(ended, Exit.void)
    return false
  }

  const remember = (accountId: string, isServed: boolean): void => {
    unserved.delete(accountId)
    if (isServed) return
    forgetOldest(unserved, UNSERVED)
    unserved.add(accountId)
  }

  const takeTurn = Effect.fnUntraced(function* (accountId: string, queue: Array<Waiting>) {
    const isUnserved = unserved.has(accountId)
    const all = queue.splice(0, MOST)
    const party = isUnserved ? call(all) : all
    if (party.length === 0) return
    const outcome = yield* Effect.exit(isUnserved ? goAlone(party) : goTogether(party))
    if (Exit.isSuccess(outcome)) return remember(accountId, outcome.value)
    call(party)
    land(party, outcome)
  })

  /** One turn of the account after another. */
  const takeTurns = (accountId: string, queue: Array<Waiting>) =>
    Effect.whileLoop({
      while: () => goesOn(accountId, queue),
      body: () => Effect.ignore(inTurn(accountId, () => takeTurn(accountId, queue), forTheSeated)),
      step: () => {}
    })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      for (const queue of queues.values()) land(call(queue.splice(0)), Exit.fail(unavailable))
      return queues.size === 0 ? Effect.void : Deferred.await(ended)
    })
  )

  const place = (one: Waiting) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const { accountId } = one.reads
        if (isClosed) return Effect.fail(unavailable)
        if (!room.enter(one)) return Effect.fail(full)
        const answer = Effect.onInterrupt(restore(Deferred.await(one.done)), () =>
          Effect.sync(() => void room.leave(one))
        )
        const queue = queues.get(accountId)
        if (queue !== undefined) {
          queue.push(one)
          return answer
        }
        const first = [one]
        queues.set(accountId, first)
        return Effect.andThen(forkForAll(takeTurns(accountId, first)), answer)
      })
    )

  return <A, E extends Refusal>(reads: ForPlacement, decide: Decide<A, E>) =>
    Effect.suspend(() => {
      const done = Deferred.makeUnsafe<unknown, Refusal | StoreUnavailable>()
      const tire = () => void Deferred.doneUnsafe(done, Exit.fail(full))
      // What it is told is what its own decision came to.
      return place({ reads, decide, done, tire }) as Effect.Effect<A, E | StoreUnavailable>
    })
})
