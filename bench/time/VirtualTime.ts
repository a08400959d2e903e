// The clock of the bench's service and actors. It stands still until it is moved, and fires timers one at a time. Only sockets run on
// real time.
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"

/** A Monday morning, the same in every run, so that ids and transcripts repeat. */
export const STARTS_AT_MS: Millis = Date.UTC(2027, 0, 4, 9)

interface Timer {
  readonly dueMs: Millis
  readonly fire: () => void
}

export class VirtualTime extends Context.Service<
  VirtualTime,
  {
    readonly nowMs: () => Millis
    /** When the next timer is due; `null` without timers. */
    readonly nextDueMs: () => Millis | null
    /** Moves time to the next timer and fires that one alone; of several, the one set first. */
    readonly fireNext: () => void
    /** Moves time to that millisecond, never back and never past a timer. */
    readonly moveTo: (atMs: Millis) => void
  }
>()("backlinks/bench/time/VirtualTime") {}

const makeTime = () => {
  /** Sorted by when they are due, then by when they were set. */
  const timers: Array<Timer> = []
  let nowMs = STARTS_AT_MS

  const sleep = (duration: Duration.Duration): Effect.Effect<void> => {
    const millis = Math.ceil(Duration.toMillis(duration))
    if (millis <= 0) return Effect.yieldNow
    if (!Number.isFinite(millis)) return Effect.never
    return Effect.callback((resume) => {
      const timer = { dueMs: nowMs + millis, fire: () => resume(Effect.void) }
      timers.splice(timers.findLastIndex(({ dueMs }) => dueMs <= timer.dueMs) + 1, 0, timer)
      return Effect.sync(() => {
        const index = timers.indexOf(timer)
        if (index >= 0) timers.splice(index, 1)
      })
    })
  }

  const time: VirtualTime["Service"] = {
    nowMs: () => nowMs,
    nextDueMs: () => timers[0]?.dueMs ?? null,
    fireNext: () => {
      const first = timers.shift()
      if (first === undefined) return
      nowMs = Math.max(nowMs, first.dueMs)
      first.fire()
    },
    moveTo: (atMs) => {
      nowMs = Math.max(nowMs, Math.floor(Math.min(atMs, timers[0]?.dueMs ?? atMs)))
    }
  }
  return { sleep, time }
}

const NANOS_PER_MILLI = 1_000_000n

/** Also provides the `Clock` to all that is built with it. */
export const layer: Layer.Layer<VirtualTime> = Layer.effectContext(
  Effect.sync(() => {
    const { time, sleep } = makeTime()
    const { nowMs } = time
    const nowNanos = () => BigInt(nowMs()) * NANOS_PER_MILLI
    return Context.make(VirtualTime, time).pipe(
      Context.add(Clock.Clock, {
        currentTimeMillisUnsafe: nowMs,
        currentTimeMillis: Effect.sync(nowMs),
        currentTimeNanosUnsafe: nowNanos,
        currentTimeNanos: Effect.sync(nowNanos),
        monotonicTimeNanosUnsafe: nowNanos,
        monotonicTimeNanos: Effect.sync(nowNanos),
        sleep
      })
    )
  })
)
