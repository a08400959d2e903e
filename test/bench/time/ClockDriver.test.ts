// At a set speed, time in which nothing happens is skipped while a story plays, and only then.
import { Duration, Effect, Fiber, Layer } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import type { BenchEvent } from "#bench/events/BenchEvent.ts"
import * as EventBus from "#bench/events/EventBus.ts"
import * as ClockDriver from "#bench/time/ClockDriver.ts"
import * as IdleDetector from "#bench/time/IdleDetector.ts"
import * as VirtualTime from "#bench/time/VirtualTime.ts"

/** The clock on the wall stands still, but for what the tests advance it by. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }))
afterEach(() => void vi.useRealTimers())

const time = ClockDriver.layer.pipe(
  Layer.provideMerge(EventBus.layer),
  Layer.provideMerge(Layer.merge(VirtualTime.layer, IdleDetector.layer))
)

const A_DAY_MS = 86_400_000
const STEP_MS = 200

const realTurn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** A job of the service that never ends, and a story of one event a day later, at the least speed. */
const play = (isStory: boolean, realMs: number) =>
  Effect.gen(function* () {
    const { emit, subscribe } = yield* EventBus.EventBus
    const { nowMs } = yield* VirtualTime.VirtualTime
    const clock = yield* ClockDriver.ClockDriver
    const events: Array<BenchEvent> = []
    subscribe((event) => void (event._tag === "ClockMoved" || events.push(event)))
    const beganMs = nowMs()
    const job = Effect.forever(Effect.sleep("30 seconds"))
    const day = Effect.andThen(
      Effect.sleep(Duration.millis(A_DAY_MS)),
      Effect.sync(() => emit({ _tag: "Logged", level: "info", text: "a day later" }))
    )
    const running = yield* Effect.forkChild(
      Effect.all([job, isStory ? clock.skippingIn(day) : day, clock.runAtSpeed], { concurrency: "unbounded" })
    )
    yield* clock.setSpeed(100)
    for (
      let passedMs = 0;
      passedMs < realMs && !events.some(({ _tag }) => _tag === "TimeSkipped");
      passedMs += STEP_MS
    ) {
      vi.advanceTimersByTime(STEP_MS)
      for (let turn = 0; turn < 20; turn++) yield* realTurn
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 70)))
    }
    yield* Fiber.interrupt(running)
    return { passedMs: nowMs() - beganMs, events: events.filter(({ _tag }) => _tag !== "SpeedChanged") }
  }).pipe(Effect.provide(time))

it("skips to the next event after three seconds, past the jobs of the service", async () => {
  const { events, passedMs } = await Effect.runPromise(play(true, 10_000))
  expect(events).toMatchObject([{ _tag: "Logged", text: "a day later" }, { _tag: "TimeSkipped" }])
  expect(passedMs).toBeGreaterThanOrEqual(A_DAY_MS)
})

it("lets time pass as it does where no story plays", async () => {
  const { events, passedMs } = await Effect.runPromise(play(false, 5_000))
  expect(events).toEqual([])
  expect(passedMs).toBeLessThan(3_600_000)
})
