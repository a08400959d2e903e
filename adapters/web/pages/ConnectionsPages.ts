// Connections: the assistants that owners connected, what each may do and spend, and revocation. They are made on the page of consent.
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import type { Consent } from "#core/domain/access/ApiKey.ts"
import { MAX_CONNECTIONS } from "#core/domain/access/Connection.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import type { KeyToday } from "#core/usecases/members/ViewAccount.ts"
import { activeOf, changeColumn, credentialPages, lastUsedColumn, mayColumn } from "../Credentials.ts"
import { leftText, limitsText } from "../KeyLimits.ts"
import { page, WebSettings } from "../Page.ts"
import { column, named, table } from "../Tables.ts"

const PATH = "/account/connections"

const consentText = ({ memberId, atMs }: Consent, members: ReadonlyArray<Member>): Html => {
  const member = members.find((one) => one.memberId === memberId)
  return html`${member?.email ?? "a former member"}, ${instant(atMs)}`
}

const columns = (who: SignedIn, members: ReadonlyArray<Member>) => [
  named<KeyToday>(
    "Assistant",
    ({ key: { label, consent } }) => html`${label}<br><small>${consent?.clientHost ?? ""}</small>`
  ),
  mayColumn,
  column<KeyToday>("Limits", (today) => html`${limitsText(today.key.limits)}<br><small>${leftText(today)}</small>`),
  lastUsedColumn,
  column<KeyToday>("Let in by", ({ key: { consent } }) =>
    consent === undefined ? nothing : consentText(consent, members)
  ),
  changeColumn(who, PATH)
]

const FULL = html`<p class="note">You have ${MAX_CONNECTIONS} connections, the most there can be. Revoke one to connect another assistant.</p>`

const howTo = ({ connects, publicUrl }: WebSettings["Service"]): Html =>
  connects
    ? html`<p>To connect one, add <code>${publicUrl}/mcp</code> as a connector or MCP server in the assistant. It sends you here to sign in, and shows what it asks for and within which limits, before you let it in.</p>`
    : html`<p>The operator has switched off the connection of assistants. <a href="/account/keys">Give yours a key</a> instead.</p>`

const connectionsPage = page("viewer", PATH, { section: "Connections" }, function* ({ who }) {
  const connections = yield* activeOf("connection", who)
  const members = yield* (yield* ManageMembers).list(who.account.accountId)
  return html`<p>An assistant that you let in orders within the limits of its connection, and can be stopped at any time. Something is wrong? <a href="/account/stop">Stop all agents</a>.</p>
${table(columns(who, members), connections, "No assistant is connected yet.")}
${connections.length >= MAX_CONNECTIONS ? FULL : howTo(yield* WebSettings)}`
})

export const connectionsPages = [
  connectionsPage,
  ...credentialPages({
    ...{ kind: "connection", section: "Connections", path: PATH },
    ends: "The assistant is signed out at once, everywhere, and its access cannot be brought back: to let it in again, connect it again. Its webhooks end with it, and so do its orders that wait for approval. Orders that it placed go on, and what waits for payment can still be paid."
  })
]
