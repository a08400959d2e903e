// The limits of a key: their fields, what the fields mean, and limits as a person would say them.
import { Schema } from "effect"
import { counted, separated } from "#adapters/contract/shared/Counted.ts"
import type { AlwaysAllowed, SpendLimits } from "#core/domain/access/ApiKey.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import type { KeyToday } from "#core/usecases/members/ViewAccount.ts"
import { domainAmountsField, domainsField, wholeField } from "./form/FieldSchemas.ts"
import { amount, lines, text, tick, under, type Values } from "./form/Fields.ts"

/** In every field, nothing is no limit, and 0 is nothing at all. */
export const limitFields = {
  ...under("Limits", {
    max_order: amount("Spending limit per order (EUR)", "Empty: no limit. 0: it may spend nothing."),
    max_day: amount(
      "Daily spending limit (EUR)",
      "Empty: no limit. 0: it may spend nothing. Daily limits reset at 00:00 UTC."
    ),
    daily_cap: text(Schema.optionalKey(wholeField(1, 1_000_000)), "Orders per day", {
      hint: "Empty: no limit. To let it order nothing, pause it.",
      inputMode: "numeric"
    }),
    domains: lines(Schema.optionalKey(domainsField), "Links may only point to these domains", {
      hint: "One on each line; subdomains are included. Empty: anywhere."
    })
  }),
  ...under("Ask an owner first", {
    approve_above: amount(
      "Ask me before orders over (EUR)",
      "They wait for an owner's approval. Empty: never ask. 0: ask before every order."
    ),
    always_allow: lines(Schema.optionalKey(domainAmountsField), "Except orders that link only to these domains", {
      hint: "One on each line with its amount, such as shop.example 50.00: orders up to that amount do not wait. Subdomains are included."
    }),
    hold_look_alikes: tick("For an order with the same links as one of the last 10 minutes")
  })
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
  aboveCents === 0 ? "every order waits for approval" : `orders over ${formatEur(aboveCents)} wait for approval`

const alwaysText = ({ domain, upToCents }: AlwaysAllowed): string =>
  `orders that link only to ${domain}, up to ${formatEur(upToCents)}, do not wait`

export const limitsText = (limits: SpendLimits): string => {
  const { maxOrderCents, maxDayCents, dailyOrderCap, allowedDomains, approveAboveCents, holdLookAlikes } = limits
  const parts = [
    ...(maxOrderCents === null ? [] : [`at most ${formatEur(maxOrderCents)} an order`]),
    ...(maxDayCents === null ? [] : [`at most ${formatEur(maxDayCents)} a day`]),
    ...(dailyOrderCap === null || dailyOrderCap === 0 ? [] : [`at most ${counted(dailyOrderCap, "order")} a day`]),
    ...(allowedDomains === null ? [] : [`links only to ${allowedDomains.join(", ")}`]),
    ...(approveAboveCents === null ? [] : [approvalText(approveAboveCents)]),
    ...(approveAboveCents === null ? [] : limits.alwaysAllow.map(alwaysText)),
    ...(holdLookAlikes ? ["an order like a recent one waits for approval"] : [])
  ]
  return parts.length === 0 ? "no limit" : parts.join("; ")
}

/** Every quote of this UTC day counts, and what the open and the paid ones cost. */
export const todayText = ({ quotes, spentCents, dailyOrderCap, key }: KeyToday): string => {
  const { maxDayCents } = key.limits
  const orders =
    dailyOrderCap === 0 ? counted(quotes, "order") : `${separated(quotes)} of ${counted(dailyOrderCap, "order")}`
  const spent = `${formatEur(spentCents)}${maxDayCents === null ? "" : ` of ${formatEur(maxDayCents)}`}`
  return `${orders} asked for, ${spent} spent or waiting today`
}

/** What the limits of the key leave of this UTC day. */
export const leftText = ({ quotes, spentCents, dailyOrderCap, key }: KeyToday): string => {
  const { maxDayCents } = key.limits
  const left = [
    ...(dailyOrderCap === 0 ? [] : [counted(Math.max(0, dailyOrderCap - quotes), "order")]),
    ...(maxDayCents === null ? [] : [formatEur(Math.max(0, maxDayCents - spentCents))])
  ]
  return left.length === 0 ? "no limit for the day" : `${left.join(" and ")} left today`
}
