// What each agent did, as columns of a table: today, in the last seven days, and last.
import { counted, separated } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { RefusedBy } from "#core/domain/operations/AgentActivity.ts"
import type { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import { formatEur, sum } from "#core/domain/pricing/Money.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { Agent } from "#core/usecases/members/ViewAgents.ts"
import { addressOf, type Column, column, meter, money, named } from "../Tables.ts"
import { state } from "../Wording.ts"
import { linksText } from "./Placers.ts"

/** Why an attempt was refused, after "refused". */
export const refusedText: Readonly<Record<RefusedBy, string>> = {
  max_order_cents: "over its spending limit per order",
  max_day_cents: "over its daily spending limit",
  allowed_domains: "a domain that it may not link to",
  approve_above_cents: "a target that you had not approved",
  agents_stopped: "while all agents were stopped",
  paused: "while it was paused",
  credit_owed: "while you owe for a top-up",
  daily_order_cap: "over its number of orders a day"
}

const kindText = ({ keyId, prefix, lastFour, consent }: ApiKey): string =>
  credentialKind(keyId) === "key" ? `key ${prefix}…${lastFour}` : `connection, ${consent?.clientHost ?? ""}`

/** What a credential is called, and what it is. */
export const agentName = (key: ApiKey): Html =>
  html`${key.label}<br><small>${kindText(key)}</small>${key.mode === "sandbox" ? html`<br>${state("sandbox")}` : nothing}${
    key.pausedAtMs === undefined
      ? nothing
      : html`<br>${state("paused", "wait")} <small>since ${instant(key.pausedAtMs)}</small>`
  }${key.expiresAtMs === undefined ? nothing : html`<br><small>expires ${instant(key.expiresAtMs)}</small>`}`

const shareOf = (used: number, limit: number): number => (limit === 0 ? 1 : used / limit)

/** Both what is spent and what is held count against the limit. */
const spending = ({ report: { today, reservedTodayCents }, spentCents, key }: Agent): Html => {
  const { maxDayCents } = key.limits
  const held =
    reservedTodayCents === 0 ? nothing : html`<small>${formatEur(reservedTodayCents)} more is held</small><br>`
  if (maxDayCents === null) return html`${formatEur(today.cents)}<br>${held}`
  const says = `${formatEur(spentCents)} of ${formatEur(maxDayCents)}`
  return html`${formatEur(today.cents)}${meter(shareOf(spentCents, maxDayCents), `${says} used today`)}${held}<small>limit ${formatEur(maxDayCents)} a day</small><br>`
}

const ordering = ({ report: { today }, quotes, dailyOrderCap, key }: Agent): Html => {
  if (dailyOrderCap === 0) return html`<small>${counted(today.orders, "order")}</small>`
  const says = `${separated(quotes)} of ${counted(dailyOrderCap, "order")}`
  return html`${key.limits.maxDayCents === null ? html`${meter(shareOf(quotes, dailyOrderCap), `${says} used today`)}` : nothing}<small>${counted(today.orders, "order")}, limit ${dailyOrderCap} a day</small>`
}

const listOf = (wait: "approval" | "payment", mode: Mode): string =>
  addressOf("/account/quotes", new URLSearchParams({ state: wait, ...(mode === "live" ? {} : { mode }) }))

const waiting = ({
  key: { mode },
  report: {
    waiting: { approvals, payments }
  }
}: Agent): Html =>
  html`${approvals === 0 ? nothing : html`<br><a href="${mode === "live" ? "/account/approvals" : listOf("approval", mode)}">${state(`${separated(approvals)} ${approvals === 1 ? "waits" : "wait"} for you`, "wait")}</a>`}${
    payments === 0 ? nothing : html`<br><a href="${listOf("payment", mode)}">${state(`${payments} to pay`, "wait")}</a>`
  }`

const refused = ({ report: { refusedToday } }: Agent): Html => {
  const [last] = refusedToday
  if (last === undefined) return nothing
  const count = sum(refusedToday.map((one) => one.count))
  return html`<br>${state(`${separated(count)} refused`, "bad")}<br><small>${refusedText[last.rule]}</small>`
}

const ASKED: Readonly<Record<QuoteStatus, (links: string) => string>> = {
  paid: (links) => `Ordered ${links}`,
  awaiting_approval: (links) => `Asked to order ${links}`,
  awaiting_payment: (links) => `Ordered ${links}, not paid yet`,
  abandoned: (links) => `Asked for ${links}, which was not bought`
}

const did = ({ report: { lastPurchase, lastRefused }, lastUsedAtMs }: Agent): Html => {
  if (lastRefused !== null && lastRefused.lastAtMs >= (lastPurchase?.atMs ?? 0)) {
    const { lastCents, lastTarget, lastAtMs, rule } = lastRefused
    const what = `${lastCents === null ? "" : ` for ${formatEur(lastCents)}`}${lastTarget === null ? "" : ` to ${lastTarget}`}`
    return html`Tried to order${what}<br><small>refused: ${refusedText[rule]}, ${instant(lastAtMs)}</small>`
  }
  if (lastPurchase !== null) {
    const { status, targets, atMs, totalCents } = lastPurchase
    return html`${ASKED[status](linksText(targets))}<br><small>${formatEur(totalCents)}, ${instant(atMs)}</small>`
  }
  return lastUsedAtMs === null
    ? html`<small>not used yet</small>`
    : html`Looked, and ordered nothing<br><small>${instant(lastUsedAtMs)}</small>`
}

export const agentColumns: ReadonlyArray<Column<Agent>> = [
  named("Agent", ({ key }) => agentName(key)),
  column("Spent today", (agent) => html`${spending(agent)}${ordering(agent)}${waiting(agent)}${refused(agent)}`),
  money(
    "Last 7 days",
    ({ report: { week, refusedInWeek } }) =>
      html`${formatEur(week.cents)}<br><small>${counted(week.orders, "order")}</small>${refusedInWeek === 0 ? nothing : html`<br><small>${refusedInWeek} refused</small>`}`
  ),
  column("Last action", did)
]
