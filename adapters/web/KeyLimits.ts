// The limits of a key: their fields, what the fields mean, and limits as a person would say them.
import { Schema } from "effect"
import { counted, separated } from "#adapters/contract/shared/Counted.ts"
import type { AlwaysAllowed, ApiKey, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { KeyToday } from "#core/usecases/members/ViewAccount.ts"
import type { Agent } from "#core/usecases/members/ViewAgents.ts"
import { domainAmountsField, domainsField, wholeField } from "./form/FieldSchemas.ts"
import { amount, lines, text, tick, under, type Values } from "./form/Fields.ts"

/** What an empty field and 0 mean in all fields of limits, and when a day begins. */
export const LIMITS_HINT = "Empty: no limit. 0 EUR: it may spend nothing. Daily limits reset at 00:00 UTC."

export const limitFields = {
  ...under(
    "Limits",
    {
      max_order: amount("Spending limit per order (EUR)"),
      max_day: amount("Daily spending limit (EUR)"),
      daily_cap: text(Schema.optionalKey(wholeField(1, 1_000_000)), "Orders per day", {
        hint: "To let it order nothing, pause it.",
        inputMode: "numeric"
      }),
      domains: lines(Schema.optionalKey(domainsField), "Links may only point to these domains", {
        hint: "One on each line; subdomains are included."
      })
    },
    LIMITS_HINT
  ),
  ...under(
    "Ask an owner first",
    {
      approve_above: amount("Ask me before orders over (EUR)", "Empty: never ask. 0: ask before every order."),
      always_allow: lines(Schema.optionalKey(domainAmountsField), "Except orders that link only to these domains", {
        hint: "One on each line with its amount, such as shop.example 50.00. Subdomains are included."
      }),
      hold_look_alikes: tick("Ask me before an order that repeats one of the last 10 minutes")
    },
    "Such an order waits until an owner approves it."
  )
}

/** A key's daily cap on orders as its owner set it, which `null` leaves to the service, and as it is. */
export interface OrderCap {
  readonly set: number | null
  readonly now: number
}

export const orderCapOf = ({ key, dailyOrderCap }: KeyToday): OrderCap => ({
  set: key.limits.dailyOrderCap,
  now: dailyOrderCap
})

/** A form without the field leaves the cap to the service; a cap that is sent as it was shown stays as it is. */
const capIn = (typed: number | undefined, sent: URLSearchParams, cap: OrderCap): number | null => {
  if (!sent.has("daily_cap")) return null
  const wanted = typed ?? 0
  return wanted === cap.now ? cap.set : wanted
}

export const limitsOf = (typed: Values<typeof limitFields>, sent: URLSearchParams, cap: OrderCap): SpendLimits => {
  const { max_order, max_day, daily_cap, domains, approve_above, hold_look_alikes, always_allow } = typed
  return {
    maxOrderCents: max_order ?? null,
    maxDayCents: max_day ?? null,
    dailyOrderCap: capIn(daily_cap, sent, cap),
    allowedDomains: domains ?? null,
    approveAboveCents: approve_above ?? null,
    holdLookAlikes: hold_look_alikes === "on",
    alwaysAllow: always_allow ?? []
  }
}

const amountText = (cents: number | null): string => (cents === null ? "" : (cents / 100).toFixed(2))

export const orderCapValue = ({ now }: OrderCap) => ({ daily_cap: now === 0 ? "" : String(now) })

/** What is in the fields of a key as its limits are now, but for its cap on orders. */
export const limitValues = (
  limits: SpendLimits
): Readonly<Record<Exclude<keyof typeof limitFields, "daily_cap">, string>> => {
  const { maxOrderCents, maxDayCents, allowedDomains, approveAboveCents, holdLookAlikes } = limits
  return {
    max_order: amountText(maxOrderCents),
    max_day: amountText(maxDayCents),
    domains: allowedDomains?.join("\n") ?? "",
    approve_above: amountText(approveAboveCents),
    always_allow: limits.alwaysAllow.map(({ domain, upToCents }) => `${domain} ${amountText(upToCents)}`).join("\n"),
    hold_look_alikes: holdLookAlikes ? "on" : ""
  }
}

const approvalText = (aboveCents: number): string =>
  aboveCents === 0 ? "asks before every order" : `asks above ${formatEur(aboveCents)}`

const alwaysText = ({ domain, upToCents }: AlwaysAllowed): string =>
  `${domain} up to ${formatEur(upToCents)} without asking`

/** Each limit in a few words; none where nothing is limited. */
const limitParts = (limits: SpendLimits): ReadonlyArray<string> => {
  const { maxOrderCents, maxDayCents, dailyOrderCap, allowedDomains, approveAboveCents, holdLookAlikes } = limits
  return [
    ...(maxOrderCents === null ? [] : [`${formatEur(maxOrderCents)} an order`]),
    ...(maxDayCents === null ? [] : [`${formatEur(maxDayCents)} a day`]),
    ...(dailyOrderCap === null || dailyOrderCap === 0 ? [] : [`${counted(dailyOrderCap, "order")} a day`]),
    ...(allowedDomains === null ? [] : [`links only to ${allowedDomains.join(", ")}`]),
    ...(approveAboveCents === null ? [] : [approvalText(approveAboveCents)]),
    ...(approveAboveCents === null ? [] : limits.alwaysAllow.map(alwaysText)),
    ...(holdLookAlikes ? ["asks about repeats"] : [])
  ]
}

/** "100.00 EUR a day · asks above 20.00 EUR · asks about repeats". */
export const limitsText = (limits: SpendLimits): string => {
  const parts = limitParts(limits)
  return parts.length === 0 ? "no limits" : parts.join(" · ")
}

/** What stands out wherever a credential that it holds for is shown. */
export const NO_DAY_LIMIT = "no daily spending limit"

/** Nothing bounds what it spends of real credit in a day, and not every order asks an owner. */
export const lacksDayLimit = ({ mode, scopes, limits }: Pick<ApiKey, "mode" | "scopes" | "limits">): boolean => {
  const { maxDayCents, approveAboveCents, alwaysAllow } = limits
  const asksAlways = approveAboveCents === 0 && alwaysAllow.length === 0
  return mode === "live" && scopes.includes("order") && maxDayCents === null && !asksAlways
}

/** No amount of real credit asks an owner first. */
export const neverAsks = ({ mode, scopes, limits }: Pick<ApiKey, "mode" | "scopes" | "limits">): boolean =>
  mode === "live" && scopes.includes("order") && limits.approveAboveCents === null

/** "Today: 70.00 EUR spent in 2 orders, 250.00 EUR waiting"; `null` if it asked for nothing today. */
export const todayText = ({ quotes, dailyOrderCap, report }: Agent): string | null => {
  if (quotes === 0) return null
  const { today, reservedTodayCents } = report
  const sums = [
    ...(today.orders === 0 ? [] : [`${formatEur(today.cents)} spent in ${counted(today.orders, "order")}`]),
    ...(reservedTodayCents === 0 ? [] : [`${formatEur(reservedTodayCents)} waiting`])
  ]
  const asked = dailyOrderCap === 0 ? "" : `; ${separated(quotes)} of ${counted(dailyOrderCap, "order")} asked for`
  return `Today: ${sums.length === 0 ? "nothing spent" : sums.join(", ")}${asked}`
}
