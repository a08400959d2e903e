// API keys: what each may do and spend, a new one with its text shown once, and revocation.
import { Effect, Redacted, Schema } from "effect"
import { line } from "#adapters/contract/schema/Text.ts"
import { html, nothing } from "#adapters/html/Html.ts"
import { MAX_ACTIVE_KEYS } from "#core/domain/access/ApiKey.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import type { KeyToday } from "#core/usecases/members/ViewAccount.ts"
import { activeOf, changeColumn, credentialPages, lastUsedColumn, mayColumn } from "../Credentials.ts"
import { choice, text, tick, under } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { limitFields, limitsOf, limitsText } from "../KeyLimits.ts"
import { newKeyPage } from "../NewKey.ts"
import { formIdField, newFormId } from "../OnceShown.ts"
import { page, repeatable, type Visit } from "../Page.ts"
import { column, named, table } from "../Tables.ts"
import { MODES } from "../Wording.ts"

const PATH = "/account/keys"

const newKey = form({
  path: PATH,
  fields: {
    label: text(line(1, 80), "Name of the key", {
      hint: "Who will use it, such as the name of an assistant.",
      required: true,
      maxLength: 80
    }),
    mode: choice(Schema.Literals(["live", "sandbox"]), "Kind", MODES),
    ...under("It may", {
      may_read: tick("read: catalogue, balance, orders"),
      may_order: tick("order, and manage webhooks")
    }),
    ...limitFields,
    ...formIdField
  },
  confirms: "action",
  kind: "pay",
  button: "Create the key"
})

const NO_KEY =
  "No key yet. Create one and give it to your agent: it can then look, price and order within the limits that you set."

const FULL = html`<p class="note">You have ${MAX_ACTIVE_KEYS} keys, the most there can be. Revoke one to create another.</p>`

const columns = (who: SignedIn) => [
  named<KeyToday>(
    "Key",
    ({ key: { label, prefix, lastFour } }) => html`${label}<br><small><code>${prefix}…${lastFour}</code></small>`
  ),
  mayColumn,
  column<KeyToday>("Limits", ({ key: { limits } }) => limitsText(limits)),
  lastUsedColumn,
  changeColumn(who, PATH)
]

const createSection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, keys: number) {
  if (visit.who.member.role !== "owner") return nothing
  if (keys >= MAX_ACTIVE_KEYS) return FULL
  const values = { mode: "live", may_read: "on", may_order: "on", ...(yield* newFormId) }
  return html`<h2>Create a key</h2>
${yield* showForm(newKey, visit, { values })}`
})

const keysPage = page("viewer", PATH, { section: "Keys" }, function* (visit) {
  const keys = yield* activeOf("key", visit.who)
  return html`<p>An agent orders with a key. Each key has limits of its own, and can be revoked at any time. Something is wrong? <a href="/account/stop">Stop all agents</a>.</p>
${table(columns(visit.who), keys, NO_KEY)}
${yield* createSection(visit, keys.length)}`
})

export const keysPages = [
  keysPage,
  repeatable(
    submit("owner", newKey, keysPage, function* ({ label, mode, may_read, may_order, form_id: _, ...limits }, visit) {
      const scopes = [
        ...(may_read === undefined ? [] : (["read"] as const)),
        ...(may_order === undefined ? [] : (["order"] as const))
      ]
      if (scopes.length === 0)
        return yield* refuse({ may_read: "A key must be good for something: choose at least one." })
      const wanted = { label, mode, scopes, limits: limitsOf(limits) }
      const { issue } = yield* OwnCredentials
      return yield* newKeyPage.lead(visit, (entropy) =>
        Effect.map(
          Effect.flatMap(visit.confirm, (confirmed) => issue(visit.who, wanted, confirmed, entropy)),
          ({ key, text }) => ({ ...key, text: Redacted.value(text) })
        )
      )
    })
  ),
  ...newKeyPage.pages,
  ...credentialPages({
    ...{ kind: "key", section: "Keys", path: PATH },
    ends: "The key stops working at once, everywhere, and cannot be brought back. Its webhooks end with it, and so do its orders that wait for approval. Orders that it placed go on, and what waits for payment can still be paid."
  })
]
