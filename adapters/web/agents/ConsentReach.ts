// How far an assistant that is connected may go: an owner takes the limits that are recommended, or others, or types them.
import { Result, Schema } from "effect"
import type { SpendLimits } from "#core/domain/access/ApiKey.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { radios } from "../form/Groups.ts"
import { RECOMMENDED } from "./KeyReach.ts"

const Reach = Schema.Literals(["every", "ask", "own"])
type Reach = typeof Reach.Type

/** The limits that the page asks for; the others of a connection are changed on its own page. */
type Asked = Pick<SpendLimits, "approveAboveCents" | "maxOrderCents" | "maxDayCents">

const CHOICES: Readonly<Record<Exclude<Reach, "own">, Asked>> = {
  every: { approveAboveCents: 0, maxOrderCents: null, maxDayCents: null },
  ask: {
    approveAboveCents: RECOMMENDED.approveAboveCents,
    maxOrderCents: RECOMMENDED.maxOrderCents,
    maxDayCents: RECOMMENDED.maxDayCents
  }
}

const askText = `Ask me above ${formatEur(CHOICES.ask.approveAboveCents ?? 0)}, at most ${formatEur(CHOICES.ask.maxDayCents ?? 0)} a day`

export const consentReach = {
  reach: radios(Schema.optionalKey(Reach), "How far may it go without you?", [
    { value: "every", label: "Ask me before every order (recommended)" },
    { value: "ask", label: askText },
    { value: "own", label: "Limits of my own, which I set below" }
  ])
}

const isAs = (one: Asked, other: Asked): boolean =>
  one.approveAboveCents === other.approveAboveCents &&
  one.maxOrderCents === other.maxOrderCents &&
  one.maxDayCents === other.maxDayCents

/** The choice that these limits are. */
export const reachOf = (limits: SpendLimits): Reach => {
  if (limits.alwaysAllow.length > 0) return "own"
  if (isAs(limits, CHOICES.every)) return "every"
  return isAs(limits, CHOICES.ask) ? "ask" : "own"
}

interface Typed {
  readonly reach?: Reach
  readonly approve_above?: number
  readonly max_order?: number
  readonly max_day?: number
}

/**
 * The limits by the choice, or by what was typed: also in a form without the choice. `limits`: what the form showed. The failure is told beside
 * the choice.
 */
export const chosenConsent = (limits: SpendLimits, typed: Typed): Result.Result<SpendLimits, string> => {
  const { reach = "own", approve_above = null, max_order = null, max_day = null } = typed
  const own = { approveAboveCents: approve_above, maxOrderCents: max_order, maxDayCents: max_day }
  if (reach === "own") return Result.succeed({ ...limits, ...own })
  if (!isAs(own, limits) && !isAs(own, CHOICES[reach]))
    return Result.fail("You changed limits below, too: choose “Limits of my own”, or leave them as they were.")
  // What the choice says holds for every domain.
  return Result.succeed({ ...limits, ...CHOICES[reach], alwaysAllow: [] })
}
