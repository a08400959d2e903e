// What each agent did, as columns of a table: today, with the last seven days below, what waits of it, and what it did last.
import { counted, separated } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { LastPurchase, RefusedBy } from "#core/domain/operations/AgentActivity.ts"
import { formatEur, sum } from "#core/domain/pricing/Money.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { Agent, AgentsLately } from "#core/usecases/members/ViewAgents.ts"
import { lacksDayLimit, NO_DAY_LIMIT } from "../KeyLimits.ts"
import { addressOf, type Column, column, meter, named } from "../Tables.ts"
import { quoteStatusText, state } from "../Wording.ts"
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

/** "80.00", where the currency follows once. */
const bare = (cents: number): string => formatEur(cents).replace(/ EUR$/, "")

/** A warning only where real money can go without a bound; an owner sets one. */
const unlimited = ({ member }: SignedIn, key: ApiKey): Html => {
  if (!lacksDayLimit(key)) return key.mode === "live" ? html`<br><small>asks before every order</small>` : nothing
  const { keyId, label } = key
  const path = credentialKind(keyId) === "connection" ? "/account/connections" : "/account/keys"
  const set =
    member.role === "owner"
      ? html` <a class="small num" href="${path}/${keyId}/limits" aria-label="Set a limit for ${label}">Set a limit</a>`
      : nothing
  return html`<br> ${state(NO_DAY_LIMIT, "wait")}${set}`
}

/** What waits counts against the limit, as what is spent does: the words stand below the bar, which there is once something is used. */
const ofDay = (who: SignedIn, { report: { today, reservedTodayCents }, spentCents, key }: Agent): Html => {
  const { maxDayCents } = key.limits
  if (maxDayCents === null) return unlimited(who, key)
  const parts = reservedTodayCents === 0 ? "" : ` (${bare(today.cents)} spent, ${bare(reservedTodayCents)} waiting)`
  const says = `${bare(spentCents)} of ${formatEur(maxDayCents)}${parts}`
  return spentCents === 0 ? html`${says}` : html`${meter(shareOf(spentCents, maxDayCents), says)}<small>${says}</small>`
}

/** Each order that was asked for counts against the cap. */
const ordering = ({ quotes, dailyOrderCap }: Agent): Html =>
  dailyOrderCap === 0
    ? nothing
    : html`<br><small>${separated(quotes)} of ${counted(dailyOrderCap, "order")} a day asked for</small>`

const mayOrder = ({ key }: Agent): boolean => key.scopes.includes("order")

/** Nothing where today says the same. */
const ofWeek = ({ report: { today, week } }: Agent): Html =>
  week.cents === 0 || week.cents === today.cents
    ? nothing
    : html`<br><small>${formatEur(week.cents)} in 7 days, ${counted(week.orders, "order")}</small>`

/** A limit of which nothing is used says so itself. */
const spending = (who: SignedIn, agent: Agent): Html => {
  const { today } = agent.report
  if (!mayOrder(agent)) return html`–`
  const orders = today.orders === 0 ? nothing : html` <small>in ${counted(today.orders, "order")}</small>`
  const spent =
    agent.spentCents === 0 && agent.key.limits.maxDayCents !== null ? nothing : html`${formatEur(today.cents)}${orders}`
  return html`${spent}${ofDay(who, agent)}${ordering(agent)}${ofWeek(agent)}`
}

const listOf = (wait: "approval" | "payment", mode: Mode): string =>
  addressOf("/account/quotes", new URLSearchParams({ state: wait, ...(mode === "live" ? {} : { mode }) }))

/** What waits for the people of the account; empty where nothing does. */
const needs = ({ key: { mode }, report }: Agent): Html => {
  const { approvals, payments, cents } = report.waiting
  const both = approvals > 0 && payments > 0
  const line = (count: number, deed: string, path: string): ReadonlyArray<Html> => {
    const says = `${separated(count)} to ${deed}`
    return count === 0 ? [] : [html`<a href="${path}">${state(says, "wait")}</a>`]
  }
  const lines = [
    ...line(approvals, "approve", mode === "live" ? "/account/approvals" : listOf("approval", mode)),
    ...line(payments, "pay", listOf("payment", mode)),
    ...(approvals + payments === 0
      ? []
      : [html`<small class="num">${both ? "together " : ""}${formatEur(cents)}</small>`])
  ]
  return html`${lines.map((one, nth) => (nth === 0 ? one : html`<br>${one}`))}`
}

const REFUSALS_PATH = addressOf("/account/settings/activity", new URLSearchParams({ about: "orders", by: "agent" }))

/** How many were refused today, and why the last was; nothing is to be done about them. */
const refused = ({ report: { refusedToday } }: Agent): Html => {
  const [last] = refusedToday
  if (last === undefined) return nothing
  const count = sum(refusedToday.map((one) => one.count))
  return html`<br><a href="${REFUSALS_PATH}">${state(`${separated(count)} refused today`, "bad")}</a> <small>${refusedText[last.rule]}</small>`
}

const SHORT_LINKS = "12 links to brand.example".length

/** A long domain is left out: the page of the order says it. */
const shortLinks = (targets: LastPurchase["targets"]): string => {
  const says = linksText(targets)
  return says.length > SHORT_LINKS ? counted(targets.length, "link") : says
}

/** What it asked for last, and what became of that. */
const lastAsked = (last: LastPurchase): Html => {
  const { quoteId, orderId, status, targets, atMs, totalCents } = last
  const unpaid = `/account/${status === "awaiting_approval" ? "approvals" : "quotes"}/${quoteId}`
  const link = html`<a href="${orderId === null ? unpaid : `/account/orders/${orderId}`}">${shortLinks(targets)}</a>`
  const became = status === "paid" ? "" : `${quoteStatusText(last)}, `
  return html`${status === "paid" ? "Ordered" : "Asked to order"} ${link}<br><small>${became}${formatEur(totalCents)}, ${instant(atMs)}</small>`
}

/** The rule that refused it stands with those of today, where it is one of them. */
const did = ({ report: { lastPurchase, lastRefused, refusedToday }, lastUsedAtMs }: Agent): Html => {
  if (lastRefused !== null && lastRefused.lastAtMs >= (lastPurchase?.atMs ?? 0)) {
    const { lastCents, lastTarget, lastAtMs, rule } = lastRefused
    const what = `${lastTarget === null ? "" : ` links to ${lastTarget}`}${lastCents === null ? "" : ` for ${formatEur(lastCents)}`}`
    const why = refusedToday.length === 0 ? `refused: ${refusedText[rule]}, ` : ""
    return html`Tried to order${what}<br><small>${why}${instant(lastAtMs)}</small>`
  }
  if (lastPurchase !== null) return lastAsked(lastPurchase)
  return lastUsedAtMs === null
    ? html`<small>not used yet</small>`
    : html`Looked, and ordered nothing<br><small>${instant(lastUsedAtMs)}</small>`
}

/** It neither ordered nor tried to in seven days, and nothing of it waits. */
const isIdle = ({ report: { week, refusedInWeek, reservedTodayCents, waiting } }: Agent): boolean =>
  week.orders + refusedInWeek + reservedTodayCents + waiting.approvals + waiting.payments === 0

const SPENDERS_NAMED = 2

/** What those of them came to that spend real money, for `figures`; also those that ended in the week. */
export const spentCard = ({ active, ended }: AgentsLately): readonly [label: string, amount: string, note: Html] => {
  const live = [...active, ...ended].filter(({ key }) => key.mode === "live")
  const total = (span: "today" | "week") => formatEur(sum(live.map(({ report }) => report[span].cents)))
  const spenders = live
    .filter(({ report }) => report.today.cents > 0)
    .toSorted((one, other) => other.report.today.cents - one.report.today.cents)
  const named = spenders
    .slice(0, SPENDERS_NAMED)
    .map(({ key, report }) => `${isolated(key.label)}\u00a0${bare(report.today.cents)}`)
  const more = spenders.length - named.length
  const who = `${named.join(", ")}${more > 0 ? ` and ${counted(more, "more agent")}` : ""}`
  return [
    "Spent by agents today",
    total("today"),
    html`${who === "" ? nothing : html`${who}<br>`}${total("week")} in the last 7 days`
  ]
}

export const agentColumns = (who: SignedIn): ReadonlyArray<Column<Agent>> => [
  named(
    "Agent",
    (agent) => html`${agentName(agent.key)}${mayOrder(agent) ? nothing : html`<br>${state("only reads")}`}`
  ),
  column("Spent today", (agent) => spending(who, agent)),
  column("Needs you", needs),
  column("Last action", (agent) =>
    isIdle(agent) ? html`<span class="idle">${did(agent)}</span>` : html`${did(agent)}${refused(agent)}`
  )
]
