// Carries what waits together: whoever comes while others are on their way goes with the next flight, which takes those who wait,
// up to a number. Nobody waits while nobody is on the way, and nobody waits for ever. What is carried is not its business.
import { Clock, Deferred, Duration, Effect, Exit, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import { full, type WaitingRoom } from "./Gate.ts"
import { unavailable } from "./SqlFaults.ts"

export interface Passenger<In, A, E> {
  readonly cargo: In
  readonly sinceMs: number
  readonly done: Deferred.Deferred<A, E | StoreUnavailable>
}

export interface FlightPlan<In, A, E> {
  /** On their way at once: enough that the database is never idle while the next is being prepared. */
  readonly atOnce: number
  readonly room: WaitingRoom
  /** Takes who goes next out of those who wait, who are some. */
  readonly board: (waiting: Array<Passenger<In, A, E>>) => ReadonlyArray<Passenger<In, A, E>>
  /** Tells every one of them what became of it. */
  readonly carry: (aboard: ReadonlyArray<Passenger<In, A, E>>) => Effect.Effect<void>
}

export const land = <In, A, E>(
  passengers: ReadonlyArray<Passenger<In, A, E>>,
  exit: Exit.Exit<A, E | StoreUnavailable>
): void => {
  for (const { done } of passengers) Deferred.doneUnsafe(done, exit)
}

/** How often within one's patience somebody looks whether it has run out. */
const LOOKS = 5

/** Flights go on to their end as long as the scope is open, whatever becomes of those who wait for them. */
export const flights = Effect.fnUntraced(function* <In, A, E>({
  atOnce,
  room,
  board,
  carry
}: FlightPlan<In, A, E>): Effect.fn.Return<(cargo: In) => Effect.Effect<A, E | StoreUnavailable>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const clock = yield* Clock.Clock
  const patienceMs = Duration.toMillis(Duration.fromInputUnsafe(room.patience))
  let waiting: Array<Passenger<In, A, E>> = []
  let flying = 0
  let isWatched = false

  const leave = (count: number): void => {
    room.taken -= count
  }

  const take = () => {
    const before = waiting.length
    const aboard = board(waiting)
    leave(before - waiting.length)
    return aboard
  }

  const sendAllAway = Effect.sync(() => {
    leave(waiting.length)
    land(waiting, Exit.fail(unavailable))
    waiting = []
  })

  const fly = Effect.gen(function* () {
    while (waiting.length > 0) yield* Effect.uninterruptible(carry(take()))
  }).pipe(
    Effect.onInterrupt(() => sendAllAway),
    Effect.ensuring(Effect.sync(() => void flying--))
  )

  const lookRound = Effect.sync(() => {
    const latestMs = clock.currentTimeMillisUnsafe() - patienceMs
    const tired = waiting.filter(({ sinceMs }) => sinceMs <= latestMs)
    if (tired.length === 0) return
    waiting = waiting.filter(({ sinceMs }) => sinceMs > latestMs)
    leave(tired.length)
    land(tired, Exit.fail(full))
  })

  const watch = Effect.gen(function* () {
    while (waiting.length > 0) {
      yield* Effect.sleep(patienceMs / LOOKS)
      yield* lookRound
    }
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        isWatched = false
      })
    )
  )

  const withdraw = (passenger: Passenger<In, A, E>) =>
    Effect.sync(() => {
      const place = waiting.indexOf(passenger)
      if (place < 0) return
      waiting.splice(place, 1)
      leave(1)
    })

  return (cargo) =>
    Effect.suspend(() => {
      if (flying >= atOnce && room.taken >= room.seats) return Effect.fail(full)
      const passenger: Passenger<In, A, E> = {
        cargo,
        sinceMs: clock.currentTimeMillisUnsafe(),
        done: Deferred.makeUnsafe()
      }
      waiting.push(passenger)
      room.taken++
      const landed = Effect.onInterrupt(Deferred.await(passenger.done), () => withdraw(passenger))
      if (flying < atOnce) {
        flying++
        return Effect.andThen(Effect.forkIn(fly, scope), landed)
      }
      if (isWatched) return landed
      isWatched = true
      return Effect.andThen(Effect.forkIn(watch, scope), landed)
    })
})
