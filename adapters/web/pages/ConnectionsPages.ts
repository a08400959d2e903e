// Connections: the assistants that owners connected, what each may do and spend, and revocation. They are made on the page of consent.
import { Effect } from "effect"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import { type Consent, seesAccount } from "#core/domain/access/ApiKey.ts"
import { MAX_CONNECTIONS } from "#core/domain/access/Connection.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import type { Agent } from "#core/usecases/members/ViewAgents.ts"
import { agentName } from "../agents/AgentColumns.ts"
import { assistantGuides } from "../agents/AssistantGuides.ts"
import {
  activeOf,
  changeColumn,
  credentialPages,
  endedSection,
  lastUsedColumn,
  limitsColumn,
  scopesText
} from "../Credentials.ts"
import { tick } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { page, seeOther, titled, type Visit, WebSettings } from "../Page.ts"
import { column, named, table } from "../Tables.ts"
import { pauseButton } from "./StopPages.ts"

const PATH = "/account/connections"

const consentText = ({ memberId, atMs }: Consent, members: ReadonlyArray<Member>): Html => {
  const member = members.find((one) => one.memberId === memberId)
  return html`${member?.email ?? "a former member"}, ${instant(atMs)}`
}

const view = form({
  path: `${PATH}/:id/view`,
  fields: { sees_account: tick("It can read all orders of this account, also those of other agents and of people") },
  note: html`<p class="hint">Without it, the assistant sees only what it placed itself, and its webhooks for all orders end. To allow more, you will be asked to confirm it.</p>\n`,
  confirms: "action",
  confirmsLater: true,
  kind: "pay",
  button: "Set what it can read"
})

const seesText = (sees: boolean): string => (sees ? "all orders of the account" : "its own orders")

const sees = ({ key }: Pick<Agent, "key">): boolean => seesAccount(key)

const readsText = (agent: Agent, { member }: SignedIn): Html => {
  const { keyId, label } = agent.key
  const change = html` <a href="${PATH}/${keyId}/view" aria-label="Change what ${label} can read">Change</a>`
  return html`reads ${seesText(sees(agent))}${member.role === "owner" ? change : nothing}`
}

const columns = (who: SignedIn, members: ReadonlyArray<Member>) => [
  named<Agent>(
    "Assistant",
    ({ key }) =>
      html`${agentName(key)}${key.consent === undefined ? nothing : html`<br><small>allowed by ${consentText(key.consent, members)}</small>`}`
  ),
  column<Agent>("May", (agent) => html`${scopesText(agent.key.scopes)}<br><small>${readsText(agent, who)}</small>`),
  limitsColumn(who, PATH),
  lastUsedColumn,
  changeColumn(who, PATH, { first: (key) => pauseButton(who, key, "connections") })
]

const MAY_NOT =
  "No assistant may approve its own orders, change its limits, pay by card, make keys, invite people or sign in."

const FULL = html`<p class="note">You have ${MAX_CONNECTIONS} connections, the most there can be. Revoke one to connect another assistant.</p>`

const howTo = ({ connects, publicUrl }: WebSettings["Service"]): Html =>
  connects
    ? assistantGuides(publicUrl)
    : html`<p>The operator has switched off the connection of assistants. <a href="/account/keys">Give yours a key</a> instead.</p>`

const connectionsPage = page("viewer", PATH, { section: "Connections" }, function* (visit) {
  const { who } = visit
  const connections = yield* activeOf("connection", who)
  const members = yield* (yield* ManageMembers).list(who.account.accountId)
  const guides = connections.length >= MAX_CONNECTIONS ? FULL : howTo(yield* WebSettings)
  const ended = yield* endedSection("connection", PATH, visit)
  if (connections.length === 0)
    return html`<p>No assistant is connected yet. An assistant that you have allowed can order within its limits. You can stop it at any time.</p>
${guides}
${ended}`
  return html`<p>An assistant that you have allowed can order within its limits. You can stop it at any time.</p>
${table(columns(who, members), connections)}
<p class="hint">${MAY_NOT}</p>
${ended}
${guides}`
})

const ofPath = Effect.fnUntraced(function* ({ who, params: { id = "" } }: Visit<SignedIn>) {
  const keyId = KeyId.make(id)
  const [today] = yield* activeOf("connection", who, keyId)
  return today ?? (yield* new KeyNotFound({ keyId }))
})

const viewPage = page("owner", view.path, { section: "Connections" }, function* (visit) {
  const today = yield* ofPath(visit)
  return titled(
    `What ${isolated(today.key.label)} can read`,
    html`<p>Now: ${seesText(sees(today))}.</p>
${yield* showForm(view, visit, { values: sees(today) ? { sees_account: "on" } : {} })}
<p><a href="${PATH}">Leave it as it is</a></p>`
  )
})

export const connectionsPages = [
  connectionsPage,
  viewPage,
  submit("owner", view, viewPage, function* ({ sees_account }, visit) {
    const { keyId, label } = (yield* ofPath(visit)).key
    const allowed = sees_account === "on"
    yield* (yield* OwnCredentials).setAccountView(visit.who, keyId, allowed, visit.confirm)
    return seeOther(PATH, `${isolated(label)} can read ${seesText(allowed)} now.`)
  }),
  ...credentialPages({
    ...{ kind: "connection", section: "Connections", path: PATH },
    ends: "The access of the assistant, wherever it is signed in",
    again: "It cannot be brought back: to allow the assistant again, connect it again."
  })
]
