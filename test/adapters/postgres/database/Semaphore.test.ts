// The semaphore's order and limits: no permit is lost or granted twice, whether work fails, is interrupted or times out.
import { it } from "@effect/vitest"
import { Effect, Fiber, Latch, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { makeAdmissionQueue } from "#adapters/concurrency/AdmissionQueue.ts"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import { type Admission, Semaphore } from "#adapters/postgres/database/Semaphore.ts"
import { queueFull } from "#adapters/postgres/database/SqlErrors.ts"
import { settled } from "../FakeDatabase.ts"

/** Runs named work that lasts until it is ended, and records its start. */
const testSemaphore = Effect.fnUntraced(function* (permits: number | (() => number), capacity = 100) {
  const admission = yield* makeAdmissionQueue({ capacity, maxWait: "1 second" })
  const semaphore = new Semaphore(admission, permits)
  const started: Array<string> = []
  const latches = new Map<string, Latch.Latch>()
  const start = Effect.fnUntraced(function* (name: string, as?: Admission) {
    const latch = yield* Latch.make()
    latches.set(name, latch)
    const work = Effect.suspend(() => {
      started.push(name)
      return Effect.as(latch.await, name)
    })
    return yield* Effect.forkChild(Effect.result(semaphore.run(work, as)), { startImmediately: true })
  })
  const end = (name: string) => latches.get(name)?.open ?? Effect.die(`${name} was not started`)
  const hasFreePermit = Effect.map(
    Effect.forkChild(semaphore.run(Effect.void), { startImmediately: true }),
    (fiber) => fiber.pollUnsafe() !== undefined
  )
  return { admission, semaphore, hasFreePermit, started, start, end }
})

describe("a semaphore", () => {
  it.effect("runs as much work as it has permits, and the rest in order as permits are released", () =>
    Effect.gen(function* () {
      const { admission, semaphore, hasFreePermit, started, start, end } = yield* testSemaphore(2)
      const running = yield* Effect.forEach(["a", "b", "c", "d"], (name) => start(name))
      expect(started).toEqual(["a", "b"])
      expect([semaphore.waiting, admission.size]).toEqual([2, 2])
      for (const name of ["b", "c", "a", "d"]) yield* Effect.andThen(end(name), settled)
      expect(started).toEqual(["a", "b", "c", "d"])
      expect(yield* Fiber.joinAll(running)).toEqual(["a", "b", "c", "d"].map(Result.succeed))
      expect([yield* hasFreePermit, admission.size]).toEqual([true, 0])
    })
  )

  it.effect("follows a number of permits that changes, and lets no caller pass those that wait", () =>
    Effect.gen(function* () {
      let permits = 2
      const { started, start, end } = yield* testSemaphore(() => permits)
      for (const name of ["a", "b"]) yield* start(name)
      permits = 1
      for (const name of ["c", "d", "e"]) yield* start(name)
      yield* Effect.andThen(end("a"), settled)
      expect(started).toEqual(["a", "b"])
      permits = 3
      yield* start("f")
      expect(started).toEqual(["a", "b"])
      yield* Effect.andThen(end("b"), settled)
      expect(started).toEqual(["a", "b", "c", "d", "e"])
    })
  )

  it.effect("refuses work when the admission queue is full, unless its calls were admitted before", () =>
    Effect.gen(function* () {
      const { admission, started, start, end } = yield* testSemaphore(1, 1)
      yield* start("a")
      yield* start("b")
      expect(yield* Fiber.join(yield* start("c"))).toEqual(Result.fail(queueFull))
      yield* start("d", "admitted")
      expect(admission.size).toBe(1)
      yield* Effect.andThen(end("a"), settled)
      yield* Effect.andThen(end("b"), settled)
      expect(started).toEqual(["a", "b", "d"])
    })
  )

  it.effect("times out work that waits too long, and never runs it", () =>
    Effect.gen(function* () {
      const { semaphore, started, start, end } = yield* testSemaphore(1)
      yield* start("a")
      const timedOut = yield* start("b")
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(timedOut)).toEqual(Result.fail(queueFull))
      expect(semaphore.waiting).toBe(0)
      yield* start("c")
      yield* Effect.andThen(end("a"), settled)
      expect(started).toEqual(["a", "c"])
    })
  )

  it.effect("hands on the permit of interrupted work, running or waiting", () =>
    Effect.gen(function* () {
      const { semaphore, admission, started, start } = yield* testSemaphore(1)
      const holder = yield* start("a")
      const waiter = yield* start("b")
      const next = yield* start("c")
      yield* start("d")
      for (const one of [waiter, holder, next]) yield* Effect.andThen(Fiber.interrupt(one), settled)
      expect(started).toEqual(["a", "c", "d"])
      expect([semaphore.waiting, admission.size]).toEqual([0, 0])
      yield* start("e")
      expect(semaphore.waiting).toBe(1)
    })
  )
})

describe("a semaphore of several accounts", () => {
  it.effect("serves them in turn, so that one with many waiters delays another by one", () =>
    Effect.gen(function* () {
      const { semaphore, hasFreePermit, started, start, end } = yield* testSemaphore(1)
      const startFor = (account: string, name: string) => Effect.provideService(start(name), CallingAccount, account)
      yield* startFor("greedy", "g0")
      for (const name of ["g1", "g2", "g3", "g4"]) yield* startFor("greedy", name)
      for (const name of ["b1", "b2"]) yield* startFor("bystander", name)
      expect(semaphore.waiting).toBe(6)
      for (const name of ["g0", "g1", "b1", "g2", "b2", "g3", "g4"]) yield* Effect.andThen(end(name), settled)
      expect(started).toEqual(["g0", "g1", "b1", "g2", "b2", "g3", "g4"])
      expect([semaphore.waiting, yield* hasFreePermit]).toEqual([0, true])
    })
  )
})
