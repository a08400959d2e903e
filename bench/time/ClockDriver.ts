// Moves virtual time whenever nothing is running: from timer to timer without waiting, at a set speed, or one event at a time. At a set
// speed, time in which nothing happens is skipped while a story plays.
import { Context, Effect, Latch, Layer } from "effect"
import { MAX_SPEED, MIN_SPEED } from "../events/Command.ts"
import { EventBus, subscribeScoped } from "../events/EventBus.ts"
import { makeDeadTime } from "./DeadTime.ts"
import { IdleDetector } from "./IdleDetector.ts"
import { makeSpeedGauge } from "./SpeedGauge.ts"
import { VirtualTime } from "./VirtualTime.ts"

/** Real milliseconds between two `ClockMoved` events. */
const CLOCK_EVENT_EVERY_MS = 1_000 / 15

/** Real milliseconds; a clock that lags further behind continues from its current time instead of catching up. */
const MAX_LAG_MS = 250

/** Timers that one `step` fires at most while no event comes. */
const MAX_TIMERS_PER_STEP = 100_000

export class ClockDriver extends Context.Service<
  ClockDriver,
  {
    /** From timer to timer without waiting. */
    readonly runLockStep: Effect.Effect<never>
    /** At the speed that is set. */
    readonly runAtSpeed: Effect.Effect<never>
    /** Virtual seconds per real second; returns the clamped speed. */
    readonly setSpeed: (speed: number) => Effect.Effect<number>
    readonly setPaused: (paused: boolean) => Effect.Effect<void>
    readonly isPaused: () => boolean
    /** Skips dead time while `story` runs. */
    readonly skippingIn: <A, E, R>(story: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** While paused: moves time until an event comes. Returns false where no timer is set. */
    readonly step: Effect.Effect<boolean>
  }
>()("backlinks/bench/time/ClockDriver") {}

/** Effect's own sleep would wait for virtual time. */
const realSleep = (millis: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const handle = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(handle))
  })

export const layer: Layer.Layer<ClockDriver, never, EventBus | IdleDetector | VirtualTime> = Layer.effect(
  ClockDriver,
  Effect.gen(function* () {
    const { emit, count } = yield* EventBus
    const { idle, wheneverIdle, whileIdle } = yield* IdleDetector
    const time = yield* VirtualTime
    const { nowMs, nextDueMs, fireNext, moveTo } = time
    const running = yield* Latch.make(true)
    const now = () => ({ realMs: performance.now(), virtualMs: nowMs() })
    const gauge = makeSpeedGauge(now())
    let speed: number = MIN_SPEED
    let paused = false
    let anchor = now()
    let clockEventAtMs = 0

    const resetAnchor = () => {
      anchor = now()
      gauge.restart(anchor)
    }

    const targetMs = () => {
      const target = anchor.virtualMs + (performance.now() - anchor.realMs) * speed
      if (target - nowMs() <= MAX_LAG_MS * speed) return target
      anchor = now()
      return nowMs()
    }

    const emitClock = (skipping = false) => {
      if (performance.now() - clockEventAtMs < CLOCK_EVENT_EVERY_MS) return
      clockEventAtMs = performance.now()
      emit({ _tag: "ClockMoved", had: gauge.read(now()), skipping })
    }

    const isPaused = () => paused
    const deadTime = makeDeadTime({ time, whileIdle, emit, isPaused, tick: () => emitClock(true) })
    yield* subscribeScoped(({ _tag }) => (_tag === "ClockMoved" ? undefined : deadTime.noteEvent()))

    const advance = Effect.gen(function* () {
      yield* running.await
      yield* idle
      if (paused) return
      if (deadTime.isDead()) return yield* Effect.ensuring(deadTime.skip, Effect.sync(resetAnchor))
      const target = targetMs()
      const due = nextDueMs()
      emitClock()
      if (due !== null && due <= target) return fireNext()
      moveTo(target)
      const untilDueMs = due === null ? CLOCK_EVENT_EVERY_MS : (due - target) / speed
      yield* realSleep(Math.min(CLOCK_EVENT_EVERY_MS, untilDueMs))
    })

    const changed = () => {
      resetAnchor()
      emit({ _tag: "SpeedChanged", speed, paused })
    }

    return {
      runLockStep: wheneverIdle(fireNext),
      runAtSpeed: Effect.andThen(Effect.sync(resetAnchor), Effect.forever(advance)),
      setSpeed: (wanted) =>
        Effect.sync(() => {
          speed = Math.min(MAX_SPEED, Math.max(MIN_SPEED, wanted))
          changed()
          return speed
        }),
      setPaused: (isPaused) =>
        Effect.suspend(() => {
          paused = isPaused
          changed()
          return paused ? running.close : running.open
        }),
      isPaused,
      skippingIn: deadTime.during,
      step: Effect.gen(function* () {
        const before = count()
        for (let timers = 0; timers < MAX_TIMERS_PER_STEP && count() === before; timers++) {
          yield* idle
          if (nextDueMs() === null) return false
          fireNext()
        }
        yield* idle
        emit({ _tag: "ClockMoved", had: null, skipping: false })
        return count() > before
      })
    }
  })
)
