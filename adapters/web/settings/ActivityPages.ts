// What agents, members and operators did with the account, newest first: also what agents asked for, and what was refused to them.
import { Clock, Result } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { type ApiKey, isActive } from "#core/domain/access/ApiKey.ts"
import { credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { REFUSALS_KEPT_DAYS, type RefusedAttempts, type RefusedBy } from "#core/domain/operations/AgentActivity.ts"
import { awaitsApproval, type Quote } from "#core/domain/ordering/Quote.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { idTimeMs } from "#core/domain/shared/DecisionContext.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type Activity, type Doer, ViewActivity } from "#core/usecases/operations/ViewActivity.ts"
import { refusedText } from "../agents/AgentColumns.ts"
import { linksText, targetsOf } from "../agents/Placers.ts"
import { refusedFilters } from "../form/ErrorSummary.ts"
import { fresh } from "../form/Fields.ts"
import { STOP_PATH } from "../frame/AreaLayout.ts"
import { zoneOf } from "../frame/Reader.ts"
import { page, titled } from "../Page.ts"
import { type Column, pageLinks, plainly, table } from "../Tables.ts"
import { quoteStatusText, quoteTone, state } from "../Wording.ts"
import { filterForm, filtersIn, readFilter } from "./ActivityFilter.ts"
import { actionWords } from "./ActivityWords.ts"

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

const paths: ReadonlyArray<readonly [prefix: string, path: string]> = [
  ["ord_", "/account/orders/"],
  ["q_", "/account/quotes/"],
  ["top_", "/account/credit/top-ups/"]
]

/** What it was done to is linked where it has a page. */
const sentence = (by: Doer, says: string, id: string): Html => {
  const known = paths.find(([prefix]) => id.startsWith(prefix))
  return known === undefined
    ? html`<strong>${doerText(by)}</strong> ${says}`
    : html`<strong>${doerText(by)}</strong> <a href="${known[1]}${id}">${says}</a>`
}

/** The names of keys and connections by their ids. */
type Names = ReadonlyMap<string, string>

/** A link is told by its site, and leads to its order. */
const recorded = ({ by, record, link }: Extract<Activity, { readonly _tag: "Recorded" }>, names: Names): Html => {
  const { action, details, subject } = record
  const name = names.get(subject)
  const named = name === undefined ? `a ${action.split(".")[0]}` : `“${isolated(name)}”`
  const what = link === null ? named : `the link on ${isolated(link.domain)}`
  const says = actionWords[action]?.(details, what) ?? `made a change that is called “${action}”`
  return sentence(by, says, link?.orderId ?? subject)
}

/** What waits for a decision leads to where it is decided. */
const asked = (by: Doer, quote: Quote): Html => {
  const { quoteId, totalCents } = quote
  const path = awaitsApproval(quote) ? `/account/approvals/${quoteId}` : `/account/quotes/${quoteId}`
  const says = `asked to order ${linksText(targetsOf(quote))} for ${formatEur(totalCents)}`
  return html`<strong>${doerText(by)}</strong> <a href="${path}">${says}</a> ${state(quoteStatusText(quote), quoteTone(quote))}`
}

/** Where an owner lets it do what was refused. */
const remedyOf = (rule: RefusedBy, { keyId }: ApiKey): readonly [path: string, says: string] | null => {
  switch (rule) {
    case "agents_stopped":
      return [STOP_PATH, "Let agents order again"]
    case "paused":
      return ["/account", "Resume it on the overview"]
    case "credit_owed":
      return ["/account/credit/top-ups", "Top up"]
    case "approve_above_cents":
      return null
    default:
      return [`/account/${credentialKind(keyId)}s/${keyId}/limits`, "Change its limits"]
  }
}

const refused = (by: Doer, attempts: RefusedAttempts, key: ApiKey, isOwner: boolean): Html => {
  const { count, rule, lastCents, lastTarget } = attempts
  const sandbox = key.mode === "sandbox" ? " in the sandbox" : ""
  const often = count === 1 ? "" : ` ${counted(count, "time")}`
  const parts = [
    lastTarget === null ? [] : `links to ${lastTarget}`,
    lastCents === null ? [] : formatEur(lastCents)
  ].flat()
  const last = parts.length === 0 ? "" : ` for ${parts.join(", ")}`
  const what = last === "" ? nothing : html`${count === 1 ? "It was" : "The last was"}${last}. `
  const remedy = isOwner ? remedyOf(rule, key) : null
  const link = remedy === null ? nothing : html`<a href="${remedy[0]}">${remedy[1]}</a>`
  const more = what === nothing && link === nothing ? nothing : html`.<br> <small>${what}${link}</small>`
  return html`<strong>${doerText(by)}</strong> tried to order${sandbox}${often}, ${state("refused", "bad")} ${refusedText[rule]}${more}`
}

const told = (entry: Activity, { member }: SignedIn, names: Names, nowMs: number): Html => {
  switch (entry._tag) {
    case "Recorded":
      return recorded(entry, names)
    case "Ordered": {
      const { order, links } = entry.placed
      const says = `ordered ${counted(links.length, "link")} for ${formatEur(order.totalCents)}`
      return sentence(entry.by, says, order.orderId)
    }
    case "Asked":
      return asked(entry.by, entry.quote)
    case "Refused":
      return refused(entry.by, entry.attempts, entry.key, member.role === "owner" && isActive(entry.key, nowMs))
  }
}

const columnsFor = (who: SignedIn, names: Names, nowMs: number): ReadonlyArray<Column<Activity>> => [
  plainly("Who did what", (entry) => told(entry, who, names, nowMs)),
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

const activityPage = page("viewer", PATH, { section: "Activity", title: "Activity" }, function* ({ who, query }) {
  const { account, member } = who
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
  return html`<p>What agents ordered, asked for and tried, and what members and the operator did, newest first. Refused attempts are kept for ${REFUSALS_KEPT_DAYS} days. Orders of the sandbox are under <a href="/account/orders?mode=sandbox">Orders</a>.</p>
${filterForm(fresh(Object.fromEntries(query)))}
${entries.length === 0 ? noneText(filters.size > 0, before, nextBefore) : table(columnsFor(who, names, yield* Clock.currentTimeMillis), entries)}
${pageLinks(
  { path: PATH, filters, at: before, next: nextBefore },
  { first: "Newest", next: isCut ? "Look further back" : "Older" }
)}`
})

export const activityPages = [activityPage]
