// Time in which nothing happens but the service's own jobs: where it begins, and how it is skipped while a story plays.
import { Effect } from "effect"
import type { EventPayload } from "../events/BenchEvent.ts"
import type { IdleDetector } from "./IdleDetector.ts"
import type { VirtualTime } from "./VirtualTime.ts"

/** Time is dead after so long without an event by both clocks: the pauses between a story's steps are for reading. */
const DEAD_AFTER = { realMs: 3_000, virtualMs: 60_000 } as const

/** Timers of so many virtual milliseconds fire together: jobs that poll more often are not waited for each time. */
const STRIDE_MS = 30_000

interface DeadTimeOptions {
  readonly time: VirtualTime["Service"]
  readonly whileIdle: IdleDetector["Service"]["whileIdle"]
  readonly emit: (event: EventPayload) => void
  readonly isPaused: () => boolean
  /** Called for each stride. */
  readonly tick: () => void
}

export interface DeadTime {
  /** For every event but the clock's own. */
  readonly noteEvent: () => void
  readonly isDead: () => boolean
  /** Moves time by strides until an event comes, which is so late at most. */
  readonly skip: Effect.Effect<void>
  /** Time may be dead while `story` runs. */
  readonly during: <A, E, R>(story: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const makeDeadTime = ({ time, whileIdle, emit, isPaused, tick }: DeadTimeOptions): DeadTime => {
  const { nowMs, nextDueMs, fireNext } = time
  let events = 0
  let stories = 0
  let lastEvent = { realMs: performance.now(), virtualMs: nowMs() }

  const noteEvent = () => {
    events++
    lastEvent = { realMs: performance.now(), virtualMs: nowMs() }
  }

  return {
    noteEvent,
    isDead: () =>
      stories > 0 &&
      performance.now() - lastEvent.realMs > DEAD_AFTER.realMs &&
      nowMs() - lastEvent.virtualMs > DEAD_AFTER.virtualMs,
    skip: Effect.suspend(() => {
      const [eventsBefore, beganMs] = [events, nowMs()]
      const stride = () => {
        const firstMs = nextDueMs()
        if (isPaused() || stories === 0 || events !== eventsBefore || firstMs === null) return false
        tick()
        while ((nextDueMs() ?? Number.POSITIVE_INFINITY) < firstMs + STRIDE_MS) fireNext()
        return true
      }
      const end = Effect.sync(() => {
        noteEvent()
        const millis = nowMs() - beganMs
        if (millis >= DEAD_AFTER.virtualMs) emit({ _tag: "TimeSkipped", millis })
      })
      return Effect.andThen(whileIdle(stride), end)
    }),
    during: (story) =>
      Effect.acquireUseRelease(
        Effect.sync(() => void stories++),
        () => story,
        () => Effect.sync(() => void stories--)
      )
  }
}
