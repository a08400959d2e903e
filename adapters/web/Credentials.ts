// What the pages of keys and of connections share: what one may do and has used, the page of its limits, and its revocation.
import { Clock, Effect } from "effect"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import { type ApiKey, isActive, noLimits, type Scope } from "#core/domain/access/ApiKey.ts"
import { type CredentialKind, credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { type Agent, type EndedAgent, ViewAgents } from "#core/usecases/members/ViewAgents.ts"
import { askPage, form, showForm, submit } from "./form/Form.ts"
import {
  lacksDayLimit,
  limitFields,
  limitsOf,
  limitsText,
  limitValues,
  NO_DAY_LIMIT,
  neverAsks,
  orderCapOf,
  orderCapValue,
  todayText
} from "./KeyLimits.ts"
import { page, type Section, seeOther, titled, type Visit } from "./Page.ts"
import { actions, addressOf, type Column, column, named, pageLinks, table } from "./Tables.ts"
import { state } from "./Wording.ts"

/** After "may". */
export const scopesText = (scopes: ReadonlyArray<Scope>): string =>
  scopes.includes("order") ? (scopes.includes("read") ? "read and order" : "only order") : "only read"

/** A live credential without a daily limit stands out, as on the overview; one that cannot order needs no limits. `remedy`: beside what stands out. */
const limitsOfAgent = ({ key, dailyOrderCap }: Agent, remedy: Html = nothing): Html => {
  if (!key.scopes.includes("order")) return html`none needed: it cannot order`
  const says = limitsText({ ...key.limits, dailyOrderCap })
  const isUnbound = says === limitsText(noLimits)
  if (isUnbound && key.mode === "sandbox") return html`none needed: nothing is bought`
  const asks = neverAsks(key) ? ["never asks you"] : []
  const others = [...(isUnbound ? [] : [says]), ...asks].join(" · ")
  if (!lacksDayLimit(key)) return html`${others}`
  return html`${state(NO_DAY_LIMIT, "wait")}${remedy}${others === "" ? nothing : html`<br>${others}`}`
}

export const limitsColumn = ({ member }: SignedIn, path: string) =>
  column<Agent>("Limits", (agent) => {
    const { keyId, label } = agent.key
    const link = html` <a href="${path}/${keyId}/limits" class="num" aria-label="Set a limit for ${label}">Set a limit</a>`
    return limitsOfAgent(agent, member.role === "owner" ? link : nothing)
  })

export const lastUsedColumn = column<Agent>("Last used", (agent) => {
  const { lastUsedAtMs } = agent
  const today = todayText(agent)
  return html`${lastUsedAtMs === null ? "never" : instant(lastUsedAtMs)}${today === null ? nothing : html`<br><small>${today}</small>`}`
})

/** What owners do with it: what is taken back by a press comes first, and each pair stays on one line. */
export const changeColumn = (
  { member }: SignedIn,
  path: string,
  { first, last = () => nothing }: { readonly first: (key: ApiKey) => Html; readonly last?: (key: ApiKey) => Html }
) =>
  actions<Agent>(({ key }) => {
    const { keyId, label } = key
    return member.role === "owner"
      ? html`${first(key)} <a class="btn sm" href="${path}/${keyId}/limits" aria-label="Change the limits of ${label}">Limits</a> ${last(key)}<a class="btn sm danger" href="${path}/${keyId}/revoke" aria-label="Revoke ${label}">Revoke</a>`
      : nothing
  })

/** The credentials of one kind that are active, or the named one of them, with what they did. */
export const activeOf = Effect.fnUntraced(function* (kind: CredentialKind, { account }: SignedIn, keyId?: KeyId) {
  const all = yield* (yield* ViewAccount).keys(account.accountId)
  const wanted = all.filter(
    ({ key }) => credentialKind(key.keyId) === kind && (keyId === undefined || key.keyId === keyId)
  )
  return yield* (yield* ViewAgents).active(wanted)
})

/** How a credential ended, and what it had bought. */
const endedColumns = (kind: "key" | "connection"): ReadonlyArray<Column<EndedAgent>> => [
  named(
    kind === "key" ? "Key" : "Assistant",
    ({ key: { label, prefix, lastFour, consent } }) =>
      html`${label}<br><small>${consent === undefined ? html`<code>${prefix}…${lastFour}</code>` : consent.clientHost}</small>`
  ),
  column("Ended", ({ key: { revokedAtMs, expiresAtMs } }) => {
    const hasExpired = expiresAtMs !== undefined && (revokedAtMs === null || revokedAtMs >= expiresAtMs)
    return hasExpired ? html`expired ${instant(expiresAtMs)}` : html`revoked ${instant(revokedAtMs ?? 0)}`
  }),
  column("Last used", ({ lastUsedAtMs }) => (lastUsedAtMs === null ? "never" : instant(lastUsedAtMs))),
  actions(({ key: { keyId, label, mode } }) => {
    const address = addressOf(
      "/account/orders",
      new URLSearchParams({ key: keyId, ...(mode === "live" ? {} : { mode }) })
    )
    return html`<a href="${address}" aria-label="Orders of ${label}">Its orders</a>`
  })
]

const ENDED_SHOWN = 20
const ENDED_AFTER = "ended_after"

/** Those that have ended stay, with what they did. */
export const endedSection = Effect.fnUntraced(function* (
  kind: "key" | "connection",
  path: string,
  { who: { account }, query }: Visit<SignedIn>
) {
  const all = yield* (yield* ViewAgents).ended(account.accountId)
  const ended = all.filter(({ key }) => credentialKind(key.keyId) === kind)
  if (ended.length === 0) return nothing
  const at = query.get(ENDED_AFTER)
  const from = 1 + ended.findIndex(({ key }) => key.keyId === at)
  const shown = ended.slice(from, from + ENDED_SHOWN)
  const more = ended.length - from - shown.length
  const next = more === 0 ? null : (shown.at(-1)?.key.keyId ?? null)
  const texts = { first: "Those that ended last", next: `and ${more} more` }
  return html`<h2 id="ended">Ended</h2>
${table(endedColumns(kind), shown)}
${pageLinks({ path, at: from === 0 ? null : at, next }, texts, { name: ENDED_AFTER })}`
})

/** The named key or connection. Those of other accounts, and ended ones, are as unknown as none. */
export const activeKey = Effect.fnUntraced(function* (
  { who: { account }, params: { id = "" } }: Visit<SignedIn>,
  kinds: ReadonlyArray<CredentialKind> = ["key", "connection"]
) {
  const keyId = KeyId.make(id)
  const nowMs = yield* Clock.currentTimeMillis
  const all = yield* (yield* ViewAccount).keys(account.accountId)
  const found = all.find(({ key }) => key.keyId === keyId && isActive(key, nowMs))
  return found !== undefined && kinds.includes(credentialKind(keyId)) ? found.key : yield* new KeyNotFound({ keyId })
})

interface CredentialPages {
  readonly kind: "key" | "connection"
  readonly section: Section
  readonly path: `/account/${string}`
  /** What a revocation ends first. */
  readonly ends: string
  /** How the agent may order again later. */
  readonly again: string
}

/** The pages of `<path>/:id/limits` and `<path>/:id/revoke`. */
export const credentialPages = ({ kind, section, path, ends, again }: CredentialPages) => {
  const limits = form({
    path: `${path}/:id/limits`,
    fields: limitFields,
    note: html`<p class="hint">The new limits apply to the next order. To allow more, you will be asked to confirm it.</p>\n`,
    confirms: "action",
    confirmsLater: true,
    kind: "pay",
    button: "Set the limits"
  })
  const revoke = form({
    path: `${path}/:id/revoke`,
    look: "inline",
    fields: {},
    kind: "grave",
    tightens: true
  })

  /** Finds no credential of another account, and no revoked one. */
  const ofPath = Effect.fnUntraced(function* ({ who, params: { id = "" } }: Visit<SignedIn>) {
    const keyId = KeyId.make(id)
    const [today] = yield* activeOf(kind, who, keyId)
    return today ?? (yield* new KeyNotFound({ keyId }))
  })

  const limitsPage = page("owner", limits.path, { section }, function* (visit) {
    const today = yield* ofPath(visit)
    const { label, limits: now } = today.key
    const values = { ...limitValues(now), ...orderCapValue(orderCapOf(today)) }
    const used = todayText(today)
    return titled(
      `Limits of ${isolated(label)}`,
      html`<p>Now: ${limitsOfAgent(today)}. ${used === null ? nothing : `${used}.`}</p>
${yield* showForm(limits, visit, { values })}
<p><a href="${path}">Leave them as they are</a></p>`
    )
  })

  const askRevoke = askPage("owner", revoke, section, function* (visit) {
    const {
      lastUsedAtMs,
      key: { label }
    } = yield* ofPath(visit)
    return {
      title: `Revoke ${isolated(label)}`,
      heading: `Revoke ${isolated(label)}?`,
      says: html`<p>${lastUsedAtMs === null ? "It was never used." : html`It was last used ${instant(lastUsedAtMs)}.`} ${again} To stop it only for a while, pause it.</p>
<div class="cards"><section class="card pad stack"><h2>Ends at once, for good</h2>
<ul>
<li>${ends}</li>
<li>Its webhooks</li>
<li>Its orders that wait for approval: nothing is bought, and the credit that they hold is free again</li>
</ul></section>
<section class="card pad stack"><h2>Stays</h2>
<ul>
<li>Orders that it placed continue</li>
<li>What waits for payment can still be paid</li>
<li>You still see all that it did</li>
</ul></section></div>`,
      back: path,
      leave: "Keep it",
      help: "stopping"
    }
  })

  return [
    limitsPage,
    submit("owner", limits, limitsPage, function* (typed, visit) {
      const today = yield* ofPath(visit)
      const { keyId, label } = today.key
      const wanted = limitsOf(typed, visit.form, orderCapOf(today))
      yield* (yield* OwnCredentials).limit(visit.who, keyId, wanted, visit.confirm)
      return seeOther(path, `The limits of ${isolated(label)} are set: ${limitsText(wanted)}.`)
    }),
    askRevoke,
    submit("owner", revoke, askRevoke, function* (_, visit) {
      const { keyId, label } = (yield* ofPath(visit)).key
      yield* (yield* OwnCredentials).revoke(visit.who, keyId)
      return seeOther(path, `The ${kind} ${isolated(label)} is revoked, and its webhooks have ended.`)
    })
  ]
}
