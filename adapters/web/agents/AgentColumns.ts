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
import { addressOf, type Column, column, meter, named, numbers } from "../Tables.ts"
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

const kindText = ({ keyId, prefix, lastFour, consent }: ApiKey): Html =>
  credentialKind(keyId) === "key"
    ? html`<span class="num">key ${prefix}…${lastFour}</span>`
    : html`connection, ${consent?.clientHost ?? ""}`

/** What a credential is called, and what it is. */
export const agentName = (key: ApiKey): Html =>
  html`${key.label}<br><small>${kindText(key)}</small>${key.mode === "sandbox" ? html`<br>${state("sandbox")}` : nothing}${
    key.pausedAtMs === undefined
      ? nothing
      : html`<br>${state("paused", "wait")} <small>since ${instant(key.pausedAtMs)}</small>`
  }${key.expiresAtMs === undefined ? nothing : html`<br><small>expires ${instant(key.expiresAtMs)}</small>`}`

const shareOf = (used: number, limit: number): number => (limit === 0 ? 1 : used / limit)

/** What waits counts against the limit, as what is spent does: the words stand below the bar. */
const ofDay = ({ report: { reservedTodayCents }, spentCents, key }: Agent): Html => {
  const { maxDayCents } = key.limits
  if (maxDayCents === null) return html`<br><small>no daily spending limit</small>`
  const used = `${formatEur(spentCents)} of ${formatEur(maxDayCents)} a day`
  const says = reservedTodayCents === 0 ? "used" : "used or waiting"
  return html`${meter(shareOf(spentCents, maxDayCents), `${used} ${says}`)}<small>${used} ${says}</small>`
}

/** Each order that was asked for counts against the cap. */
const ordering = ({ quotes, dailyOrderCap }: Agent): Html =>
  dailyOrderCap === 0
    ? nothing
    : html`<br><small>${separated(quotes)} of ${counted(dailyOrderCap, "order")} a day asked for</small>`

const spending = (agent: Agent): Html => {
  const { today, reservedTodayCents } = agent.report
  const waits =
    reservedTodayCents === 0 ? nothing : html`<br><small>${formatEur(reservedTodayCents)} more waits</small>`
  return html`${formatEur(today.cents)} <small>in ${counted(today.orders, "order")}</small>${waits}${ofDay(agent)}${ordering(agent)}`
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
  awaiting_payment: (links) => `Asked to order ${links}, awaiting payment`,
  abandoned: (links) => `Asked to order ${links}, not bought`
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

/** It neither ordered nor tried to in seven days, and nothing of it waits. */
const isIdle = ({ report: { week, refusedInWeek, reservedTodayCents, waiting } }: Agent): boolean =>
  week.orders + refusedInWeek + reservedTodayCents + waiting.approvals + waiting.payments === 0

/** What those of them came to that spend real money, where there are several. */
export const togetherText = (agents: ReadonlyArray<Agent>): string | null => {
  const live = agents.filter(({ key }) => key.mode === "live")
  const total = (span: "today" | "week") => formatEur(sum(live.map(({ report }) => report[span].cents)))
  return live.length < 2 ? null : `Together ${total("today")} today, ${total("week")} in the last 7 days.`
}

export const agentColumns: ReadonlyArray<Column<Agent>> = [
  named("Agent", ({ key }) => agentName(key)),
  column("Spent today", (agent) => html`${spending(agent)}${waiting(agent)}${refused(agent)}`),
  numbers(
    "Last 7 days",
    ({ report: { week, refusedInWeek } }) =>
      html`${formatEur(week.cents)}<br> <small>${counted(week.orders, "order")}</small>${refusedInWeek === 0 ? nothing : html`<br><small>${refusedInWeek} refused</small>`}`
  ),
  column("Last action", (agent) => (isIdle(agent) ? html`<span class="idle">${did(agent)}</span>` : did(agent)))
]
