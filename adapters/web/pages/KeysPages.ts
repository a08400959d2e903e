// API keys: what each may do and spend, a new one with its text shown once, and revocation.
import { Clock, Effect, Redacted, Result, Schema } from "effect"
import { line } from "#adapters/contract/schema/Text.ts"
import { spanText } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import { type ApiKey, goodFormerTexts, MAX_ACTIVE_KEYS, ROTATION_GRACE_MS } from "#core/domain/access/ApiKey.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import type { Agent } from "#core/usecases/members/ViewAgents.ts"
import { agentName } from "../agents/AgentColumns.ts"
import { chosenLimits, expiryFields, expiryOf, reachFields } from "../agents/KeyReach.ts"
import {
  activeKey,
  activeOf,
  changeColumn,
  credentialPages,
  endedSection,
  lastUsedColumn,
  limitsColumn,
  scopesText
} from "../Credentials.ts"
import { choice, flag, hidden, text, tick, under } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { limitFields, limitsOf, orderCapValue } from "../KeyLimits.ts"
import { newKeyPage } from "../NewKey.ts"
import { formIdField, newFormId } from "../OnceShown.ts"
import { page, repeatable, titled, type Visit } from "../Page.ts"
import { named, table } from "../Tables.ts"
import { MODES } from "../Wording.ts"
import { pauseButton } from "./StopPages.ts"

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
    ...expiryFields,
    ...reachFields,
    ...limitFields,
    ...formIdField
  },
  look: "card pad",
  confirms: "action",
  kind: "pay",
  button: "Create the key"
})

const NO_KEY =
  "No key yet. Create one and give it to your agent: it can then look, price and order within the limits that you set."

const NO_KEY_VIEWED = "No key yet. An owner can create one and give it to an agent."

const FULL = html`<p class="note">You have ${MAX_ACTIVE_KEYS} keys, the most there can be. Revoke one to create another.</p>`

/** The texts before a rotation that are still active. */
const formerNote = (key: ApiKey, nowMs: Millis): Html =>
  html`${goodFormerTexts(key, nowMs).map(
    ({ lastFour, untilMs }) =>
      html`<br><small><code>…${lastFour}</code>, replaced, is active until ${instant(untilMs)}</small>`
  )}`

const columns = (who: SignedIn, nowMs: Millis) => [
  named<Agent>(
    "Key",
    ({ key }) => html`${agentName(key)}<br><small>may ${scopesText(key.scopes)}</small>${formerNote(key, nowMs)}`
  ),
  limitsColumn(who, PATH),
  lastUsedColumn,
  changeColumn(who, PATH, {
    first: (key) => pauseButton(who, key, "keys"),
    last: ({ keyId, label }) =>
      html`<a class="btn sm" href="${PATH}/${keyId}/replace" aria-label="Replace ${label}">Replace</a> `
  })
]

/** What a new key may order a day where its owner sets nothing. */
const usualCap = Effect.map(ViewAccount, ({ usualOrderCap: now }) => ({ set: null, now }))

/** Folded beside live keys, unless it was refused. */
const createSection = Effect.fnUntraced(function* (visit: Visit<SignedIn>, keys: ReadonlyArray<Agent>) {
  if (visit.who.member.role !== "owner") return nothing
  if (keys.length >= MAX_ACTIVE_KEYS) return FULL
  const isOpen = visit.refused?.path === PATH || !keys.some(({ key }) => key.mode === "live")
  const cap = orderCapValue(yield* usualCap)
  const values = { mode: "live", may_read: "on", may_order: "on", ...cap, ...(yield* newFormId) }
  return html`<div><details${flag("open", isOpen)}>
<summary class="btn main">Create a key</summary>
${yield* showForm(newKey, visit, { values })}
</details></div>`
})

/** How long a key that is replaced stays active. */
const GRACE = spanText(ROTATION_GRACE_MS)

const WHEN = [
  { value: "later", label: `for ${GRACE} more` },
  { value: "now", label: "not at all: it leaked" }
]

const replaceKey = form({
  path: `${PATH}/:id/replace`,
  fields: {
    ends: choice(Schema.Literals(["later", "now"]), "The present key stays active", WHEN),
    last_four: hidden(Schema.String),
    ...formIdField
  },
  confirms: "action",
  kind: "pay"
})

const REPLACED =
  "This key was replaced since you opened this page, perhaps in another window. Nothing was changed now: look at your keys again."

/** Each was promised its time. */
const replacedOften = (times: number): string =>
  `You replaced this key ${times} times within ${GRACE}, and all those keys still work. Replace it again later, or let the present one stop working at once.`

const keyOf = (visit: Visit<SignedIn>) => activeKey(visit, ["key"])

const replacePage = page("owner", replaceKey.path, { section: "Keys", help: null }, function* (visit) {
  const { label, lastFour } = yield* keyOf(visit)
  const shown = yield* showForm(replaceKey, visit, {
    values: { ends: "later", last_four: lastFour, ...(yield* newFormId) },
    button: `Replace ${isolated(label)}`
  })
  return titled(
    `Replace ${isolated(label)}`,
    html`<p>You get a new key for the one that ends in <code>…${lastFour}</code>. Its limits, what it spent today, its orders and its webhooks stay as they are. Give the new key to your agent while the present one is active.</p>
${shown}
<p><a href="${PATH}">Keep the present key</a></p>`,
    { heading: `Replace ${isolated(label)}?` }
  )
})

const keysPage = page("viewer", PATH, { section: "Keys" }, function* (visit) {
  const keys = yield* activeOf("key", visit.who)
  const create = yield* createSection(visit, keys)
  const list = table(
    columns(visit.who, yield* Clock.currentTimeMillis),
    keys,
    visit.who.member.role === "viewer" ? NO_KEY_VIEWED : NO_KEY
  )
  // What is to be corrected comes first.
  const [first, second] = visit.refused === null ? [list, create] : [create, list]
  return html`<p>An agent orders with a key. An order above a limit of its key is refused. An order above the amount at which the key asks you waits for your approval.</p>
${first}
${second}
${yield* endedSection("key", PATH, visit)}`
})

export const keysPages = [
  keysPage,
  repeatable(
    submit("owner", newKey, keysPage, function* (typed, visit) {
      const { label, mode, may_read, may_order, reach, expires, form_id: _, ...typedLimits } = typed
      const scopes = [
        ...(may_read === undefined ? [] : (["read"] as const)),
        ...(may_order === undefined ? [] : (["order"] as const))
      ]
      if (scopes.length === 0)
        return yield* refuse({ may_read: "A key without either could do nothing: choose at least one." })
      const limits = chosenLimits(reach, limitsOf(typedLimits, visit.form, yield* usualCap))
      if (Result.isFailure(limits)) return yield* refuse({ reach: limits.failure })
      const expiry = expiryOf(expires, yield* Clock.currentTimeMillis)
      const wanted = { label, mode, scopes, limits: limits.success, ...expiry }
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
  replacePage,
  repeatable(
    submit("owner", replaceKey, replacePage, function* ({ ends, last_four: replaces }, visit) {
      const { keyId } = yield* keyOf(visit)
      const { rotate } = yield* OwnCredentials
      const rotation = { keyId, now: ends === "now", replaces }
      return yield* newKeyPage.lead(visit, (entropy) =>
        Effect.flatMap(visit.confirm, (confirmed) => rotate(visit.who, rotation, confirmed, entropy)).pipe(
          Effect.catchTag("KeyRotationLimitReached", ({ limit }) => refuse(replacedOften(limit), 429)),
          Effect.flatMap((issued) =>
            issued === null
              ? refuse(REPLACED, 409)
              : Effect.succeed({ ...issued.key, text: Redacted.value(issued.text) })
          )
        )
      )
    })
  ),
  ...credentialPages({
    ...{ kind: "key", section: "Keys", path: PATH },
    ends: "The key, wherever it is used",
    again: "It cannot be brought back: an agent that is to order again needs another key."
  })
]
