// Connections: the assistants that owners connected, what each may do and spend, and revocation. They are made on the page of consent.
import { Effect } from "effect"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Consent } from "#core/domain/access/ApiKey.ts"
import { MAX_CONNECTIONS } from "#core/domain/access/Connection.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { type KeyToday, ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { makeCredentialHandlers, mayText, ofKind } from "../Credentials.ts"
import { leftText, limitsText, todayText } from "../KeyLimits.ts"
import { action, type Handlers, page, show } from "../PageRoutes.ts"

const PATH = "/account/connections"

export const connectionsRoutes = {
  connections: page("viewer", "/account/connections"),
  editConnectionLimits: page("owner", "/account/connections/:id/limits"),
  setConnectionLimits: action("owner", "/account/connections/:id/limits"),
  askEnd: page("owner", "/account/connections/:id/revoke"),
  endConnection: action("owner", "/account/connections/:id/revoke")
}

const consentText = ({ memberId, atMs }: Consent, members: ReadonlyArray<Member>): Html => {
  const member = members.find((one) => one.memberId === memberId)
  return html`${member?.email ?? "a former member"}, ${instant(atMs)}`
}

const connectionRow = ({ member }: SignedIn, today: KeyToday, members: ReadonlyArray<Member>): Html => {
  const { key, lastUsedAtMs } = today
  const { keyId, label, limits, consent } = key
  const actions =
    member.role === "owner"
      ? html`<a href="${PATH}/${keyId}/limits" aria-label="Change the limits of ${label}">Limits</a> <a href="${PATH}/${keyId}/revoke" aria-label="Revoke ${label}">Revoke</a>`
      : nothing
  return html`<tr>
<th scope="row">${label}<br><small>${consent?.clientHost ?? ""}</small></th>
<td data-label="May">${mayText(key)}</td>
<td data-label="Limits">${limitsText(limits)}<br><small>${leftText(today)}</small></td>
<td data-label="Last used">${lastUsedAtMs === null ? "never" : instant(lastUsedAtMs)}<br><small>${todayText(today)}</small></td>
<td data-label="Let in by">${consent === undefined ? nothing : consentText(consent, members)}</td>
<td>${actions}</td>
</tr>`
}

interface Reached {
  /** Where assistants reach the service. */
  readonly publicUrl: string
  /** Whether they can be connected by OAuth. */
  readonly connects: boolean
}

export const connectionsHandlers = ({ publicUrl, connects }: Reached) =>
  Effect.gen(function* () {
    const accounts = yield* ViewAccount
    const people = yield* ManageMembers
    const shared = yield* makeCredentialHandlers({
      ...{ kind: "connection", section: "Connections", path: PATH },
      ends: "The assistant is signed out at once, everywhere, and its access cannot be brought back: to let it in again, connect it again. Its webhooks end with it, and so do its orders that wait for approval. Orders that it placed go on, and what waits for payment can still be paid."
    })

    const howTo = connects
      ? html`<p>To connect one, add <code>${publicUrl}/mcp</code> as a connector or MCP server in the assistant. It sends you here to sign in, and shows what it asks for and within which limits, before you let it in.</p>`
      : html`<p>The operator has switched off the connection of assistants. <a href="/account/keys">Give yours a key</a> instead.</p>`

    const table = (who: SignedIn, connections: ReadonlyArray<KeyToday>, members: ReadonlyArray<Member>): Html =>
      connections.length === 0
        ? html`<p class="empty">No assistant is connected yet.</p>`
        : html`<table>
<thead><tr><th scope="col">Assistant</th><th scope="col">May</th><th scope="col">Limits</th><th scope="col">Last used</th><th scope="col">Let in by</th><td></td></tr></thead>
<tbody>${connections.map((one) => connectionRow(who, one, members))}</tbody>
</table>`

    const handlers: Handlers<typeof connectionsRoutes> = {
      connections: Effect.fnUntraced(function* ({ who }) {
        const { accountId } = who.account
        const connections = ofKind("connection", yield* accounts.keysToday(accountId))
        const full = html`<p class="note">You have ${MAX_CONNECTIONS} connections, the most there can be. Revoke one to connect another assistant.</p>`
        return show(
          "Connections",
          "Connections",
          html`<h1>Connections</h1>
<p>An assistant that you let in orders within the limits of its connection, and can be stopped at any time. Something is wrong? <a href="/account/stop">Stop all agents</a>.</p>
${table(who, connections, yield* people.list(accountId))}
${connections.length >= MAX_CONNECTIONS ? full : howTo}`
        )
      }),
      editConnectionLimits: shared.editLimits,
      setConnectionLimits: shared.setLimits,
      askEnd: shared.askRevoke,
      endConnection: shared.revoke
    }
    return handlers
  })
