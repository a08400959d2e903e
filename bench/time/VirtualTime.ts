// The time that the bench's service and actors live in: it stands idle until it is moved, and everybody who sleeps is woken by
// it, one at a time. How fast it is moved is `ClockDriver`'s business; only sockets run on real time.
import { Clock, Context, Duration, Effect, Layer } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"

/** A Monday morning, the same in every run, so that ids and transcripts repeat. */
export const BEGINS_AT_MS: Millis = Date.UTC(2027, 0, 4, 9)

interface Sleeper {
  readonly dueMs: Millis
  readonly wake: () => void
}

export class VirtualTime extends Context.Service<
  VirtualTime,
  {
    readonly nowMs: () => Millis
    /** When the first of those who sleep wants to be woken; `null` where nobody sleeps. */
    readonly nextDueMs: () => Millis | null
    /** Moves time to that moment and wakes this one alone; of several, the one that lay down first. */
    readonly wakeNext: () => void
    /** Moves time to that whole millisecond, never back and never past somebody who sleeps. */
    readonly moveTo: (atMs: Millis) => void
  }
>()("backlinks/bench/VirtualTime") {}

const makeTime = () => {
  /** By when they are due, then by when they lay down. */
  const sleepers: Array<Sleeper> = []
  let nowMs = BEGINS_AT_MS

  const layDown = (sleeper: Sleeper) => {
    sleepers.splice(sleepers.findLastIndex(({ dueMs }) => dueMs <= sleeper.dueMs) + 1, 0, sleeper)
  }

  const getUp = (sleeper: Sleeper) => {
    const place = sleepers.indexOf(sleeper)
    if (place >= 0) sleepers.splice(place, 1)
  }

  const sleep = (duration: Duration.Duration): Effect.Effect<void> => {
    const millis = Math.ceil(Duration.toMillis(duration))
    if (millis <= 0) return Effect.yieldNow
    if (!Number.isFinite(millis)) return Effect.never
    return Effect.callback((resume) => {
      const sleeper = { dueMs: nowMs + millis, wake: () => resume(Effect.void) }
      layDown(sleeper)
      return Effect.sync(() => getUp(sleeper))
    })
  }

  return {
    sleep,
    time: {
      nowMs: () => nowMs,
      nextDueMs: () => sleepers[0]?.dueMs ?? null,
      wakeNext: () => {
        const first = sleepers.shift()
        if (first === undefined) return
        nowMs = Math.max(nowMs, first.dueMs)
        first.wake()
      },
      moveTo: (atMs: Millis) => {
        nowMs = Math.max(nowMs, Math.floor(Math.min(atMs, sleepers[0]?.dueMs ?? atMs)))
      }
    }
  }
}

const NANOS_PER_MILLI = 1_000_000n

/** Also the `Clock` of whatever is built with it: what is asked for the time, and what sleeps. */
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
