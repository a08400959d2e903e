// What agents, members and operators did with the account, newest first.
import { Result, Schema } from "effect"
import { counted, spanText } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated } from "#adapters/html/Html.ts"
import { ROTATION_GRACE_MS } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { LinkStatus } from "#core/domain/ordering/Link.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { idTimeMs } from "#core/domain/shared/DecisionContext.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type Activity, type Doer, ViewActivity } from "#core/usecases/operations/ViewActivity.ts"
import { scopesText } from "../Credentials.ts"
import { refusedFilters } from "../form/ErrorSummary.ts"
import { fresh } from "../form/Fields.ts"
import { zoneOf } from "../frame/Reader.ts"
import { page, titled } from "../Page.ts"
import { type Column, pageLinks, plainly, table } from "../Tables.ts"
import { linkStatusText } from "../Wording.ts"
import { filterForm, filtersIn, readFilter } from "./ActivityFilter.ts"

const PATH = "/account/settings/activity"

const PAGE_SIZE = 20

/** The subject of a sentence. */
const doerText = (by: Doer): string => {
  switch (by._tag) {
    case "Member":
      return by.name.startsWith("mem_") ? "A former member" : by.name
    case "Key": {
      const kind = credentialKind(by.keyId)
      return kind === "web" ? "A member, in the Shop," : `${isolated(by.label)} (${kind})`
    }
    case "Operator":
      return "The operator"
    case "Processor":
      return "The payment provider"
    case "Service":
      return "The service"
  }
}

type Details = AuditRecord["details"]

const text = (details: Details, name: string): string => isolated(String(details[name] ?? ""))
const cents = (details: Details): string => formatEur(Number(details["cents"] ?? 0))

const NEAR_LIMIT = "used 80 % or more of a daily limit"

/** What an assistant was allowed, in the words of its page. */
const allowedText = (details: Details): string => {
  const scopes = String(details["scopes"] ?? "")
  const may = scopesText((["read", "order"] as const).filter((scope) => scopes.split(" ").includes(scope)))
  return details["mode"] === "sandbox" ? `${may}, in the sandbox` : may
}

const isLinkStatus = Schema.is(LinkStatus)

const disputed = (details: Details, what: string): string =>
  details["state"] === "won"
    ? `booked that the dispute over ${cents(details)} of a ${what} is won`
    : `booked a dispute over ${cents(details)} of a ${what}`

/**
 * What is told of an action, as the rest of a sentence. `agent`: the name of the key or connection that it was done to. The others are named
 * as the audit names them, without details: these may be the operator's own.
 */
const actions: Readonly<Record<string, (details: Details, agent: string) => string>> = {
  "account.open": () => "opened the account",
  "account.email": (details) => `changed the account's address to ${text(details, "to")}`,
  "account.edit": () => "changed what is kept of the account",
  "account.rename": (details) => `renamed the account from “${text(details, "from")}” to “${text(details, "to")}”`,
  "account.close": () => "closed the account",
  "account.top_up": (details) => `booked a top-up of ${cents(details)}: ${text(details, "reference")}`,
  "account.billing": () => "changed the billing identity",
  "account.confirm_vat": () => "confirmed your VAT id",
  "account.withdraw_vat": () => "took back the confirmation of your VAT id",
  "account.debit": (details) => `took back ${cents(details)}: ${text(details, "reason")}`,
  "agents.stop": () => "stopped all agents",
  "agents.resume": () => "let agents order again",
  "connection.consent": (details) =>
    `allowed the assistant “${text(details, "client")}” of ${text(details, "host")} to ${allowedText(details)}`,
  "connection.limit": (_, agent) => `set the limits of ${agent}`,
  "connection.view": (details, agent) =>
    details["account"] === true
      ? `let ${agent} read all orders of the account`
      : `let ${agent} read its own orders alone, which ended its webhooks for all of them`,
  "connection.near_limit": () => NEAR_LIMIT,
  "connection.pause": (details) => `paused “${text(details, "label")}”`,
  "connection.resume": (details) => `let “${text(details, "label")}” order again`,
  "connection.revoke": (_, agent) => `revoked ${agent}`,
  "key.issue": (details) => `created the ${text(details, "mode")} key “${text(details, "label")}”`,
  "key.rotate": (details, agent) =>
    details["now"] === true
      ? `replaced ${agent} at once`
      : `replaced ${agent}; the one before stays active for ${spanText(ROTATION_GRACE_MS)}`,
  "key.limit": (_, agent) => `set the limits of ${agent}`,
  "key.near_limit": () => NEAR_LIMIT,
  "key.expire": () => "expired",
  "key.pause": (details) => `paused “${text(details, "label")}”`,
  "key.resume": (details) => `let “${text(details, "label")}” order again`,
  "key.revoke": (_, agent) => `revoked ${agent}`,
  "payment.refund": (details) => `booked a refund of ${cents(details)} of a card payment`,
  "payment.dispute": (details) => disputed(details, "card payment"),
  "payment.resolve": (details) => `settled a payment of ${cents(details)} that had been set aside`,
  "topup.refund": (details) => `booked a refund of ${cents(details)} of a top-up`,
  "topup.dispute": (details) => disputed(details, "top-up"),
  "topup.cancel": (details) => `withdrew a top-up of ${cents(details)}`,
  "link.cancel": (details) => `cancelled a link: ${text(details, "reason")}`,
  "link.change": () => "changed the target, the anchor or the brief of a link",
  "link.correct": () => "corrected the address of a published link",
  "link.move": ({ to }) => (isLinkStatus(to) ? `moved a link on: it ${linkStatusText[to]}` : "moved a link on"),
  "factor.passkey_added": () => "added a passkey",
  "factor.passkey_removed": () => "removed a passkey",
  "factor.totp_added": () => "added an authenticator app",
  "factor.totp_removed": () => "removed an authenticator app",
  "factor.code_issued": () => "made a one-time code for a member, which stands in for a lost passkey or app",
  "member.add": (details) => `let ${text(details, "email")} sign in, as ${text(details, "role")}`,
  "member.invite": (details) => `invited ${text(details, "email")}, as ${text(details, "role")}`,
  "member.join": (details) => `accepted the invitation, as ${text(details, "role")}`,
  "member.email": (details) =>
    `has another address now, ${text(details, "email")} instead of ${text(details, "label")}`,
  "member.email_ask": (details) => `asked to change their address to ${text(details, "to")}`,
  "member.email_refuse": (details) => `refused, from the former address, to change it to ${text(details, "to")}`,
  "member.email_withdraw": (details) => `withdrew the change of their address to ${text(details, "to")}`,
  "invitation.withdraw": (details) => `withdrew the invitation of ${text(details, "email")}`,
  "member.remove": (details) => `removed ${text(details, "email")}`,
  "member.role": (details) => `made a member ${text(details, "to")}`,
  "quote.abandon": () => "withdrew an unpaid order",
  "quote.approve": (details) => `approved an order of ${cents(details)}`,
  "quote.decline": (details) =>
    text(details, "reason") === "" ? "declined an order" : `declined an order: ${text(details, "reason")}`,
  "quote.expire": (details) => `ended an order of ${cents(details)} that was not approved in time`,
  "quote.pay": (details) => `recorded a payment of ${cents(details)}`,
  "reviewer.create": (details) => `made the sign-in of the reviewer ${text(details, "name")}`,
  "reviewer.end": (details) => `ended the sign-in of the reviewer ${text(details, "name")}`,
  "topup.open": (details) => `began a top-up of ${cents(details)}`,
  "webhook.add": (details) => `added the webhook ${text(details, "url")}`,
  "webhook.add_account": (details) => `added the webhook ${text(details, "url")} for all orders of the account`,
  "webhook.move_account": (details) => `sent all orders of the account to the webhook ${text(details, "url")}`,
  "webhook.change": (details) => `changed the webhook ${text(details, "url")}`,
  "webhook.disable": (details) => `switched off the webhook ${text(details, "url")}, which failed for too long`,
  "webhook.remove": (details) => `removed the webhook ${text(details, "url")}`
}

const paths: ReadonlyArray<readonly [prefix: string, path: string]> = [
  ["ord_", "/account/orders/"],
  ["q_", "/account/quotes/"],
  ["top_", "/account/credit/top-ups/"]
]

/** What it was done to is linked where it has a page, and its id is small and last. */
const sentence = (by: Doer, says: string, id: string): Html => {
  const known = paths.find(([prefix]) => id.startsWith(prefix))
  return known === undefined
    ? html`<strong>${doerText(by)}</strong> ${says}`
    : html`<strong>${doerText(by)}</strong> <a href="${known[1]}${id}">${says}</a><br><small><code>${id}</code></small>`
}

/** The names of keys and connections by their ids. */
type Names = ReadonlyMap<string, string>

const done = (entry: Activity, names: Names): Html => {
  if (entry._tag === "Ordered") {
    const { order, links } = entry.placed
    const says = `ordered ${counted(links.length, "link")} for ${formatEur(order.totalCents)}`
    return sentence(entry.by, says, order.orderId)
  }
  const { action, details, subject } = entry.record
  const name = names.get(subject)
  const agent = name === undefined ? `a ${action.split(".")[0]}` : `“${isolated(name)}”`
  const says = actions[action]?.(details, agent) ?? `made a change that is called “${action}”`
  return sentence(entry.by, says, subject)
}

/** The actions that have words. */
export const toldActions: ReadonlyArray<string> = Object.keys(actions)

const columnsFor = (names: Names): ReadonlyArray<Column<Activity>> => [
  plainly("Who did what", (entry) => done(entry, names)),
  plainly("When", ({ atMs }) => instant(atMs))
]

/** Instead of a table without rows. */
const noneText = (isFiltered: boolean, before: string | null, next: string | null): Html => {
  const searchedTo = next === null ? undefined : idTimeMs(next)
  if (searchedTo !== undefined)
    return html`<p class="note">No match yet: what was done back to ${instant(searchedTo)} was searched. “Look further back” continues from there.</p>`
  if (isFiltered)
    return html`<p class="empty">No activity matches. Choose a longer period or fewer conditions, or <a href="${PATH}">show everything</a>.</p>`
  return html`<p class="empty">${before === null ? "Nothing was done with this account yet." : "Nothing was done before that."}</p>`
}

const activityPage = page(
  "viewer",
  PATH,
  { section: "Activity", title: "Activity" },
  function* ({ who: { account, member }, query }) {
    const decoded = readFilter(query, zoneOf(member))
    if (Result.isFailure(decoded)) {
      const state = { values: query, messages: decoded.failure }
      return titled("Activity", filterForm(state), { status: 422, refused: refusedFilters(PATH, state) })
    }
    const filters = filtersIn(query)
    const before = query.get("before")
    const { accountId } = account
    const search = { accountId, limit: PAGE_SIZE, before, filter: decoded.success }
    const { entries, nextBefore } = yield* (yield* ViewActivity).page(search)
    const keys = yield* (yield* ViewAccount).keys(accountId)
    const names = new Map(keys.map(({ key }) => [String(key.keyId), key.label]))
    const isCut = entries.length < PAGE_SIZE && nextBefore !== null
    return html`<p>What agents, members and the operator did, newest first. Orders of the sandbox are under <a href="/account/orders?mode=sandbox">Orders</a>.</p>
${filterForm(fresh(Object.fromEntries(query)))}
${entries.length === 0 ? noneText(filters.size > 0, before, nextBefore) : table(columnsFor(names), entries)}
${pageLinks(
  { path: PATH, filters, at: before, next: nextBefore },
  { first: "Newest", next: isCut ? "Look further back" : "Older" }
)}`
  }
)

export const activityPages = [activityPage]
