// Passkeys and the authenticator app of the signed-in member: listed, added and removed; and the challenges that confirm forms.
import { Clock, Effect, Result, Schema } from "effect"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { line } from "#adapters/contract/schema/Text.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import { MAX_PASSKEY_NAME, MAX_PASSKEYS, type Passkey } from "#core/domain/members/Factor.ts"
import { FactorNotFound } from "#core/domain/members/MemberRefusal.ts"
import { type SignedIn, signInIsFresh } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { ManageAuthenticatorApp, type NewTotp } from "#core/usecases/members/ManageAuthenticatorApp.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { ManagePasskeys } from "#core/usecases/members/ManagePasskeys.ts"
import { actionOf, confirmMessages, makeConfirmation } from "../Confirmation.ts"
import { FACTORS_PATH, factorsTable, passkeyForm, signInAgain, totpPage } from "../FactorTexts.ts"
import { type FormState, formProblem, fresh } from "../Fields.ts"
import { type FieldMessages, formDecoder } from "../FormBody.ts"
import { action, type Handlers, page, type Reply, seeOther, show, type Visit } from "../PageRoutes.ts"

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

const useCases = Effect.all({
  factors: ManageFactors,
  passkeys: ManagePasskeys,
  app: ManageAuthenticatorApp,
  confirmAction: ConfirmAction,
  confirmation: makeConfirmation
})

type UseCases = Effect.Success<typeof useCases>

const factorsPage = Effect.fnUntraced(function* (
  { factors, confirmation }: UseCases,
  who: SignedIn,
  state: FormState,
  status = 200
) {
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
    { status }
  )
})

const addPasskey = Effect.fnUntraced(function* (uses: UseCases, visit: Visit<SignedIn>) {
  const { who, form } = visit
  const again = (messages: FieldMessages, status: number) => factorsPage(uses, who, { values: form, messages }, status)
  const decoded = decodePasskey(form)
  if (Result.isFailure(decoded)) return yield* again(decoded.failure, 422)
  const { name, registration: response } = decoded.success
  if (response === undefined) return yield* again(says("name", NO_PASSKEY), 422)
  return yield* uses.passkeys.add(who, { name, response }, uses.confirmation.confirmFactorChange(visit)).pipe(
    Effect.as(seeOther(FACTORS_PATH, `The passkey ${name} was added. You can sign in with it, and confirm.`)),
    Effect.catchTags({
      NotConfirmed: (refusal) => again(confirmMessages(refusal), 403),
      PasskeyRefused: () => again(says("name", "The passkey was not accepted. Try again."), 422)
    })
  )
})

const addAppPage = Effect.fnUntraced(function* (
  { confirmation }: UseCases,
  who: SignedIn,
  totp: NewTotp,
  state: FormState,
  status = 200
) {
  const fields = yield* confirmation.fields(who, state, true)
  return show("Settings", "Add an authenticator app", totpPage(totp, state, fields), { status })
})

const newApp = Effect.fnUntraced(function* (uses: UseCases, { who }: Visit<SignedIn>) {
  return yield* addAppPage(uses, who, yield* uses.app.create(who), fresh())
})

const addApp = Effect.fnUntraced(function* (uses: UseCases, visit: Visit<SignedIn>) {
  const { who, form } = visit
  const { app, confirmation } = uses
  const decoded = decodeTotp(form)
  const sealed = form.get("sealed") ?? ""
  const again = (messages: FieldMessages, status: number) =>
    Effect.flatMap(app.open(who, sealed), (totp) => addAppPage(uses, who, totp, { values: form, messages }, status))
  if (Result.isFailure(decoded)) return yield* again(decoded.failure, 422)
  const totp = { sealed, code: decoded.success.new_code }
  return yield* app.add(who, totp, confirmation.confirmFactorChange(visit)).pipe(
    Effect.as(
      seeOther(FACTORS_PATH, "The authenticator app was added. From now on, a sign-in link asks for its code.")
    ),
    Effect.catchTags({
      NotConfirmed: (refusal) => again(confirmMessages(refusal), 403),
      CodeRefused: () => again(says("new_code", WRONG_CODE), 422)
    })
  )
})

const removalPage = Effect.fnUntraced(function* (
  { confirmation }: UseCases,
  { who, path }: Visit<SignedIn>,
  what: Html,
  state: FormState,
  status = 200
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
    { status }
  )
  return reply
})

/** Removes the factor once the change is confirmed; asks for the confirmation otherwise. */
const confirmRemoval = <E extends Failure>(
  uses: UseCases,
  visit: Visit<SignedIn>,
  removal: {
    readonly what: Html
    readonly remove: (by: Confirmed) => Effect.Effect<void, E>
    readonly done: string
  }
) =>
  Effect.flatMap(uses.confirmation.confirmFactorChange(visit), removal.remove).pipe(
    Effect.as(seeOther(FACTORS_PATH, removal.done)),
    Effect.catchTag("NotConfirmed", (refusal) =>
      removalPage(uses, visit, removal.what, { values: visit.form, messages: confirmMessages(refusal) }, 403)
    )
  )

const ownPasskey = Effect.fnUntraced(function* ({ factors }: UseCases, { who, params }: Visit<SignedIn>) {
  const { id: factorId = "" } = params
  const own = (yield* factors.list(who)).passkeys.find(({ passkeyId }) => passkeyId === factorId)
  return own ?? (yield* new FactorNotFound({ factorId }))
})

const nameOf = ({ name }: Passkey): Html => html`The passkey <strong>${name}</strong>`

const askRemovePasskey = Effect.fnUntraced(function* (uses: UseCases, visit: Visit<SignedIn>) {
  return yield* removalPage(uses, visit, nameOf(yield* ownPasskey(uses, visit)), fresh())
})

const removePasskey = Effect.fnUntraced(function* (uses: UseCases, visit: Visit<SignedIn>) {
  const passkey = yield* ownPasskey(uses, visit)
  return yield* confirmRemoval(uses, visit, {
    what: nameOf(passkey),
    remove: (by) => uses.passkeys.remove(visit.who, passkey.passkeyId, by),
    done: `The passkey ${passkey.name} was removed.`
  })
})

const APP = html`The authenticator app`

const requireApp = ({ factors }: UseCases, { who }: Visit<SignedIn>) =>
  Effect.flatMap(factors.list(who), ({ totp }) =>
    totp === null ? Effect.fail(new FactorNotFound({ factorId: "totp" })) : Effect.void
  )

const askRemoveApp = (uses: UseCases, visit: Visit<SignedIn>) =>
  Effect.andThen(requireApp(uses, visit), removalPage(uses, visit, APP, fresh()))

const removeApp = (uses: UseCases, visit: Visit<SignedIn>) => {
  const removal = {
    what: APP,
    remove: (by: Confirmed) => uses.app.remove(visit.who, by),
    done: "The authenticator app was removed."
  }
  return Effect.andThen(requireApp(uses, visit), confirmRemoval(uses, visit, removal))
}

const json = (text: string): Reply => ({ _tag: "Json", text })

export const factorsHandlers = Effect.map(
  useCases,
  (uses): Handlers<typeof factorsRoutes> => ({
    factors: ({ who }) => factorsPage(uses, who, fresh()),
    passkeyOptions: ({ who }) => Effect.map(uses.passkeys.options(who), json),
    addPasskey: (visit) => addPasskey(uses, visit),
    newTotp: (visit) => newApp(uses, visit),
    addTotp: (visit) => addApp(uses, visit),
    askRemovePasskey: (visit) => askRemovePasskey(uses, visit),
    removePasskey: (visit) => removePasskey(uses, visit),
    askRemoveTotp: (visit) => askRemoveApp(uses, visit),
    removeTotp: (visit) => removeApp(uses, visit),
    confirmOptions: ({ who, form }) =>
      Effect.map(uses.confirmAction.challenge(who, actionOf(form.get("confirm_path") ?? "", form)), json)
  })
)
