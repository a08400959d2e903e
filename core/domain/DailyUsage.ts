// How many quotes a key may make in a UTC day, and how much it may spend in it.
import { Result } from "effect"
import { dayEndsAtMs, type Millis, utcDay } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"
import { DailyCapReached } from "./Refusal.ts"

/** One key's day. */
export interface DailyUsage {
  readonly keyId: string
  /** Days since the epoch, UTC. */
  readonly day: number
  /** Quotes made, whatever became of them. */
  readonly quotes: number
  /** Net totals of quotes that are open or paid; abandoned ones are taken off again. */
  readonly spentCents: Cents
}

export const noUsage = (keyId: string, day: number): DailyUsage => ({ keyId, day, quotes: 0, spentCents: 0 })

/** A limit of 0 or less is no limit. */
export const checkCap = (usage: DailyUsage, limit: number, nowMs: Millis): Result.Result<void, DailyCapReached> => {
  if (limit <= 0 || usage.quotes < limit) return Result.void
  const resetsAtMs = dayEndsAtMs(utcDay(nowMs))
  const retryAfterSeconds = Math.ceil((resetsAtMs - nowMs) / 1_000)
  return Result.fail(new DailyCapReached({ limit, used: usage.quotes, resetsAtMs, retryAfterSeconds }))
}
