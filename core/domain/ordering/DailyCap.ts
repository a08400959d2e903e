// What a key has used of its UTC day, and the check of its daily order cap.
import { Result, Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { dayEndsAtMs, Millis, utcDay } from "../shared/DecisionContext.ts"
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
  spentCents: Cents,
  /** When the owners were told that most of a limit of the day is used: once a day. */
  nearLimitAtMs: Schema.optionalKey(Millis)
})
export type DailyUsage = typeof DailyUsage.Type

export const noUsage = (keyId: KeyId, day: number): DailyUsage => ({ keyId, day, quotes: 0, spentCents: 0 })

/** Owners are told once a day that a key has used so much of a limit of its day. */
const NEAR_LIMIT_PERCENT = 80

export interface NearLimit {
  readonly limit: "orders" | "cents"
  readonly used: number
  readonly of: number
}

const isNear = (used: number, limit: number): boolean => limit > 0 && used * 100 >= limit * NEAR_LIMIT_PERCENT

/** The limit of the day of which most is used: of spending first. `maxDayCents` of `null` and `dailyOrderCap` of 0 mean no limit. */
export const nearLimit = (
  { quotes, spentCents }: Pick<DailyUsage, "quotes" | "spentCents">,
  { maxDayCents, dailyOrderCap }: { readonly maxDayCents: Cents | null; readonly dailyOrderCap: number }
): NearLimit | null => {
  if (maxDayCents !== null && isNear(spentCents, maxDayCents))
    return { limit: "cents", used: spentCents, of: maxDayCents }
  return isNear(quotes, dailyOrderCap) ? { limit: "orders", used: quotes, of: dailyOrderCap } : null
}

/** A limit of 0 or less means no limit. */
export const checkCap = (usage: DailyUsage, limit: number, nowMs: Millis): Result.Result<void, DailyCapReached> => {
  if (limit <= 0 || usage.quotes < limit) return Result.void
  const resetsAtMs = dayEndsAtMs(utcDay(nowMs))
  const retryAfterSeconds = Math.ceil((resetsAtMs - nowMs) / 1_000)
  return Result.fail(new DailyCapReached({ limit, used: usage.quotes, resetsAtMs, retryAfterSeconds }))
}
