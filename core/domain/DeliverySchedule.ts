// When a delivery is tried again. Pure: the time and the jitter come from outside.
import { DateTime, Option } from "effect"
import type { Millis } from "./DecisionContext.ts"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long after the beginning of the attempt before it each attempt is planned; the first follows the event at once. */
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

/** What a receiver may ask for, at most, as a multiple of the planned wait. */
const MAX_STRETCH = 2

/**
 * The wait before the next attempt, `null` after the last one. `fraction` is random, from 0 to below 1, and spreads the wait by
 * ±20 %. A receiver's Retry-After is obeyed between one and two times the planned wait, so that it can neither be hammered nor
 * put a delivery off for ever.
 */
export const nextWaitMs = (attemptsMade: number, fraction: number, retryAfterMs: Millis | null): Millis | null => {
  const planned = PLANNED_WAITS_MS[attemptsMade]
  if (planned === undefined) return null
  if (retryAfterMs !== null) return Math.min(Math.max(retryAfterMs, planned), planned * MAX_STRETCH)
  return Math.round(planned * (1 - JITTER + 2 * JITTER * fraction))
}

/** An endpoint that has done nothing but fail for this long is switched off. */
export const DISABLE_AFTER_MS: Millis = 5 * 24 * HOUR

/**
 * A Retry-After header in milliseconds from `nowMs`: whole seconds or an HTTP date. `null` where it is neither; a date that has
 * passed is 0.
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
