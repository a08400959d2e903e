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
import type { KeyToday } from "#core/usecases/members/ViewAccount.ts"
import { agentName } from "../agents/AgentColumns.ts"
import { assistantGuides } from "../agents/AssistantGuides.ts"
import { activeOf, changeColumn, credentialPages, endedSection, lastUsedColumn, mayColumn } from "../Credentials.ts"
import { tick } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { leftText, limitsText } from "../KeyLimits.ts"
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
  button: "Set what it can read"
})

const seesText = (sees: boolean): string => (sees ? "all orders of the account" : "its own orders")

const sees = ({ key }: KeyToday): boolean => seesAccount(key)

const seesColumn = ({ member }: SignedIn) =>
  column<KeyToday>("Can read", (today) => {
    const { keyId, label } = today.key
    return member.role === "owner"
      ? html`${seesText(sees(today))}<br><a href="${PATH}/${keyId}/view" aria-label="Change what ${label} can read">Change</a>`
      : seesText(sees(today))
  })

const columns = (who: SignedIn, members: ReadonlyArray<Member>) => [
  named<KeyToday>("Assistant", ({ key }) => agentName(key)),
  mayColumn,
  column<KeyToday>("Limits", (today) => html`${limitsText(today.key.limits)}<br><small>${leftText(today)}</small>`),
  lastUsedColumn,
  column<KeyToday>("Allowed by", ({ key: { consent } }) =>
    consent === undefined ? nothing : consentText(consent, members)
  ),
  seesColumn(who),
  changeColumn(who, PATH, (key) => html`${pauseButton(who, key, "connections")} `)
]

const FULL = html`<p class="note">You have ${MAX_CONNECTIONS} connections, the most there can be. Revoke one to connect another assistant.</p>`

const howTo = ({ connects, publicUrl }: WebSettings["Service"]): Html =>
  connects
    ? assistantGuides(publicUrl)
    : html`<p>The operator has switched off the connection of assistants. <a href="/account/keys">Give yours a key</a> instead.</p>`

const connectionsPage = page("viewer", PATH, { section: "Connections" }, function* (visit) {
  const { who } = visit
  const connections = yield* activeOf("connection", who)
  const members = yield* (yield* ManageMembers).list(who.account.accountId)
  return html`<p>An assistant that you allow orders within the limits of its connection, and can be stopped at any time.</p>
${table(columns(who, members), connections, "No assistant is connected yet.")}
${yield* endedSection("connection", PATH, visit)}
${connections.length >= MAX_CONNECTIONS ? FULL : howTo(yield* WebSettings)}`
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
    ends: "The assistant is signed out at once, everywhere, and its access cannot be brought back: to allow it again, connect it again. Its webhooks end with it, and so do its orders that wait for approval. Orders that it placed continue, and what waits for payment can still be paid."
  })
]
