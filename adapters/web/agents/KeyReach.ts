// How far a new key may go, which its owner chooses with nothing chosen beforehand, and until when it is active.
import { Result, Schema } from "effect"
import { noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { DAY_MS, type Millis } from "#core/domain/shared/DecisionContext.ts"
import { choice } from "../form/Fields.ts"
import { radios } from "../form/Groups.ts"

/** What the form recommends. */
export const RECOMMENDED: SpendLimits = { ...noLimits, approveAboveCents: 2_000, maxDayCents: 10_000 }

const recommendedText = `Ask me above ${formatEur(RECOMMENDED.approveAboveCents ?? 0)}, at most ${formatEur(RECOMMENDED.maxDayCents ?? 0)} a day (recommended)`

const Reach = Schema.Literals(["ask", "own", "none"])

/** Days after which a key ends; `never` is a key without an end. */
const DAYS = { never: null, week: 7, month: 30, quarter: 90, year: 365 } as const

const Expiry = Schema.Literals(["never", "week", "month", "quarter", "year"])

export const reachFields = {
  reach: radios(Schema.optionalKey(Reach), "How far may it go without you?", [
    { value: "ask", label: recommendedText },
    { value: "own", label: "Limits of my own" },
    { value: "none", label: "No limits: it can spend all my credit", warns: true }
  ])
}

export const expiryFields = {
  expires: choice(
    Schema.optionalKey(Expiry),
    "It stops working",
    [
      { value: "never", label: "when I revoke it" },
      { value: "week", label: "in 7 days" },
      { value: "month", label: "in 30 days" },
      { value: "quarter", label: "in 90 days" },
      { value: "year", label: "in a year" }
    ],
    { hint: "Then it is refused everywhere, and its webhooks and its orders that wait for approval end." }
  )
}

const sameLimits = (one: SpendLimits, other: SpendLimits): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The limits by the choice and what was typed; a form without the choice sets what was typed. The failure is told beside the choice. The orders per day count with each choice, because their field is filled in beforehand. */
export const chosenLimits = (
  reach: typeof Reach.Type | undefined,
  typed: SpendLimits
): Result.Result<SpendLimits, string> => {
  const { dailyOrderCap } = typed
  const isTyped = !sameLimits({ ...typed, dailyOrderCap: null }, noLimits)
  const isCapped = dailyOrderCap !== null && dailyOrderCap > 0
  switch (reach) {
    case undefined:
      return Result.succeed(typed)
    case "own":
      return isTyped || isCapped
        ? Result.succeed(typed)
        : Result.fail("Set at least one limit below, or choose no limits.")
    case "ask":
    case "none":
      if (isTyped) return Result.fail("You set limits below, too: choose “Limits of my own”, or empty them.")
      return Result.succeed({ ...(reach === "ask" ? RECOMMENDED : noLimits), dailyOrderCap })
  }
}

export const expiryOf = (chosen: typeof Expiry.Type | undefined, nowMs: Millis): { readonly expiresAtMs?: Millis } => {
  const days = DAYS[chosen ?? "never"]
  return days === null ? {} : { expiresAtMs: nowMs + days * DAY_MS }
}
