// Time limits of work: what ends it, and when.
import { it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { makeDeadlines } from "#adapters/postgres/database/Deadlines.ts"

const deadlines = Effect.gen(function* () {
  const within = yield* makeDeadlines(Duration.millis(10))
  const seen = { interrupted: 0 }
  const endless = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void seen.interrupted++))
  const begin = <A, E>(work: Effect.Effect<A, E>, ms: number) =>
    Effect.forkChild(within(work, Duration.millis(ms), Effect.succeed("expired")), { startImmediately: true })
  return { seen, endless, begin }
})

describe("work with a deadline", () => {
  it.effect("ends with its own result within its limit, at once or later", () =>
    Effect.gen(function* () {
      const { begin } = yield* deadlines
      const later = yield* begin(Effect.delay(Effect.succeed("done"), "90 millis"), 100)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(later)).toBe("done")
      expect(yield* Effect.flatMap(begin(Effect.succeed("done"), 100), Fiber.join)).toBe("done")
      expect(yield* Effect.flatMap(begin(Effect.fail("away"), 100), Fiber.await)).toEqual(Exit.fail("away"))
    })
  )

  it.effect("is interrupted after its own limit, and another effect runs in its place", () =>
    Effect.gen(function* () {
      const { seen, endless, begin } = yield* deadlines
      const [long, short] = yield* Effect.all([begin(endless, 200), begin(endless, 100)])
      yield* TestClock.adjust("100 millis")
      expect([long, short].map((one) => one.pollUnsafe())).toEqual([undefined, undefined])
      yield* TestClock.adjust("10 millis")
      expect(yield* Fiber.join(short)).toBe("expired")
      expect(long.pollUnsafe()).toBeUndefined()
      expect(seen.interrupted).toBe(1)
      yield* TestClock.adjust("100 millis")
      expect(yield* Fiber.join(long)).toBe("expired")
    })
  )

  it.effect("is interrupted with its caller", () =>
    Effect.gen(function* () {
      const { seen, endless, begin } = yield* deadlines
      yield* Effect.flatMap(begin(endless, 100), Fiber.interrupt)
      expect(seen.interrupted).toBe(1)
      yield* TestClock.adjust("1 second")
      expect(seen.interrupted).toBe(1)
    })
  )
})
