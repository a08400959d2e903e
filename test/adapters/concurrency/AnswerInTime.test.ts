// What counts as waiting for the store, and what happens to work that was answered for.
import { it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { describe, expect } from "vitest"
import { answerInTime, carryClock, runCarried, TurnWait, waitingForStore } from "#adapters/concurrency/AnswerInTime.ts"
import { CurrentLateWork, LateWork, layerDrain, layerStart } from "#adapters/concurrency/LateWork.ts"

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
      const waited = Effect.provideService(answer(Effect.as(wait(200), "in time")), TurnWait, 100)
      const began = performance.now()
      expect(yield* waited).toBe("late")
      expect(performance.now() - began).toBeLessThan(100)
    })
  )

  it.live("waits through a library that speaks promises, too", () =>
    Effect.gen(function* () {
      const run = runCarried(yield* Effect.context<never>())
      const viaLibrary = Effect.flatMap(carryClock, (carry) =>
        Effect.promise(() =>
          carry(async () => {
            await new Promise((resolve) => setTimeout(resolve, 10))
            await run(wait(80))
            await run(wait(80))
            return "in time"
          })
        )
      )
      expect(yield* answer(viaLibrary)).toBe("late")
      expect(yield* answer(viaLibrary, 1_000)).toBe("in time")
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

describe("work that goes on after its answer", () => {
  const stoppedAfter = Effect.fnUntraced(function* (workMs: number, drain: Duration.Input) {
    const late = new LateWork()
    let isDone = false
    const work = Effect.andThen(
      wait(workMs),
      Effect.sync(() => {
        isDone = true
      })
    )
    const service = layerStart.pipe(Layer.provide(layerDrain(Duration.fromInputUnsafe(drain))))
    const began = performance.now()
    yield* Effect.gen(function* () {
      expect(yield* answer(work, 20)).toBe("late")
    }).pipe(Effect.provide(service), Effect.provideService(CurrentLateWork, late))
    return { isDone, tookMs: performance.now() - began }
  })

  it.live("is waited for by a stop of the service, and no longer than its drain takes", () =>
    Effect.gen(function* () {
      expect(yield* stoppedAfter(200, "10 seconds")).toMatchObject({ isDone: true })
      const { isDone, tookMs } = yield* stoppedAfter(5_000, "200 millis")
      expect(isDone).toBe(false)
      expect(tookMs).toBeLessThan(2_000)
    })
  )
})
