// What a key has used of its UTC day, and the check of its daily order cap.
import { Result, Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { dayEndsAtMs, type Millis, utcDay } from "../shared/DecisionContext.ts"
import { KeyId } from "../shared/Ids.ts"
import { DailyCapReached } from "./OrderRefusal.ts"

/** The usage of one key on one day. */
export const DailyUsage = Schema.Struct({
  keyId: KeyId,
  /** UTC days since the Unix epoch. */
  day: Schema.Int,
  /** Quotes made on that day, in any state. */
  quotes: Schema.Int,
  /** The sum of the net totals of those quotes that are open or paid. */
  spentCents: Cents
})
export type DailyUsage = typeof DailyUsage.Type

export const noUsage = (keyId: KeyId, day: number): DailyUsage => ({ keyId, day, quotes: 0, spentCents: 0 })

/** A limit of 0 or less means no limit. */
export const checkCap = (usage: DailyUsage, limit: number, nowMs: Millis): Result.Result<void, DailyCapReached> => {
  if (limit <= 0 || usage.quotes < limit) return Result.void
  const resetsAtMs = dayEndsAtMs(utcDay(nowMs))
  const retryAfterSeconds = Math.ceil((resetsAtMs - nowMs) / 1_000)
  return Result.fail(new DailyCapReached({ limit, used: usage.quotes, resetsAtMs, retryAfterSeconds }))
}
