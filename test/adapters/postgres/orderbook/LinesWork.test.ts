// Work that runs alone in the line of an account: one at a time, in the order of the account's calls and work, and none is lost.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, References, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { makeAdmissionQueue } from "#adapters/concurrency/AdmissionQueue.ts"
import { queueFull } from "#adapters/postgres/database/SqlErrors.ts"
import { completeAll } from "#adapters/postgres/orderbook/Batches.ts"
import { makeLines } from "#adapters/postgres/orderbook/Lines.ts"
import { unchanged } from "#core/decisions/Draft.ts"
import { settled } from "../FakeDatabase.ts"
import { emptyShop, outcomes, testLines } from "./TestLines.ts"

/** Runs named work that lasts until it is ended, and records its start and whether it had to wait. */
const testWork = Effect.fnUntraced(function* (capacity = 100) {
  const { lines, admission, decided, send } = yield* testLines(Effect.succeed, { capacity, load: emptyShop })
  const started: Array<string> = []
  const latches = new Map<string, Latch.Latch>()
  const start = Effect.fnUntraced(function* (name: string, key: string) {
    const latch = yield* Latch.make()
    latches.set(name, latch)
    const work = lines.run(key, (waited) => {
      started.push(waited ? `${name} after a wait` : name)
      return Effect.as(latch.await, name)
    })
    return yield* Effect.forkChild(Effect.result(work), { startImmediately: true })
  })
  const end = (name: string) => Effect.andThen(latches.get(name)?.open ?? Effect.die(`${name} is unknown`), settled)
  return { admission, started, decided, start, send, end }
})

describe("work of a line", () => {
  it.effect("runs one at a time in order, and that of another line meanwhile", () =>
    Effect.gen(function* () {
      const { started, start, end } = yield* testWork()
      for (const name of ["a", "b"]) yield* start(name, "busy")
      yield* start("elsewhere", "free")
      yield* end("a")
      yield* start("c", "busy")
      expect(started).toEqual(["a", "elsewhere", "b after a wait"])
      yield* end("b")
      yield* end("c")
      yield* start("d", "busy")
      expect(started.slice(3)).toEqual(["c after a wait", "d"])
    })
  )

  it.effect("runs in one order with the line's calls, and needs a place only while it waits", () =>
    Effect.gen(function* () {
      const { admission, started, decided, start, send, end } = yield* testWork()
      yield* start("a", "busy")
      const calls = [yield* send("first", "busy")]
      yield* start("b", "busy")
      for (const name of ["second", "third"]) calls.push(yield* send(name, "busy"))
      expect([started, decided, admission.size]).toEqual([["a"], [], 4])
      yield* end("a")
      expect([started, decided, admission.size]).toEqual([["a", "b after a wait"], ["first"], 2])
      yield* end("b")
      expect(yield* outcomes(calls)).toEqual(["first", "second", "third"])
      expect([decided, admission.size]).toEqual([["first", "second", "third"], 0])
    })
  )

  it.effect("is refused when the queue is full or it has waited too long, and never runs then", () =>
    Effect.gen(function* () {
      const { started, start, end } = yield* testWork(1)
      yield* start("a", "busy")
      const late = yield* start("b", "busy")
      expect(yield* Fiber.join(yield* start("c", "busy"))).toEqual(Result.fail(queueFull))
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(late)).toEqual(Result.fail(queueFull))
      yield* start("d", "busy")
      yield* end("a")
      expect(started).toEqual(["a", "d after a wait"])
    })
  )

  it.effect("hands on its turn when it is interrupted, running or waiting", () =>
    Effect.gen(function* () {
      const { admission, started, start } = yield* testWork()
      const holder = yield* start("a", "busy")
      const waiter = yield* start("b", "busy")
      const next = yield* start("c", "busy")
      yield* start("d", "busy")
      for (const one of [waiter, holder, next]) yield* Effect.andThen(Fiber.interrupt(one), settled)
      expect(started).toEqual(["a", "c after a wait", "d after a wait"])
      expect(admission.size).toBe(0)
    })
  )

  it.effect("never runs beside other work, wherever it yields before it begins", () =>
    Effect.gen(function* () {
      for (let steps = 0; steps < 30; steps++) {
        const { started, start, end } = yield* testWork()
        yield* start("a", "busy")
        const waiting = yield* Effect.provideService(start("b", "busy"), References.MaxOpsBeforeYield, 3)
        for (let step = 0; step < steps; step++) yield* Effect.yieldNow
        const ending = yield* Effect.forkChild(end("a"), { startImmediately: true })
        yield* start("c", "busy")
        yield* Fiber.join(ending)
        yield* settled
        expect(started.length).toBe(2)
        yield* end(started.includes("c after a wait") ? "c" : "b")
        expect(started.length).toBe(3)
        for (const name of ["b", "c"]) yield* end(name)
        yield* Fiber.join(waiting)
      }
    })
  )

  it.effect("is not kept from its turn by a batch that dies", () =>
    Effect.gen(function* () {
      const bug = new Error("a bug")
      let batches = 0
      const lines = yield* makeLines<string>({
        admission: yield* makeAdmissionQueue({ capacity: 10, maxWait: "1 second" }),
        keyOf: (key) => key,
        batchSize: 1,
        runBatch: (batch) =>
          batches++ === 0
            ? Effect.die(bug)
            : Effect.sync(() => {
                completeAll(batch, Exit.succeed("done"))
                return true
              }),
        runSingly: () => Effect.die("no call runs singly")
      })
      const call = Effect.exit(lines.call("a", () => Result.succeed(unchanged("done"))))
      expect(yield* call).toMatchObject({ _tag: "Failure" })
      expect(yield* lines.run("a", () => Effect.succeed("worked"))).toBe("worked")
      expect(yield* call).toMatchObject({ _tag: "Success" })
    })
  )
})
