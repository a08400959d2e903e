// What the pages of keys and of connections share: what one may do, the page of its limits, and its revocation.
import { Effect, Result, Schema } from "effect"
import { type Html, html } from "#adapters/html/Html.ts"
import { KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import type { ApiKey, Scope } from "#core/domain/access/ApiKey.ts"
import { type CredentialKind, credentialKind } from "#core/domain/access/CredentialKind.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { type KeyToday, ViewAccount } from "#core/usecases/members/ViewAccount.ts"
import { confirmMessages, makeConfirmation } from "./Confirmation.ts"
import { button, type FormState, formProblem } from "./Fields.ts"
import { formDecoder } from "./FormBody.ts"
import { formOfLimits, limitFields, limitSchemas, limitsOf, limitsText, todayText } from "./KeyLimits.ts"
import { type Handler, type Section, seeOther, show } from "./PageRoutes.ts"

const decodeLimits = formDecoder(Schema.Struct(limitSchemas))

const scopesText = (scopes: ReadonlyArray<Scope>): string =>
  scopes.includes("order") ? (scopes.includes("read") ? "reads and orders" : "orders only") : "reads only"

export const mayText = ({ scopes, mode }: ApiKey): string =>
  `${scopesText(scopes)}${mode === "sandbox" ? ", sandbox" : ""}`

/** The credentials of one kind that are active. */
export const ofKind = (kind: CredentialKind, all: ReadonlyArray<KeyToday>): ReadonlyArray<KeyToday> =>
  all.filter(({ key }) => credentialKind(key.keyId) === kind)

interface CredentialPages {
  readonly kind: "key" | "connection"
  readonly section: Section
  readonly path: `/account/${string}`
  /** What a revocation ends. */
  readonly ends: string
}

type ViewerHandler = Handler<{ readonly method: "GET"; readonly path: "/"; readonly may: "owner" }>

/** The handlers of `<path>/:id/limits` and `<path>/:id/revoke`. */
export const makeCredentialHandlers = Effect.fnUntraced(function* (pages: CredentialPages) {
  const { kind, section, path, ends } = pages
  const own = yield* OwnCredentials
  const accounts = yield* ViewAccount
  const confirmation = yield* makeConfirmation

  /** Those of other accounts, and revoked ones, are as unknown as none. */
  const find = Effect.fnUntraced(function* ({ account }: SignedIn, keyId = "") {
    const all = ofKind(kind, yield* accounts.keysToday(account.accountId))
    return all.find(({ key }) => key.keyId === keyId) ?? (yield* new KeyNotFound({ keyId }))
  })

  const limitsPage = Effect.fnUntraced(function* (who: SignedIn, today: KeyToday, state: FormState, status = 200) {
    const { keyId, label, limits } = today.key
    return show(
      section,
      `Limits of ${label}`,
      html`<h1>Limits of ${label}</h1>
<p>Now: ${limitsText(limits)}. Used: ${todayText(today)}.</p>
${formProblem(state)}
<form class="wide" method="post" action="${path}/${keyId}/limits">
${limitFields(state)}
<p class="hint">They hold from the next order on. To allow less, nothing needs to be confirmed.</p>
${yield* confirmation.fields(who, state)}
<button type="submit">Set the limits</button>
</form>
<p><a href="${path}">Leave them as they are</a></p>`,
      { status }
    )
  })

  const revokeBody = ({ keyId, label }: ApiKey): Html => html`<h1>Revoke ${label}?</h1>
<p>${ends}</p>
${button(`${path}/${keyId}/revoke`, `Revoke the ${kind}`, { kind: "grave" })}
<p><a href="${path}">Keep it</a></p>`

  const editLimits: ViewerHandler = Effect.fnUntraced(function* ({ who, params }) {
    const today = yield* find(who, params["id"])
    return yield* limitsPage(who, today, formOfLimits(today.key.limits))
  })
  const setLimits: ViewerHandler = Effect.fnUntraced(function* (visit) {
    const { who, form, params } = visit
    const today = yield* find(who, params["id"])
    const { keyId, label } = today.key
    const again = (messages: FormState["messages"], status: number) =>
      limitsPage(who, today, { values: form, messages }, status)
    const decoded = decodeLimits(form)
    if (Result.isFailure(decoded)) return yield* again(decoded.failure, 422)
    const limits = limitsOf(decoded.success)
    return yield* own.limit(who, keyId, limits, confirmation.confirm(visit)).pipe(
      Effect.as(seeOther(path, `The limits of ${label} are set: ${limitsText(limits)}.`)),
      Effect.catchTag("NotConfirmed", (refusal) => again(confirmMessages(refusal), 403))
    )
  })
  const askRevoke: ViewerHandler = Effect.fnUntraced(function* ({ who, params }) {
    const { key } = yield* find(who, params["id"])
    return show(section, `Revoke ${key.label}`, revokeBody(key))
  })
  const revoke: ViewerHandler = Effect.fnUntraced(function* ({ who, params }) {
    const { keyId, label } = (yield* find(who, params["id"])).key
    yield* own.revoke(who, keyId)
    return seeOther(path, `The ${kind} ${label} is revoked, and its webhooks have ended.`)
  })
  return { editLimits, setLimits, askRevoke, revoke }
})
