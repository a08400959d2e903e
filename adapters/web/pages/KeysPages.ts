// API keys: what each may do and spend, a new one with its text shown once, and revocation.
import { Effect, Redacted, Result, Schema } from "effect"
import { line } from "#adapters/contract/schema/Text.ts"
import { instant } from "#adapters/http/Document.ts"
import { type Html, html, nothing } from "#adapters/http/Html.ts"
import { type ApiKey, MAX_ACTIVE_KEYS, type Scope } from "#core/domain/ApiKey.ts"
import { KeyNotFound } from "#core/domain/Refusal.ts"
import type { SignedIn } from "#core/domain/Session.ts"
import { MemberKeys } from "#core/usecases/MemberKeys.ts"
import { type KeyToday, ViewAccount } from "#core/usecases/ViewAccount.ts"
import { confirmMessages, makeConfirmation } from "../Confirmation.ts"
import { button, checkbox, type FormState, formProblem, fresh, input, select } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { formOfLimits, limitFields, limitSchemas, limitsOf, limitsText, todayText } from "../KeyLimits.ts"
import { newKeyBody } from "../NewKey.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"
import { passkeyScripts } from "../Scripts.ts"

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
const decodeLimits = formDecoder(Schema.Struct(limitSchemas))

const scopesOf = ({ may_read, may_order }: typeof NewKey.Type): ReadonlyArray<Scope> => [
  ...(may_read === undefined ? [] : (["read"] as const)),
  ...(may_order === undefined ? [] : (["order"] as const))
]

const scopesText = (scopes: ReadonlyArray<Scope>): string =>
  scopes.includes("order") ? (scopes.includes("read") ? "reads and orders" : "orders only") : "reads only"

const keyRow = ({ member }: SignedIn, today: KeyToday): Html => {
  const { key, lastUsedAtMs } = today
  const { keyId, label, mode, prefix, lastFour, scopes, limits } = key
  const actions =
    member.role === "owner"
      ? html`<a href="${PATH}/${keyId}/limits" aria-label="Change the limits of ${label}">Limits</a> <a href="${PATH}/${keyId}/revoke" aria-label="Revoke ${label}">Revoke</a>`
      : nothing
  return html`<tr>
<th scope="row">${label}<br><small><code>${prefix}…${lastFour}</code></small></th>
<td data-label="May">${scopesText(scopes)}${mode === "sandbox" ? ", sandbox" : ""}</td>
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
    const memberKeys = yield* MemberKeys
    const confirmation = yield* makeConfirmation

    const keysPage = Effect.fnUntraced(function* (who: SignedIn, state: FormState, status = 200) {
      const keys = yield* accounts.keysToday(who.account.accountId)
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
        { status, head: passkeyScripts }
      )
    })

    /** Keys of other accounts are as unknown as none. */
    const ownKey = Effect.fnUntraced(function* ({ account }: SignedIn, keyId: string) {
      const keys = yield* accounts.keys(account.accountId)
      const found = keys.find(({ key }) => key.keyId === keyId && key.revokedAtMs === null)
      return found === undefined ? yield* new KeyNotFound({ keyId }) : found.key
    })

    const keyToday = Effect.fnUntraced(function* ({ account }: SignedIn, keyId: string) {
      const keys = yield* accounts.keysToday(account.accountId)
      return keys.find(({ key }) => key.keyId === keyId) ?? (yield* new KeyNotFound({ keyId }))
    })

    const limitsPage = Effect.fnUntraced(function* (who: SignedIn, today: KeyToday, state: FormState, status = 200) {
      const { keyId, label } = today.key
      return show(
        "Keys",
        `Limits of ${label}`,
        html`<h1>Limits of ${label}</h1>
<p>Now: ${limitsText(today.key.limits)}. Used: ${todayText(today)}.</p>
${formProblem(state)}
<form class="wide" method="post" action="${PATH}/${keyId}/limits">
${limitFields(state)}
<p class="hint">They hold from the next order on. To allow less, nothing needs to be confirmed.</p>
${yield* confirmation.fields(who, state)}
<button type="submit">Set the limits</button>
</form>
<p><a href="${PATH}">Leave them as they are</a></p>`,
        { status, head: passkeyScripts }
      )
    })

    const revokeBody = ({ keyId, label }: ApiKey): Html => html`<h1>Revoke ${label}?</h1>
<p>The key stops working at once, everywhere, and cannot be brought back. Its webhooks end with it. Orders that it placed go on, and its open quotes can still be paid.</p>
${button(`${PATH}/${keyId}/revoke`, "Revoke the key", { kind: "grave" })}
<p><a href="${PATH}">Keep it</a></p>`

    const handlers: Handlers<typeof keysRoutes> = {
      keys: ({ who }) => keysPage(who, fresh(FIRST_VALUES)),
      createKey: Effect.fnUntraced(function* (visit) {
        const { who, form } = visit
        const decoded = decodeKey(form)
        if (Result.isFailure(decoded)) return yield* keysPage(who, { values: form, messages: decoded.failure }, 422)
        const { label, mode } = decoded.success
        const newKey = { label, mode, scopes: scopesOf(decoded.success), limits: limitsOf(decoded.success) }
        return yield* Effect.flatMap(confirmation.confirm(visit), (by) => memberKeys.issue(who, newKey, by)).pipe(
          // Shown in the answer itself, because nothing keeps it for another page.
          Effect.map(({ key, text }) =>
            show("Keys", "Your new key", newKeyBody(key, Redacted.value(text), publicUrl), { status: 201 })
          ),
          Effect.catchTag("NotConfirmed", (refusal) =>
            keysPage(who, { values: form, messages: confirmMessages(refusal) }, 403)
          )
        )
      }),
      editLimits: Effect.fnUntraced(function* ({ who, params: { id = "" } }) {
        const today = yield* keyToday(who, id)
        return yield* limitsPage(who, today, formOfLimits(today.key.limits))
      }),
      setLimits: Effect.fnUntraced(function* (visit) {
        const { who, form, params } = visit
        const today = yield* keyToday(who, params["id"] ?? "")
        const { keyId, label } = today.key
        const again = (messages: FormState["messages"], status: number) =>
          limitsPage(who, today, { values: form, messages }, status)
        const decoded = decodeLimits(form)
        if (Result.isFailure(decoded)) return yield* again(decoded.failure, 422)
        const limits = limitsOf(decoded.success)
        return yield* memberKeys.limit(who, keyId, limits, confirmation.confirm(visit)).pipe(
          Effect.as(seeOther(PATH, `The limits of ${label} are set: ${limitsText(limits)}.`)),
          Effect.catchTag("NotConfirmed", (refusal) => again(confirmMessages(refusal), 403))
        )
      }),
      askRevoke: Effect.fnUntraced(function* ({ who, params: { id = "" } }) {
        const key = yield* ownKey(who, id)
        return show("Keys", `Revoke ${key.label}`, revokeBody(key))
      }),
      revokeKey: Effect.fnUntraced(function* ({ who, params: { id = "" } }) {
        const { keyId, label } = yield* ownKey(who, id)
        yield* memberKeys.revoke(who, keyId)
        return seeOther(PATH, `The key ${label} is revoked, and its webhooks have ended.`)
      })
    }
    return handlers
  })
