// What counts as waiting for the store, and what happens to work that was answered for.
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { describe, expect } from "vitest"
import { answerInTime, waitingForStore } from "#adapters/concurrency/AnswerInTime.ts"

const answer = <A, E>(work: Effect.Effect<A, E>, leftMs = 100) =>
  answerInTime(work, leftMs, Effect.succeed("late" as const))

const wait = (ms: number) => waitingForStore(Effect.sleep(ms))

describe("a request that waits for the store", () => {
  it.live("is answered once its waits together are too long, and its work runs to its end", () =>
    Effect.gen(function* () {
      const done = yield* Deferred.make<void>()
      const work = Effect.andThen(wait(80), Effect.andThen(wait(80), Deferred.succeed(done, undefined)))
      expect(yield* answer(work)).toBe("late")
      yield* Deferred.await(done)
    })
  )

  it.live("counts waits at the same time once, and nothing else", () =>
    Effect.gen(function* () {
      const parallel = Effect.all([wait(60), wait(60), wait(60)], { concurrency: "unbounded", discard: true })
      expect(yield* answer(Effect.as(parallel, "in time"))).toBe("in time")
      expect(yield* answer(Effect.as(Effect.sleep(200), "in time"))).toBe("in time")
      expect(yield* answer(Effect.andThen(wait(10), Effect.as(Effect.sleep(200), "in time")))).toBe("in time")
    })
  )

  it.live("has nothing left after a turn that took all of it", () =>
    Effect.gen(function* () {
      expect(yield* answer(Effect.as(wait(200), "in time"), -1)).toBe("late")
    })
  )

  it.live("fails with its work, and is interrupted with its caller", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(answer(Effect.fail("refused")))).toBe("refused")
      const interrupted = yield* Deferred.make<void>()
      const endless = Effect.onInterrupt(waitingForStore(Effect.never), () => Deferred.succeed(interrupted, undefined))
      const asking = yield* Effect.forkChild(answer(endless, 10_000), { startImmediately: true })
      yield* Fiber.interrupt(asking)
      yield* Deferred.await(interrupted)
    })
  )
})
