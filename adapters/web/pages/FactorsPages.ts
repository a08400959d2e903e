// Passkeys and the authenticator app of the signed-in member: listed, added and removed; and the challenges that confirm forms.
import { Clock, Effect, Result, Schema } from "effect"
import { line } from "#adapters/contract/schema/Text.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { MAX_PASSKEY_NAME, MAX_PASSKEYS } from "#core/domain/members/Factor.ts"
import { FactorNotFound } from "#core/domain/members/MemberRefusal.ts"
import { type SignedIn, signInIsFresh } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { actionOf, confirmMessages, makeConfirmation } from "../Confirmation.ts"
import { FACTORS_PATH, factorsTable, passkeyForm, signInAgain, totpPage } from "../FactorTexts.ts"
import { type FormState, formProblem, fresh } from "../Fields.ts"
import { type FieldMessages, formDecoder } from "../FormBody.ts"
import { action, type Handlers, page, type Reply, seeOther, show } from "../PageRoutes.ts"
import { passkeyScripts } from "../Scripts.ts"

export const factorsRoutes = {
  factors: page("viewer", "/account/settings/factors"),
  passkeyOptions: action("viewer", "/account/settings/factors/passkey-options"),
  addPasskey: action("viewer", "/account/settings/factors/passkeys"),
  newTotp: page("viewer", "/account/settings/factors/totp"),
  addTotp: action("viewer", "/account/settings/factors/totp"),
  askRemovePasskey: page("viewer", "/account/settings/factors/passkeys/:id/remove"),
  removePasskey: action("viewer", "/account/settings/factors/passkeys/:id/remove"),
  askRemoveTotp: page("viewer", "/account/settings/factors/totp/remove"),
  removeTotp: action("viewer", "/account/settings/factors/totp/remove"),
  confirmOptions: action("viewer", "/account/confirm")
}

const decodePasskey = formDecoder(
  Schema.Struct({ name: line(1, MAX_PASSKEY_NAME), registration: Schema.optionalKey(Schema.String) })
)
const decodeTotp = formDecoder(Schema.Struct({ sealed: Schema.String, new_code: Schema.String }))

const NO_PASSKEY = "Your browser made no passkey. It needs JavaScript, and a device that can keep one."
const WRONG_CODE = "This is not the code that the app shows now. Is the clock of its device right?"

const says = (field: string, message: string): FieldMessages => new Map([[field, message]])

export const factorsHandlers = Effect.gen(function* () {
  const factors = yield* ManageFactors
  const confirmAction = yield* ConfirmAction
  const confirmation = yield* makeConfirmation

  const factorsPage = Effect.fnUntraced(function* (who: SignedIn, state: FormState, status = 200) {
    const own = yield* factors.list(who)
    const isFresh = signInIsFresh(who.session, yield* Clock.currentTimeMillis)
    const fields = yield* confirmation.fields(who, state, true)
    const forms = html`${own.passkeys.length < MAX_PASSKEYS ? passkeyForm(state, fields) : nothing}
${own.totp === null ? html`<h2>Add an authenticator app</h2><p>An app that shows codes works without JavaScript too. <a href="${FACTORS_PATH}/totp">Add an authenticator app</a></p>` : nothing}`
    return show(
      "Settings",
      "Passkeys and apps",
      html`<h1>Passkeys and apps</h1>
<p>A second factor shows that it is you who asks for something, and not only your mailbox. All owners of the account are told by mail when one is added or removed.</p>
${factorsTable(own)}
${isFresh ? forms : signInAgain}
<p><a href="/account/settings">To the settings</a></p>`,
      { status, head: passkeyScripts }
    )
  })

  const removalPage = Effect.fnUntraced(function* (
    who: SignedIn,
    path: string,
    what: Html,
    state: FormState,
    status: number
  ) {
    const reply: Reply = show(
      "Settings",
      "Remove a factor",
      html`<h1>Remove a factor</h1>
<p>${what} will sign in and confirm nothing any more. All owners of the account are told by mail.</p>
${formProblem(state)}
<form class="wide" method="post" action="${path}">
${yield* confirmation.fields(who, state, true)}
<button class="grave" type="submit">Remove it</button>
</form>
<p><a href="${FACTORS_PATH}">Keep it</a></p>`,
      { status, head: passkeyScripts }
    )
    return reply
  })

  const ownPasskey = Effect.fnUntraced(function* (who: SignedIn, factorId: string) {
    const own = (yield* factors.list(who)).passkeys.find(({ passkeyId }) => passkeyId === factorId)
    return own ?? (yield* new FactorNotFound({ factorId }))
  })

  const requireTotp = (who: SignedIn) =>
    Effect.flatMap(factors.list(who), ({ totp }) =>
      totp === null ? Effect.fail(new FactorNotFound({ factorId: "totp" })) : Effect.void
    )

  const APP = html`The authenticator app`

  const handlers: Handlers<typeof factorsRoutes> = {
    factors: ({ who }) => factorsPage(who, fresh()),
    passkeyOptions: ({ who }) => Effect.map(factors.passkeyOptions(who), (text) => ({ _tag: "Json", text })),
    addPasskey: Effect.fnUntraced(function* (visit) {
      const { who, form } = visit
      const again = (messages: FieldMessages, status: number) => factorsPage(who, { values: form, messages }, status)
      const decoded = decodePasskey(form)
      if (Result.isFailure(decoded)) return yield* again(decoded.failure, 422)
      const { name, registration: response } = decoded.success
      if (response === undefined) return yield* again(says("name", NO_PASSKEY), 422)
      return yield* factors.addPasskey(who, { name, response }, confirmation.confirmFactorChange(visit)).pipe(
        Effect.as(seeOther(FACTORS_PATH, `The passkey ${name} was added. You can sign in with it, and confirm.`)),
        Effect.catchTags({
          NotConfirmed: (refusal) => again(confirmMessages(refusal), 403),
          PasskeyRefused: () => again(says("name", "The passkey was not accepted. Try again."), 422)
        })
      )
    }),
    newTotp: Effect.fnUntraced(function* ({ who }) {
      const totp = yield* factors.newTotp(who)
      const fields = yield* confirmation.fields(who, fresh(), true)
      return show("Settings", "Add an authenticator app", totpPage(totp, fresh(), fields), { head: passkeyScripts })
    }),
    addTotp: Effect.fnUntraced(function* (visit) {
      const { who, form } = visit
      const decoded = decodeTotp(form)
      const sealed = form.get("sealed") ?? ""
      const again = Effect.fnUntraced(function* (messages: FieldMessages, status: number) {
        const state = { values: form, messages }
        const body = totpPage(yield* factors.openTotp(who, sealed), state, yield* confirmation.fields(who, state, true))
        return show("Settings", "Add an authenticator app", body, { status, head: passkeyScripts })
      })
      if (Result.isFailure(decoded)) return yield* again(decoded.failure, 422)
      const totp = { sealed, code: decoded.success.new_code }
      return yield* factors.addTotp(who, totp, confirmation.confirmFactorChange(visit)).pipe(
        Effect.as(
          seeOther(FACTORS_PATH, "The authenticator app was added. From now on, a sign-in link asks for its code.")
        ),
        Effect.catchTags({
          NotConfirmed: (refusal) => again(confirmMessages(refusal), 403),
          CodeRefused: () => again(says("new_code", WRONG_CODE), 422)
        })
      )
    }),
    askRemovePasskey: Effect.fnUntraced(function* ({ who, path, params: { id = "" } }) {
      const { name } = yield* ownPasskey(who, id)
      return yield* removalPage(who, path, html`The passkey <strong>${name}</strong>`, fresh(), 200)
    }),
    removePasskey: Effect.fnUntraced(function* (visit) {
      const { who, path, form } = visit
      const { passkeyId, name } = yield* ownPasskey(who, visit.params["id"] ?? "")
      return yield* Effect.flatMap(confirmation.confirmFactorChange(visit), (by) =>
        factors.removePasskey(who, passkeyId, by)
      ).pipe(
        Effect.as(seeOther(FACTORS_PATH, `The passkey ${name} was removed.`)),
        Effect.catchTag("NotConfirmed", (refusal) =>
          removalPage(
            who,
            path,
            html`The passkey <strong>${name}</strong>`,
            { values: form, messages: confirmMessages(refusal) },
            403
          )
        )
      )
    }),
    askRemoveTotp: Effect.fnUntraced(function* ({ who, path }) {
      yield* requireTotp(who)
      return yield* removalPage(who, path, APP, fresh(), 200)
    }),
    removeTotp: Effect.fnUntraced(function* (visit) {
      const { who, path, form } = visit
      yield* requireTotp(who)
      return yield* Effect.flatMap(confirmation.confirmFactorChange(visit), (by) => factors.removeTotp(who, by)).pipe(
        Effect.as(seeOther(FACTORS_PATH, "The authenticator app was removed.")),
        Effect.catchTag("NotConfirmed", (refusal) =>
          removalPage(who, path, APP, { values: form, messages: confirmMessages(refusal) }, 403)
        )
      )
    }),
    confirmOptions: ({ who, form }) =>
      Effect.map(confirmAction.challenge(who, actionOf(form.get("confirm_path") ?? "", form)), (text) => ({
        _tag: "Json",
        text
      }))
  }
  return handlers
})
