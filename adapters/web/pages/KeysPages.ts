// API keys: what each may do and spend, a new one with its text shown once, and revocation.
import { Effect, Redacted, Result, Schema } from "effect"
import { line } from "#adapters/contract/schema/Text.ts"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { MAX_ACTIVE_KEYS, type Scope } from "#core/domain/access/ApiKey.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { type KeyToday, ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { confirmMessages, makeConfirmation } from "../Confirmation.ts"
import { makeCredentialHandlers, mayText, ofKind } from "../Credentials.ts"
import { checkbox, type FormState, formProblem, fresh, input, select } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { limitFields, limitSchemas, limitsOf, limitsText, todayText } from "../KeyLimits.ts"
import { newKeyBody } from "../NewKey.ts"
import { action, type Handlers, page, show } from "../PageRoutes.ts"

const PATH = "/account/keys"

export const keysRoutes = {
  keys: page("viewer", "/account/keys"),
  createKey: action("owner", "/account/keys"),
  editLimits: page("owner", "/account/keys/:id/limits"),
  setLimits: action("owner", "/account/keys/:id/limits"),
  askRevoke: page("owner", "/account/keys/:id/revoke"),
  revokeKey: action("owner", "/account/keys/:id/revoke")
}

const checked = Schema.optionalKey(Schema.Literal("on"))

const NewKey = Schema.Struct({
  label: line(1, 80),
  mode: Schema.Literals(["live", "sandbox"]),
  may_read: checked,
  may_order: checked,
  ...limitSchemas
}).check(
  Schema.makeFilter(({ may_read, may_order }) =>
    may_read === undefined && may_order === undefined
      ? { path: ["may_read"], issue: "A key must be good for something: choose at least one." }
      : undefined
  )
)
const decodeKey = formDecoder(NewKey)

const scopesOf = ({ may_read, may_order }: typeof NewKey.Type): ReadonlyArray<Scope> => [
  ...(may_read === undefined ? [] : (["read"] as const)),
  ...(may_order === undefined ? [] : (["order"] as const))
]

const keyRow = ({ member }: SignedIn, today: KeyToday): Html => {
  const { key, lastUsedAtMs } = today
  const { keyId, label, prefix, lastFour, limits } = key
  const actions =
    member.role === "owner"
      ? html`<a href="${PATH}/${keyId}/limits" aria-label="Change the limits of ${label}">Limits</a> <a href="${PATH}/${keyId}/revoke" aria-label="Revoke ${label}">Revoke</a>`
      : nothing
  return html`<tr>
<th scope="row">${label}<br><small><code>${prefix}…${lastFour}</code></small></th>
<td data-label="May">${mayText(key)}</td>
<td data-label="Limits">${limitsText(limits)}</td>
<td data-label="Last used">${lastUsedAtMs === null ? "never" : instant(lastUsedAtMs)}<br><small>${todayText(today)}</small></td>
<td>${actions}</td>
</tr>`
}

const keysTable = (who: SignedIn, keys: ReadonlyArray<KeyToday>): Html =>
  keys.length === 0
    ? html`<p class="empty">No key yet. Create one and give it to your agent: it can then look, price and order within the limits that you set.</p>`
    : html`<table>
<thead><tr><th scope="col">Key</th><th scope="col">May</th><th scope="col">Limits</th><th scope="col">Last used</th><td></td></tr></thead>
<tbody>${keys.map((key) => keyRow(who, key))}</tbody>
</table>`

const FIRST_VALUES = { mode: "live", may_read: "on", may_order: "on" }

const createForm = (state: FormState, confirmation: Html): Html => html`<h2>Create a key</h2>
${formProblem(state)}
<form class="wide" method="post" action="${PATH}">
${input(state, { name: "label", label: "Name of the key", hint: "Who will use it, such as the name of an assistant.", required: true, maxLength: 80 })}
${select(state, {
  name: "mode",
  label: "Kind",
  choices: [
    { value: "live", label: "live: orders are real" },
    { value: "sandbox", label: "sandbox: nothing is bought" }
  ]
})}
<fieldset><legend>It may</legend>
${checkbox(state, { name: "may_read", label: "read: catalogue, balance, orders" })}
${checkbox(state, { name: "may_order", label: "order, and manage webhooks" })}
</fieldset>
${limitFields(state)}
${confirmation}
<button class="pay" type="submit">Create the key</button>
</form>`

/** The contract of each form of the page: `publicUrl` is where agents reach the service. */
export const keysHandlers = (publicUrl: string) =>
  Effect.gen(function* () {
    const accounts = yield* ViewAccount
    const own = yield* OwnCredentials
    const confirmation = yield* makeConfirmation
    const { revoke: revokeKey, ...shared } = yield* makeCredentialHandlers({
      ...{ kind: "key", section: "Keys", path: PATH },
      ends: "The key stops working at once, everywhere, and cannot be brought back. Its webhooks end with it, and so do its orders that wait for approval. Orders that it placed go on, and what waits for payment can still be paid."
    })

    const keysPage = Effect.fnUntraced(function* (who: SignedIn, state: FormState, status = 200) {
      const keys = ofKind("key", yield* accounts.keysToday(who.account.accountId))
      const full = html`<p class="note">You have ${MAX_ACTIVE_KEYS} keys, the most there can be. Revoke one to create another.</p>`
      const form =
        who.member.role !== "owner"
          ? nothing
          : keys.length >= MAX_ACTIVE_KEYS
            ? full
            : createForm(state, yield* confirmation.fields(who, state))
      return show(
        "Keys",
        "Keys",
        html`<h1>Keys</h1>
<p>An agent orders with a key. Each key has limits of its own, and can be revoked at any time. Something is wrong? <a href="/account/stop">Stop all agents</a>.</p>
${keysTable(who, keys)}
${form}`,
        { status }
      )
    })

    const handlers: Handlers<typeof keysRoutes> = {
      keys: ({ who }) => keysPage(who, fresh(FIRST_VALUES)),
      createKey: Effect.fnUntraced(function* (visit) {
        const { who, form } = visit
        const decoded = decodeKey(form)
        if (Result.isFailure(decoded)) return yield* keysPage(who, { values: form, messages: decoded.failure }, 422)
        const { label, mode } = decoded.success
        const newKey = { label, mode, scopes: scopesOf(decoded.success), limits: limitsOf(decoded.success) }
        return yield* Effect.flatMap(confirmation.confirm(visit), (by) => own.issue(who, newKey, by)).pipe(
          // Shown in the answer itself, because nothing keeps it for another page.
          Effect.map(({ key, text }) =>
            show("Keys", "Your new key", newKeyBody(key, Redacted.value(text), publicUrl), { status: 201 })
          ),
          Effect.catchTag("NotConfirmed", (refusal) =>
            keysPage(who, { values: form, messages: confirmMessages(refusal) }, 403)
          )
        )
      }),
      ...shared,
      revokeKey
    }
    return handlers
  })
