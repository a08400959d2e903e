// Work that callers share while it runs: what they share, and when it ends early.
import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch } from "effect"
import { describe, expect } from "vitest"
import { SharedRuns } from "#adapters/postgres/database/SharedRuns.ts"
import { settled } from "../FakeDatabase.ts"

/** Runs that end once the latch is open, with their number as the result. */
const runsThatKeep = Effect.fnUntraced(function* (results: number) {
  const latch = yield* Latch.make()
  const shared = new SharedRuns<number, string>(results)
  const seen = { begun: 0, interrupted: 0 }
  const work = () => {
    const number = ++seen.begun
    return Effect.as(latch.await, number).pipe(Effect.onInterrupt(() => Effect.sync(() => void seen.interrupted++)))
  }
  const call = (key: string) => Effect.forkChild(shared.get(key, work), { startImmediately: true })
  return { latch, shared, seen, call }
})

const runs = runsThatKeep(0)

describe("shared runs", () => {
  it.effect("have one result for all callers with the same key, until they end", () =>
    Effect.gen(function* () {
      const { latch, call } = yield* runs
      const callers = yield* Effect.all([call("a"), call("b"), call("a")])
      yield* latch.open
      expect(yield* Effect.forEach(callers, Fiber.join)).toEqual([1, 2, 1])
      expect(yield* Effect.flatMap(call("a"), Fiber.join)).toBe(3)
    })
  )

  it.effect("go on while one caller waits, and are interrupted with the last", () =>
    Effect.gen(function* () {
      const { latch, seen, call } = yield* runs
      const [first, second] = yield* Effect.all([call("a"), call("a")])
      yield* Fiber.interrupt(first)
      yield* settled
      expect(seen).toEqual({ begun: 1, interrupted: 0 })
      yield* Fiber.interrupt(second)
      expect(seen).toEqual({ begun: 1, interrupted: 1 })
      const later = yield* call("a")
      yield* latch.open
      expect(yield* Fiber.join(later)).toBe(2)
    })
  )

  it.effect("keep the latest results", () =>
    Effect.gen(function* () {
      const { latch, call } = yield* runsThatKeep(1)
      yield* latch.open
      const joined = (key: string) => Effect.flatMap(call(key), Fiber.join)
      const results = yield* Effect.forEach(["a", "a", "b", "b", "a"], joined)
      expect(results).toEqual([1, 1, 2, 2, 3])
    })
  )

  it.effect("that fail, do so for all callers and are not kept", () =>
    Effect.gen(function* () {
      const { shared } = yield* runsThatKeep(1)
      expect(yield* Effect.exit(shared.get("a", () => Effect.fail("away")))).toEqual(Exit.fail("away"))
      expect(yield* shared.get("a", () => Effect.succeed(1))).toBe(1)
    })
  )
})
