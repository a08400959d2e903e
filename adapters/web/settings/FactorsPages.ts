// Passkeys and the authenticator app of the signed-in member: listed, added and removed; and the challenges that confirm forms.
import { Effect, Schema } from "effect"
import { line } from "#adapters/contract/schema/Text.ts"
import { type Html, html, isolated, nothing } from "#adapters/html/Html.ts"
import { MAX_PASSKEY_NAME, MAX_PASSKEYS } from "#core/domain/members/Factor.ts"
import { FactorNotFound } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import { ManageAuthenticatorApp } from "#core/usecases/members/ManageAuthenticatorApp.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { ManagePasskeys } from "#core/usecases/members/ManagePasskeys.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { confirmByMail, FACTORS_PATH, factorsCard, LINK_PATH, lossCard, secretOf } from "../FactorTexts.ts"
import { actionOf, CONFIRM_PATH } from "../form/Confirmation.ts"
import { hidden, passkey, text } from "../form/Fields.ts"
import { askPage, form, type Question, refuse, showForm, submit } from "../form/Form.ts"
import { operatorLink } from "../LegalPages.ts"
import { action, json, page, seeOther, uploading, type Visit } from "../Page.ts"

const newPasskey = form({
  path: `${FACTORS_PATH}/passkeys`,
  fields: {
    name: text(line(1, MAX_PASSKEY_NAME), "Name of the passkey", {
      hint: "Such as the device that it is on: Ada's laptop.",
      required: true,
      maxLength: 60
    }),
    registration: passkey(`${FACTORS_PATH}/passkey-options`)
  },
  confirms: "factors",
  kind: "pay",
  button: "Add a passkey"
})

const newApp = form({
  path: `${FACTORS_PATH}/totp`,
  fields: {
    sealed: hidden(Schema.String),
    new_code: text(Schema.String, "Code that the new app shows", {
      required: true,
      maxLength: 10,
      inputMode: "numeric",
      autocomplete: "one-time-code",
      once: true
    })
  },
  confirms: "factors",
  kind: "pay",
  button: "Add the app"
})

const removal = { fields: {}, confirms: "factors", kind: "grave", button: "Remove it" } as const
const removePasskey = form({ ...removal, path: `${FACTORS_PATH}/passkeys/:id/remove` })
const removeApp = form({ ...removal, path: `${FACTORS_PATH}/totp/remove` })

const NO_PASSKEY =
  "Your browser made no passkey, and none was added. It needs JavaScript, and a device that can keep a passkey."
const WRONG_CODE =
  "This is not the code that the app shows now. Enter the newest one, and check that the clock of its device is right."

/** The page of factors says what to do instead. */
const tooOld = () => Effect.succeed(seeOther(FACTORS_PATH, "Nothing was added yet."))

const ownFactors = ({ who }: Visit<SignedIn>) => ManageFactors.use(({ list }) => list(who))

const addForms = Effect.fnUntraced(function* (visit: Visit<SignedIn>) {
  const { passkeys, totp } = yield* ownFactors(visit)
  const addPasskey = html`<section class="card pad gap"><div class="stack"><h2>A passkey</h2>
<p>Your fingerprint, your face or the PIN of this device. Add one on each device that you use, ${MAX_PASSKEYS} at most.</p></div>
${yield* showForm(newPasskey, visit)}
<noscript><p class="note">Passkeys need JavaScript, which is off. An authenticator app works without it.</p></noscript></section>`
  const addApp = html`<section class="card pad gap"><div class="stack"><h2>An authenticator app</h2>
<p>Six digits from an app on your phone, such as Google Authenticator. It works without JavaScript, too.</p></div>
<p><a class="btn" href="${newApp.path}">Add an authenticator app</a></p></section>`
  return html`<div class="cards">
${passkeys.length < MAX_PASSKEYS ? addPasskey : nothing}
${totp === null ? addApp : nothing}
</div>`
})

const factorsPage = page(
  "viewer",
  FACTORS_PATH,
  { section: "Settings", title: "Passkeys and apps", help: "second-factors" },
  function* (visit) {
    const mayAdd = yield* ManageFactors.use(({ requireFresh }) => requireFresh(visit.who)).pipe(
      Effect.as(true),
      Effect.catchTag("SignInTooOld", () => Effect.succeed(false))
    )
    const own = yield* ownFactors(visit)
    return html`${factorsCard(own)}
${mayAdd ? yield* addForms(visit) : confirmByMail(visit.who.member.email)}
${lossCard(own, yield* operatorLink)}`
  }
)

/** A form that was refused keeps the secret that the app was given. */
const newAppPage = page(
  "viewer",
  newApp.path,
  {
    section: "Settings",
    title: "Add an authenticator app",
    above: [["Passkeys and apps", FACTORS_PATH]],
    help: "second-factors"
  },
  function* (visit) {
    const { who, form: typed } = visit
    const app = yield* ManageAuthenticatorApp
    const create = app.create(who).pipe(Effect.catchTag("SignInTooOld", () => Effect.succeed(null)))
    const totp = yield* visit.refused === null ? create : app.open(who, typed.get("sealed") ?? "")
    if (totp === null) return seeOther(FACTORS_PATH)
    return html`${secretOf(totp)}
${yield* showForm(newApp, visit, { values: { sealed: totp.sealed } })}
<p><a href="${FACTORS_PATH}">Leave it as it is</a></p>`
  }
)

const passkeyOfPath = Effect.fnUntraced(function* (visit: Visit<SignedIn>) {
  const { id: factorId = "" } = visit.params
  const own = (yield* ownFactors(visit)).passkeys.find(({ passkeyId }) => passkeyId === factorId)
  return own ?? (yield* new FactorNotFound({ factorId }))
})

const ownApp = Effect.fnUntraced(function* (visit: Visit<SignedIn>) {
  return (yield* ownFactors(visit)).totp ?? (yield* new FactorNotFound({ factorId: "totp" }))
})

const question = (title: string, what: Html): Question => ({
  title,
  says: html`<p>${what} no longer signs you in or confirms anything. All owners of the account are told by mail. If it is your last one, your mailbox alone opens this account again.</p>`,
  back: FACTORS_PATH,
  leave: "Keep it",
  help: "second-factors"
})

const askRemovePasskey = askPage("viewer", removePasskey, "Settings", function* (visit) {
  const { name } = yield* passkeyOfPath(visit)
  return question("Remove a passkey", html`The passkey <strong>${name}</strong>`)
})

const askRemoveApp = askPage("viewer", removeApp, "Settings", function* (visit) {
  yield* ownApp(visit)
  return question("Remove the authenticator app", html`The authenticator app`)
})

export const factorsPages = [
  factorsPage,
  action(
    "viewer",
    LINK_PATH,
    function* ({ who: { member }, network, devices }) {
      yield* (yield* SignInLinks).request({ email: member.email, network, devices })
      return { ...seeOther("/account/sign-in/sent"), next: FACTORS_PATH }
    },
    // It makes nothing that a sign-in page does not make for strangers.
    "nothing"
  ),
  // Both make a challenge alone; what it is answered for asks for the proof.
  action(
    "viewer",
    `${FACTORS_PATH}/passkey-options`,
    function* ({ who }) {
      return json(yield* (yield* ManagePasskeys).options(who))
    },
    "nothing"
  ),
  // What is confirmed may have borne a file.
  uploading(
    action(
      "viewer",
      CONFIRM_PATH,
      function* ({ who, form: asked }) {
        const confirmed = actionOf(asked.get("confirm_path") ?? "", asked)
        return json(yield* (yield* ConfirmAction).challenge(who, confirmed))
      },
      "nothing"
    )
  ),
  submit("viewer", newPasskey, factorsPage, function* ({ name, registration: response }, { who, confirm }) {
    if (response === "") return yield* refuse({ name: NO_PASSKEY })
    const { add } = yield* ManagePasskeys
    return yield* add(who, { name, response }, confirm).pipe(
      Effect.as(
        seeOther(FACTORS_PATH, `The passkey ${isolated(name)} was added. You can sign in with it, and confirm.`)
      ),
      Effect.catchTags({
        PasskeyRefused: () => refuse({ name: "This passkey was not accepted, and none was added. Try it again." }),
        SignInTooOld: tooOld
      })
    )
  }),
  newAppPage,
  submit("viewer", newApp, newAppPage, function* ({ sealed, new_code: code }, { who, confirm }) {
    const { add } = yield* ManageAuthenticatorApp
    return yield* add(who, { sealed, code }, confirm).pipe(
      Effect.as(
        seeOther(FACTORS_PATH, "The authenticator app was added. From now on, a sign-in link asks for its code.")
      ),
      Effect.catchTags({ CodeRefused: () => refuse({ new_code: WRONG_CODE }), SignInTooOld: tooOld })
    )
  }),
  askRemovePasskey,
  submit("viewer", removePasskey, askRemovePasskey, function* (_, visit) {
    const { passkeyId, name } = yield* passkeyOfPath(visit)
    yield* (yield* ManagePasskeys).remove(visit.who, passkeyId, yield* visit.confirm)
    return seeOther(FACTORS_PATH, `The passkey ${isolated(name)} was removed.`)
  }),
  askRemoveApp,
  submit("viewer", removeApp, askRemoveApp, function* (_, visit) {
    yield* ownApp(visit)
    yield* (yield* ManageAuthenticatorApp).remove(visit.who, yield* visit.confirm)
    return seeOther(FACTORS_PATH, "The authenticator app was removed.")
  })
]
