// What waits goes together: nobody waits while nobody is on the way, everybody goes once, and whoever gives up, waits too long or
// finds no seat is told so and leaves the room as it was.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { type AdmissionQueue, makeAdmissionQueue, queueFull } from "#adapters/postgres/database/AdmissionQueue.ts"
import { completeAll, makeBatcher } from "#adapters/postgres/database/Batcher.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { settled } from "../FakeDatabase.ts"

const room = (seats = 100) => makeAdmissionQueue({ capacity: seats, maxWait: "1 second" })

interface Plan {
  readonly atOnce: number
  readonly most: number
  readonly room: AdmissionQueue
}

/** An airfield whose flights stay in the air until they are let down; a passenger gets twice his number. */
const airfield = Effect.fnUntraced(function* ({ atOnce, most, room }: Plan) {
  const flown: Array<ReadonlyArray<number>> = []
  const ground = yield* Latch.make()
  const send = yield* makeBatcher<number, number, never>({
    maxConcurrent: atOnce,
    admission: room,
    batchSize: () => most,
    runBatch: (aboard) => {
      flown.push(aboard.map(({ input: cargo }) => cargo))
      return Effect.andThen(
        ground.await,
        Effect.sync(() => {
          for (const one of aboard) completeAll([one], Exit.succeed(one.input * 2))
        })
      )
    }
  })
  /** Sent, and at the airfield. */
  const check = (cargo: number) => Effect.forkChild(send(cargo), { startImmediately: true })
  /** Until so many flights have taken off. */
  const tookOff = (count: number) => Effect.repeat(Effect.yieldNow, { until: () => flown.length >= count })
  return { flown, send, check, tookOff, letDown: ground.open }
})

describe("flights", () => {
  it.effect("take the first at once, and those who come meanwhile together", () =>
    Effect.gen(function* () {
      const { flown, check, letDown, tookOff } = yield* airfield({ atOnce: 1, most: 3, room: yield* room() })
      const flying = yield* check(1)
      yield* tookOff(1)
      const waiting = yield* Effect.forEach([2, 3, 4, 5], check)
      yield* letDown
      expect(yield* Fiber.joinAll([flying, ...waiting])).toEqual([2, 4, 6, 8, 10])
      expect(flown).toEqual([[1], [2, 3, 4], [5]])
    })
  )

  it.effect("go side by side, but no more of them than may", () =>
    Effect.gen(function* () {
      const { flown, check, letDown, tookOff } = yield* airfield({ atOnce: 2, most: 9, room: yield* room() })
      const flying = yield* Effect.forEach([1, 2], (n) => Effect.tap(check(n), tookOff(n)))
      const waiting = yield* Effect.forEach([3, 4], check)
      yield* Effect.yieldNow
      const inTheAir = [...flown]
      yield* letDown
      yield* Fiber.joinAll([...flying, ...waiting])
      expect(inTheAir).toEqual([[1], [2]])
      expect(flown).toEqual([[1], [2], [3, 4]])
    })
  )

  it.effect("leave nobody in the room, and start anew after all have landed", () =>
    Effect.gen(function* () {
      const lounge = yield* room()
      const { send, letDown } = yield* airfield({ atOnce: 2, most: 2, room: lounge })
      yield* letDown
      expect(yield* send(1)).toBe(2)
      expect(yield* Effect.forEach([2, 3, 4], send, { concurrency: "unbounded" })).toEqual([4, 6, 8])
      expect(lounge.size).toBe(0)
    })
  )

  it.effect("send away at once whoever finds no seat", () =>
    Effect.gen(function* () {
      const lounge = yield* room(1)
      const { check, send, letDown, tookOff } = yield* airfield({ atOnce: 1, most: 9, room: lounge })
      const flying = yield* check(1)
      yield* tookOff(1)
      const waiting = yield* check(2)
      expect(yield* Effect.flip(send(3))).toBe(queueFull)
      yield* letDown
      expect(yield* Fiber.joinAll([flying, waiting])).toEqual([2, 4])
      expect(lounge.size).toBe(0)
    })
  )

  it.effect("send away whoever has waited too long, and nobody who is on the way", () =>
    Effect.gen(function* () {
      const lounge = yield* room()
      const { flown, check, letDown, tookOff } = yield* airfield({ atOnce: 1, most: 9, room: lounge })
      const flying = yield* check(1)
      yield* tookOff(1)
      const early = yield* check(2)
      yield* TestClock.adjust("800 millis")
      const late = yield* check(3)
      yield* TestClock.adjust("400 millis")
      expect(yield* Effect.flip(Fiber.join(early))).toBe(queueFull)
      expect(lounge.size).toBe(1)
      yield* letDown
      expect(yield* Fiber.joinAll([flying, late])).toEqual([2, 6])
      expect(flown).toEqual([[1], [3]])
      expect(lounge.size).toBe(0)
    })
  )

  it.effect("go without whoever gives up before it is called, and to their end with whoever gives up in the air", () =>
    Effect.gen(function* () {
      const lounge = yield* room()
      const { flown, check, letDown, tookOff } = yield* airfield({ atOnce: 1, most: 9, room: lounge })
      const flying = yield* check(1)
      yield* tookOff(1)
      const waiting = yield* Effect.forEach([2, 3, 4], check)
      const [, second] = waiting
      if (second === undefined) throw new Error("three are sent")
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(flying)
      expect(lounge.size).toBe(2)
      yield* letDown
      expect(yield* Fiber.joinAll(waiting.filter((one) => one !== second))).toEqual([4, 8])
      expect(flown).toEqual([[1], [2, 4]])
      expect(lounge.size).toBe(0)
    })
  )

  it.effect("are closed when all have landed: whoever waits is told, and whoever comes later", () =>
    Effect.gen(function* () {
      const lounge = yield* room()
      const open = yield* Scope.make()
      const { send, check, letDown, tookOff } = yield* Scope.provide(
        airfield({ atOnce: 1, most: 9, room: lounge }),
        open
      )
      const flying = yield* check(1)
      yield* tookOff(1)
      const waiting = yield* Effect.forEach([2, 3], check)
      const closing = yield* Effect.forkChild(Scope.close(open, Exit.void), { startImmediately: true })
      for (const one of waiting) expect(yield* Effect.flip(Fiber.join(one))).toBe(unavailable)
      expect(yield* Effect.flip(send(4))).toBe(unavailable)
      expect(closing.pollUnsafe()).toBeUndefined()
      yield* letDown
      expect(yield* Fiber.join(flying)).toBe(2)
      yield* Fiber.join(closing)
      expect(lounge.size).toBe(0)
    })
  )

  it.effect("are not closed before the last has landed", () =>
    Effect.gen(function* () {
      const open = yield* Scope.make()
      const [early, late] = [yield* Latch.make(), yield* Latch.make()]
      const send = yield* makeBatcher<Latch.Latch, null, never>({
        maxConcurrent: 2,
        admission: yield* room(),
        batchSize: () => 1,
        runBatch: (aboard) =>
          Effect.forEach(aboard, (one) =>
            Effect.andThen(
              one.input.await,
              Effect.sync(() => completeAll([one], Exit.succeed(null)))
            )
          )
      }).pipe(Scope.provide(open))
      // Nobody is on the way for a while: that is not the end yet.
      yield* Effect.andThen(send(yield* Latch.make(true)), settled)
      const [first, last] = yield* Effect.forEach([early, late], (cargo) =>
        Effect.forkChild(send(cargo), { startImmediately: true })
      )
      yield* settled
      const closing = yield* Effect.forkChild(Scope.close(open, Exit.void), { startImmediately: true })
      yield* early.open
      if (first !== undefined) yield* Fiber.join(first)
      yield* settled
      expect(closing.pollUnsafe()).toBeUndefined()
      yield* late.open
      if (last !== undefined) yield* Fiber.join(last)
      yield* Fiber.join(closing)
    })
  )

  it.effect("take whoever can go at once, though all seats are taken", () =>
    Effect.gen(function* () {
      const { check, send, letDown, tookOff } = yield* airfield({ atOnce: 1, most: 9, room: yield* room(0) })
      const flying = yield* check(1)
      yield* tookOff(1)
      expect(yield* Effect.flip(send(2))).toBe(queueFull)
      yield* letDown
      expect(yield* Fiber.join(flying)).toBe(2)
    })
  )

  it.effect("tell those aboard when their flight has a bug, and go on with the next", () =>
    Effect.gen(function* () {
      const bug = new Error("a bug")
      const send = yield* makeBatcher<number, number, never>({
        maxConcurrent: 1,
        admission: yield* room(),
        batchSize: () => 1,
        runBatch: (aboard) =>
          aboard[0]?.input === 1 ? Effect.die(bug) : Effect.sync(() => completeAll(aboard, Exit.succeed(0)))
      })
      const sent = yield* Effect.forEach([1, 2], (n) =>
        Effect.forkChild(Effect.exit(send(n)), { startImmediately: true })
      )
      expect(yield* Fiber.joinAll(sent)).toEqual([Exit.die(bug), Exit.succeed(0)])
    })
  )
})
