// Batches: an idle batcher starts at once, every entry runs once, and entries that are interrupted, time out or are refused leave no trace.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { type AdmissionQueue, makeAdmissionQueue, queueFull } from "#adapters/postgres/database/AdmissionQueue.ts"
import { completeAll, MAX_BATCH_SIZE, makeBatcher } from "#adapters/postgres/database/Batcher.ts"
import { unavailable } from "#adapters/postgres/database/SqlErrors.ts"
import { settled } from "../FakeDatabase.ts"

const admissionQueue = (capacity = 100) => makeAdmissionQueue({ capacity, maxWait: "1 second" })

interface Options {
  readonly maxConcurrent: number
  readonly admission: AdmissionQueue
}

/** A batcher whose batches run until they are released; the result of each entry is twice its input. */
const testBatcher = Effect.fnUntraced(function* ({ maxConcurrent, admission }: Options) {
  const batches: Array<ReadonlyArray<number>> = []
  const released = yield* Latch.make()
  const send = yield* makeBatcher<number, number, never>({
    maxConcurrent,
    admission,
    runBatch: (entries) => {
      batches.push(entries.map(({ input }) => input))
      return Effect.andThen(
        released.await,
        Effect.sync(() => {
          for (const entry of entries) completeAll([entry], Exit.succeed(entry.input * 2))
        })
      )
    }
  })
  const fork = (input: number) => Effect.forkChild(send(input), { startImmediately: true })
  const untilStarted = (count: number) => Effect.repeat(Effect.yieldNow, { until: () => batches.length >= count })
  return { batches, send, fork, untilStarted, release: released.open }
})

describe("a batcher", () => {
  it.effect("runs the first entry at once, and those that come meanwhile in batches of the maximum size", () =>
    Effect.gen(function* () {
      const { batches, fork, release, untilStarted } = yield* testBatcher({
        maxConcurrent: 1,
        admission: yield* admissionQueue()
      })
      const running = yield* fork(1)
      yield* untilStarted(1)
      const others = Array.from({ length: MAX_BATCH_SIZE + 1 }, (_, index) => 2 + index)
      const waiting = yield* Effect.forEach(others, fork)
      yield* release
      expect(yield* Fiber.joinAll([running, ...waiting])).toEqual([2, ...others.map((n) => n * 2)])
      expect(batches).toEqual([[1], others.slice(0, -1), others.slice(-1)])
    })
  )

  it.effect("runs batches concurrently, up to the limit", () =>
    Effect.gen(function* () {
      const { batches, fork, release, untilStarted } = yield* testBatcher({
        maxConcurrent: 2,
        admission: yield* admissionQueue()
      })
      const running = yield* Effect.forEach([1, 2], (n) => Effect.tap(fork(n), untilStarted(n)))
      const waiting = yield* Effect.forEach([3, 4], fork)
      yield* Effect.yieldNow
      const started = [...batches]
      yield* release
      yield* Fiber.joinAll([...running, ...waiting])
      expect(started).toEqual([[1], [2]])
      expect(batches).toEqual([[1], [2], [3, 4]])
    })
  )

  it.effect("leaves the admission queue empty, and starts again after all batches have ended", () =>
    Effect.gen(function* () {
      const admission = yield* admissionQueue()
      const { send, release } = yield* testBatcher({ maxConcurrent: 2, admission })
      yield* release
      expect(yield* send(1)).toBe(2)
      expect(yield* Effect.forEach([2, 3, 4], send, { concurrency: "unbounded" })).toEqual([4, 6, 8])
      expect(admission.size).toBe(0)
    })
  )

  it.effect("refuses an entry at once when the admission queue is full", () =>
    Effect.gen(function* () {
      const admission = yield* admissionQueue(1)
      const { fork, send, release, untilStarted } = yield* testBatcher({ maxConcurrent: 1, admission })
      const running = yield* fork(1)
      yield* untilStarted(1)
      const waiting = yield* fork(2)
      expect(yield* Effect.flip(send(3))).toBe(queueFull)
      yield* release
      expect(yield* Fiber.joinAll([running, waiting])).toEqual([2, 4])
      expect(admission.size).toBe(0)
    })
  )

  it.effect("times out entries that wait too long, but none that is running", () =>
    Effect.gen(function* () {
      const admission = yield* admissionQueue()
      const { batches, fork, release, untilStarted } = yield* testBatcher({ maxConcurrent: 1, admission })
      const running = yield* fork(1)
      yield* untilStarted(1)
      const early = yield* fork(2)
      yield* TestClock.adjust("800 millis")
      const late = yield* fork(3)
      yield* TestClock.adjust("400 millis")
      expect(yield* Effect.flip(Fiber.join(early))).toBe(queueFull)
      expect(admission.size).toBe(1)
      yield* release
      expect(yield* Fiber.joinAll([running, late])).toEqual([2, 6])
      expect(batches).toEqual([[1], [3]])
      expect(admission.size).toBe(0)
    })
  )

  it.effect(
    "drops entries that are interrupted while they wait, and completes batches whose callers are interrupted",
    () =>
      Effect.gen(function* () {
        const admission = yield* admissionQueue()
        const { batches, fork, release, untilStarted } = yield* testBatcher({
          maxConcurrent: 1,
          admission
        })
        const running = yield* fork(1)
        yield* untilStarted(1)
        const waiting = yield* Effect.forEach([2, 3, 4], fork)
        const [, second] = waiting
        if (second === undefined) throw new Error("three are sent")
        yield* Fiber.interrupt(second)
        yield* Fiber.interrupt(running)
        expect(admission.size).toBe(2)
        yield* release
        expect(yield* Fiber.joinAll(waiting.filter((one) => one !== second))).toEqual([4, 8])
        expect(batches).toEqual([[1], [2, 4]])
        expect(admission.size).toBe(0)
      })
  )

  it.effect("fails waiting and later entries on close, and closes once its batches have ended", () =>
    Effect.gen(function* () {
      const admission = yield* admissionQueue()
      const open = yield* Scope.make()
      const { send, fork, release, untilStarted } = yield* Scope.provide(
        testBatcher({ maxConcurrent: 1, admission }),
        open
      )
      const running = yield* fork(1)
      yield* untilStarted(1)
      const waiting = yield* Effect.forEach([2, 3], fork)
      const closing = yield* Effect.forkChild(Scope.close(open, Exit.void), { startImmediately: true })
      for (const one of waiting) expect(yield* Effect.flip(Fiber.join(one))).toBe(unavailable)
      expect(yield* Effect.flip(send(4))).toBe(unavailable)
      expect(closing.pollUnsafe()).toBeUndefined()
      yield* release
      expect(yield* Fiber.join(running)).toBe(2)
      yield* Fiber.join(closing)
      expect(admission.size).toBe(0)
    })
  )

  it.effect("closes only after the last of several batches has ended", () =>
    Effect.gen(function* () {
      const open = yield* Scope.make()
      const [early, late] = [yield* Latch.make(), yield* Latch.make()]
      const send = yield* makeBatcher<Latch.Latch, null, never>({
        maxConcurrent: 2,
        admission: yield* admissionQueue(),
        runBatch: (entries) =>
          Effect.forEach(entries, (entry) =>
            Effect.andThen(
              entry.input.await,
              Effect.sync(() => completeAll([entry], Exit.succeed(null)))
            )
          )
      }).pipe(Scope.provide(open))
      // An idle phase before the close must not count as its end.
      yield* Effect.andThen(send(yield* Latch.make(true)), settled)
      const [first, last] = yield* Effect.forEach([early, late], (latch) =>
        Effect.tap(Effect.forkChild(send(latch), { startImmediately: true }), settled)
      )
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

  it.effect("runs an entry that can start at once even if the admission queue is full", () =>
    Effect.gen(function* () {
      const { fork, send, release, untilStarted } = yield* testBatcher({
        maxConcurrent: 1,
        admission: yield* admissionQueue(0)
      })
      const running = yield* fork(1)
      yield* untilStarted(1)
      expect(yield* Effect.flip(send(2))).toBe(queueFull)
      yield* release
      expect(yield* Fiber.join(running)).toBe(2)
    })
  )

  it.effect("fails the entries of a batch that dies, and runs the next one", () =>
    Effect.gen(function* () {
      const bug = new Error("a bug")
      const send = yield* makeBatcher<number, number, never>({
        maxConcurrent: 1,
        admission: yield* admissionQueue(),
        runBatch: (entries) =>
          entries[0]?.input === 1 ? Effect.die(bug) : Effect.sync(() => completeAll(entries, Exit.succeed(0)))
      })
      const sent = yield* Effect.forEach([1, 2], (n) =>
        Effect.tap(Effect.forkChild(Effect.exit(send(n)), { startImmediately: true }), settled)
      )
      expect(yield* Fiber.joinAll(sent)).toEqual([Exit.die(bug), Exit.succeed(0)])
    })
  )
})
