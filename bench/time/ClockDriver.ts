// Moves the virtual time, whenever nothing moves by itself: as fast as things happen, or so many virtual seconds a real one, or
// not at all, or to the next thing that happens. The only one who moves it.
import { Context, Effect, Latch, Layer } from "effect"
import { FASTEST, SLOWEST } from "../events/Command.ts"
import { EventBus } from "../events/EventBus.ts"
import { IdleDetector } from "./IdleDetector.ts"
import { VirtualTime } from "./VirtualTime.ts"

/** How often time is count while it runs, in real milliseconds. */
const TELL_EVERY_MS = 1_000 / 15

/** Behind by more real time than this, it goes on from where it is instead of catching up. */
const MOST_BEHIND_MS = 250

/** Steps without anything to see that one "on to the next thing" may take. */
const MOST_STEPS = 100_000

export class ClockDriver extends Context.Service<
  ClockDriver,
  {
    /** For as long as it runs, from one sleeper to the next without any wait. */
    readonly lockStep: Effect.Effect<never>
    /** For as long as it runs, at the speed that was set. */
    readonly paced: Effect.Effect<never>
    readonly setSpeed: (speed: number) => Effect.Effect<number>
    readonly setPaused: (paused: boolean) => Effect.Effect<void>
    readonly isPaused: () => boolean
    /** While paused: moves on until something was count. Answers whether anything was. */
    readonly step: Effect.Effect<boolean>
  }
>()("backlinks/bench/ClockDriver") {}

/** On real time, whatever clock everybody else has. */
const realSleep = (millis: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const handle = setTimeout(() => resume(Effect.void), millis)
    return Effect.sync(() => clearTimeout(handle))
  })

export const layer: Layer.Layer<ClockDriver, never, EventBus | IdleDetector | VirtualTime> = Layer.effect(
  ClockDriver,
  Effect.gen(function* () {
    const { emit, count } = yield* EventBus
    const { idle } = yield* IdleDetector
    const { nowMs, nextDueMs, wakeNext, moveTo } = yield* VirtualTime
    const running = yield* Latch.make(true)
    let speed: number = SLOWEST
    let paused = false
    let anchor = { realMs: performance.now(), virtualMs: nowMs() }
    let toldAtMs = 0

    const anew = () => {
      anchor = { realMs: performance.now(), virtualMs: nowMs() }
    }

    const tellPace = () => emit({ _tag: "SpeedChanged", speed, paused })

    /** Where time should be by now. */
    const targetMs = () => {
      const target = anchor.virtualMs + (performance.now() - anchor.realMs) * speed
      if (target - nowMs() <= MOST_BEHIND_MS * speed) return target
      anew()
      return nowMs()
    }

    const tellTime = () => {
      if (performance.now() - toldAtMs < TELL_EVERY_MS) return
      toldAtMs = performance.now()
      emit({ _tag: "ClockMoved" })
    }

    const pacedStep = Effect.gen(function* () {
      yield* running.await
      yield* idle
      if (paused) return
      const target = targetMs()
      const due = nextDueMs()
      tellTime()
      if (due !== null && due <= target) return wakeNext()
      moveTo(target)
      const untilDueMs = due === null ? TELL_EVERY_MS : (due - target) / speed
      yield* realSleep(Math.min(TELL_EVERY_MS, untilDueMs))
    })

    return {
      lockStep: Effect.forever(Effect.andThen(idle, Effect.sync(wakeNext))),
      paced: Effect.andThen(Effect.sync(anew), Effect.forever(pacedStep)),
      setSpeed: (wanted) =>
        Effect.sync(() => {
          speed = Math.min(FASTEST, Math.max(SLOWEST, wanted))
          anew()
          tellPace()
          return speed
        }),
      setPaused: (isPaused) =>
        Effect.suspend(() => {
          paused = isPaused
          anew()
          tellPace()
          return paused ? running.close : running.open
        }),
      isPaused: () => paused,
      step: Effect.gen(function* () {
        const before = count()
        for (let steps = 0; steps < MOST_STEPS && count() === before; steps++) {
          yield* idle
          if (nextDueMs() === null) return false
          wakeNext()
        }
        yield* idle
        emit({ _tag: "ClockMoved" })
        return count() > before
      })
    }
  })
)
