// Carries what waits together: whoever comes while others are on their way goes with the next flight, which takes those who wait,
// up to a number. Nobody waits while nobody is on the way. What is carried is not its business.
import { Deferred, Effect, Exit, References, type Scope } from "effect"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { type AdmissionQueue, queueFull, type Waiter } from "./AdmissionQueue.ts"
import { unavailable } from "./SqlErrors.ts"

/** On their way at once: enough that the database is never idle while the next is being prepared. */
export const MAX_CONCURRENT_BATCHES = 4

/** Together in one flight: beyond this, one more costs what it would cost alone. */
export const MAX_BATCH_SIZE = 64

export interface BatchEntry<In, A, E> extends Waiter {
  readonly input: In
  readonly done: Deferred.Deferred<A, E | StoreUnavailable>
}

export interface BatcherOptions<In, A, E> {
  readonly maxConcurrent: number
  /** Where they wait; `null` where those on whose behalf something is sent have seats, and lose their patience, themselves. */
  readonly admission: AdmissionQueue | null
  /** How many of those who wait go next, as they came: of some, at least one. */
  readonly batchSize: (waiting: ReadonlyArray<BatchEntry<In, A, E>>) => number
  /** Tells every one of them what became of it. */
  readonly runBatch: (aboard: ReadonlyArray<BatchEntry<In, A, E>>) => Effect.Effect<void>
}

export const completeAll = <A, E>(
  passengers: ReadonlyArray<{ readonly done: Deferred.Deferred<A, E | StoreUnavailable> }>,
  exit: Exit.Exit<A, E | StoreUnavailable>
): void => {
  for (const { done } of passengers) Deferred.doneUnsafe(done, exit)
}

/**
 * For what goes on for as long as somebody waits: begun by one request, it is soon at work for others, and so what it logs is no
 * line of that request's. Its statements stay in that request's trace until that is over.
 */
export const forkDetached = (work: Effect.Effect<void>): Effect.Effect<unknown> =>
  Effect.forkDetach(Effect.provideService(work, References.CurrentLogAnnotations, {}))

/**
 * Flights go on to their end, whatever becomes of those who wait for them. When the scope ends, whoever still waits is sent away, and
 * the end is when all have landed.
 */
export const makeBatcher = Effect.fnUntraced(function* <In, A, E>({
  maxConcurrent: atOnce,
  admission: room,
  batchSize: board,
  runBatch: carry
}: BatcherOptions<In, A, E>): Effect.fn.Return<
  (cargo: In) => Effect.Effect<A, E | StoreUnavailable>,
  never,
  Scope.Scope
> {
  const waiting: Array<BatchEntry<In, A, E>> = []
  const grounded = yield* Deferred.make<void>()
  let flying = 0
  let isClosed = false

  const call = (count: number): ReadonlyArray<BatchEntry<In, A, E>> => {
    const called = waiting.splice(0, count)
    for (const one of called) room?.remove(one)
    return called
  }

  /** Who goes next. Where nobody does, it is one flight less in the same step: whoever comes then begins a new one. */
  const next = (): ReadonlyArray<BatchEntry<In, A, E>> => {
    if (waiting.length > 0) return call(board(waiting))
    flying--
    if (isClosed && flying === 0) Deferred.doneUnsafe(grounded, Exit.void)
    return []
  }

  const fly: Effect.Effect<void> = Effect.suspend(() => {
    const aboard = next()
    if (aboard.length === 0) return Effect.void
    const carried = Effect.catchCause(carry(aboard), (cause) =>
      Effect.sync(() => completeAll(aboard, Exit.failCause(cause)))
    )
    return Effect.flatMap(carried, () => fly)
  })

  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isClosed = true
      completeAll(call(waiting.length), Exit.fail(unavailable))
      return flying === 0 ? Effect.void : Deferred.await(grounded)
    })
  )

  /** Whether it was still waiting. */
  const strike = (one: BatchEntry<In, A, E>): boolean => {
    const place = waiting.indexOf(one)
    if (place >= 0) waiting.splice(place, 1)
    return place >= 0
  }

  const arrive = (cargo: In): BatchEntry<In, A, E> => {
    const one: BatchEntry<In, A, E> = {
      input: cargo,
      done: Deferred.makeUnsafe(),
      timeOut: () => {
        if (strike(one)) completeAll([one], Exit.fail(queueFull))
      }
    }
    return one
  }

  return (cargo) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        if (isClosed) return Effect.fail(unavailable)
        const one = arrive(cargo)
        // Whoever can go at once needs no seat.
        if (room !== null && !room.admit(one) && flying >= atOnce) return Effect.fail(queueFull)
        waiting.push(one)
        const landed = Effect.onInterrupt(restore(Deferred.await(one.done)), () =>
          Effect.sync(() => {
            strike(one)
            room?.remove(one)
          })
        )
        if (flying >= atOnce) return landed
        flying++
        return Effect.andThen(forkDetached(fly), landed)
      })
    )
})
