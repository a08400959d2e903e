// The retry schedule of deliveries.
import { DateTime, Option } from "effect"
import type { Millis } from "../shared/DecisionContext.ts"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The wait before each attempt, counted from the start of the previous one. The first attempt is immediate. */
export const PLANNED_WAITS_MS: ReadonlyArray<Millis> = [
  0,
  30 * SECOND,
  1 * MINUTE,
  2 * MINUTE,
  4 * MINUTE,
  8 * MINUTE,
  16 * MINUTE,
  32 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  24 * HOUR
]

const JITTER = 0.2

/** The longest wait that a Retry-After header can request, as a multiple of the planned wait. */
const MAX_STRETCH = 2

/**
 * The wait before the next attempt, `null` after the last one. `fraction` is random, from 0 to below 1, and spreads the wait by
 * ±20 %. A Retry-After is honoured between one and two times the planned wait: a receiver can neither speed up retries nor postpone
 * them indefinitely.
 */
export const nextWaitMs = (attemptsMade: number, fraction: number, retryAfterMs: Millis | null): Millis | null => {
  const planned = PLANNED_WAITS_MS[attemptsMade]
  if (planned === undefined) return null
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, planned), planned * MAX_STRETCH)
  return Math.round(planned * (1 - JITTER + 2 * JITTER * fraction))
}

/** An endpoint whose attempts have all failed for this long is disabled. */
export const DISABLE_AFTER_MS: Millis = 5 * 24 * HOUR

/**
 * A Retry-After header (whole seconds or an HTTP date) as milliseconds from `nowMs`: 0 for a past date, `null` for any other text.
 */
export const parseRetryAfter = (header: string | undefined, nowMs: Millis): Millis | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,15}$/.test(text)) return Number(text) * SECOND
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  return DateTime.make(text).pipe(
    Option.map((at) => Math.max(0, DateTime.toEpochMillis(at) - nowMs)),
    Option.getOrNull
  )
}
