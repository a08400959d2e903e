// The semaphore's order and limits: no permit is lost or granted twice, whether work fails, is interrupted or times out.
import { it } from "@effect/vitest"
import { Effect, Fiber, Latch, References, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { CallingAccount } from "#adapters/concurrency/CallingAccount.ts"
import { makeAdmissionQueue, queueFull } from "#adapters/postgres/database/AdmissionQueue.ts"
import { KeyedMutex } from "#adapters/postgres/database/KeyedMutex.ts"
import { type Admission, continueTurn, Semaphore, skipAdmission } from "#adapters/postgres/database/Semaphore.ts"
import { settled } from "../FakeDatabase.ts"

/** Runs named work that lasts until it is ended, and records its start and whether it had to wait. */
const testSemaphore = Effect.fnUntraced(function* (permits: number | (() => number), capacity = 100) {
  const admission = yield* makeAdmissionQueue({ capacity, maxWait: "1 second" })
  const semaphore = new Semaphore(admission, permits)
  const mutex = new KeyedMutex(admission)
  const started: Array<string> = []
  const latches = new Map<string, Latch.Latch>()
  const workUntil = (name: string, latch: Latch.Latch) => (waited: boolean) => {
    started.push(waited ? `${name} after a wait` : name)
    return Effect.as(latch.await, name)
  }
  const start = Effect.fnUntraced(function* (name: string, { key, as }: { key?: string; as?: Admission } = {}) {
    const latch = yield* Latch.make()
    latches.set(name, latch)
    const work = workUntil(name, latch)
    const result = key === undefined ? semaphore.run(work, as) : mutex.run(key, work)
    return yield* Effect.forkChild(Effect.result(result), { startImmediately: true })
  })
  const releases: Array<() => void> = []
  /** Records the start of named work that lasts until its release, by the order of the starts, is called. */
  const take = (name: string, key: string) =>
    mutex.take(key, (release) => {
      started.push(name)
      releases.push(release)
    })
  const end = (name: string) => latches.get(name)?.open ?? Effect.die(`${name} was not started`)
  const hasFreePermit = () => {
    let isTaken = false
    semaphore.take(() => {
      isTaken = true
      semaphore.release()
    })
    return isTaken
  }
  return { admission, semaphore, hasFreePermit, started, start, take, releases, end }
})

describe("a semaphore", () => {
  it.effect("runs as much work as it has permits, and the rest in order as permits are released", () =>
    Effect.gen(function* () {
      const { admission, semaphore, hasFreePermit, started, start, end } = yield* testSemaphore(2)
      const running = yield* Effect.forEach(["a", "b", "c", "d"], (name) => start(name))
      expect(started).toEqual(["a", "b"])
      expect([semaphore.waiting, admission.size]).toEqual([2, 2])
      for (const name of ["b", "c", "a", "d"]) yield* Effect.andThen(end(name), settled)
      expect(started).toEqual(["a", "b", "c after a wait", "d after a wait"])
      expect(yield* Fiber.joinAll(running)).toEqual(["a", "b", "c", "d"].map(Result.succeed))
      expect([hasFreePermit(), admission.size]).toEqual([true, 0])
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
      expect(started).toEqual(["a", "b", "c after a wait", "d after a wait", "e after a wait"])
    })
  )

  it.effect("refuses work when the admission queue is full, unless it skips admission", () =>
    Effect.gen(function* () {
      const { admission, started, start, end } = yield* testSemaphore(1, 1)
      yield* start("a")
      yield* start("b")
      expect(yield* Fiber.join(yield* start("c"))).toEqual(Result.fail(queueFull))
      yield* start("d", { as: skipAdmission })
      expect(admission.size).toBe(1)
      yield* Effect.andThen(end("a"), settled)
      yield* Effect.andThen(end("b"), settled)
      expect(started).toEqual(["a", "b after a wait", "d after a wait"])
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
      expect(started).toEqual(["a", "c after a wait"])
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
      expect(started).toEqual(["a", "c after a wait", "d after a wait"])
      expect([semaphore.waiting, admission.size]).toEqual([0, 0])
      yield* start("e")
      expect(semaphore.waiting).toBe(1)
    })
  )
})

describe("a keyed mutex", () => {
  it.effect("runs work with one key one at a time in order, and work with another key meanwhile", () =>
    Effect.gen(function* () {
      const { started, start, end } = yield* testSemaphore(1)
      for (const name of ["a", "b"]) yield* start(name, { key: "busy" })
      yield* start("elsewhere", { key: "free" })
      yield* Effect.andThen(end("a"), settled)
      yield* start("c", { key: "busy" })
      expect(started).toEqual(["a", "elsewhere", "b after a wait"])
      yield* Effect.andThen(end("b"), settled)
      yield* Effect.andThen(end("c"), settled)
      yield* start("d", { key: "busy" })
      expect(started.slice(3)).toEqual(["c after a wait", "d"])
    })
  )

  it.effect("gives turns to callers and to effects in one order, and needs no slot for callers", () =>
    Effect.gen(function* () {
      const { admission, started, start, take, releases, end } = yield* testSemaphore(1, 1)
      take("a", "busy")
      expect(started).toEqual(["a"])
      yield* start("b", { key: "busy" })
      take("c", "busy")
      expect([started, admission.size]).toEqual([["a"], 1])
      releases[0]?.()
      yield* settled
      expect(started).toEqual(["a", "b after a wait"])
      yield* Effect.andThen(end("b"), settled)
      expect(started).toEqual(["a", "b after a wait", "c"])
      releases[1]?.()
      take("d", "busy")
      expect([started.at(-1), admission.size]).toEqual(["d", 0])
    })
  )

  it.effect("lets no two run at once, wherever an effect that is about to run yields to others", () =>
    Effect.gen(function* () {
      for (let steps = 0; steps < 30; steps++) {
        const { started, start, take, releases, end } = yield* testSemaphore(1)
        take("a", "busy")
        yield* Effect.provideService(start("b", { key: "busy" }), References.MaxOpsBeforeYield, 3)
        for (let step = 0; step < steps; step++) yield* Effect.yieldNow
        releases[0]?.()
        take("c", "busy")
        yield* settled
        expect(started.length).toBe(2)
        if (started.includes("c")) releases[1]?.()
        else yield* end("b")
        yield* settled
        expect(started.length).toBe(3)
      }
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
      expect(started.map((text) => text.slice(0, 2))).toEqual(["g0", "g1", "b1", "g2", "b2", "g3", "g4"])
      expect([semaphore.waiting, hasFreePermit()]).toEqual([0, true])
    })
  )

  it.effect(
    "lets the rest of what an account began wait neither behind its own waiters nor behind the rests of others",
    () =>
      Effect.gen(function* () {
        const { started, start, end } = yield* testSemaphore(1)
        const startFor = (account: string, name: string, as?: Admission) =>
          Effect.provideService(start(name, as && { as }), CallingAccount, account)
        yield* startFor("greedy", "g0")
        for (const name of ["g1", "g2"]) yield* startFor("greedy", name)
        for (const name of ["r1", "r2", "r3"]) yield* startFor("greedy", name, continueTurn)
        yield* startFor("bystander", "br", continueTurn)
        const order = ["g0", "g1", "r1", "br", "g2", "r2", "r3"]
        for (const name of order) yield* Effect.andThen(end(name), settled)
        expect(started.map((text) => text.slice(0, 2))).toEqual(order)
      })
  )
})
