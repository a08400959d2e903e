// What a key has used of its UTC day, and the check of its daily order cap.
import { Result } from "effect"
import { dayEndsAtMs, type Millis, utcDay } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"
import { DailyCapReached } from "./Refusal.ts"

/** The usage of one key on one day. */
export interface DailyUsage {
  readonly keyId: string
  /** UTC days since the Unix epoch. */
  readonly day: number
  /** Quotes made on that day, in any state. */
  readonly quotes: number
  /** The sum of the net totals of those quotes that are open or paid. */
  readonly spentCents: Cents
}

export const noUsage = (keyId: string, day: number): DailyUsage => ({ keyId, day, quotes: 0, spentCents: 0 })

/** A limit of 0 or less means no limit. */
export const checkCap = (usage: DailyUsage, limit: number, nowMs: Millis): Result.Result<void, DailyCapReached> => {
  if (limit <= 0 || usage.quotes < limit) return Result.void
  const resetsAtMs = dayEndsAtMs(utcDay(nowMs))
  const retryAfterSeconds = Math.ceil((resetsAtMs - nowMs) / 1_000)
  return Result.fail(new DailyCapReached({ limit, used: usage.quotes, resetsAtMs, retryAfterSeconds }))
}
