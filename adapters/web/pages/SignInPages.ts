// Signing in by a passkey, or by a mail with a link and a code, with the code of an authenticator app where the member has one. Opening the link
// shows a button and changes nothing, because mail scanners open links too. The code counts in the browser that asked for the mail.
import { Effect, Option } from "effect"
import { html, isolated, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { typedCode } from "#core/domain/members/SignInCode.ts"
import { type LinkView, SignIn } from "#core/usecases/members/SignIn.ts"
import { SignInByPasskey } from "#core/usecases/members/SignInByPasskey.ts"
import { SignInCodes } from "#core/usecases/members/SignInCodes.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { anyText, emailField } from "../form/FieldSchemas.ts"
import { hidden, passkey, text } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { operatorOf } from "../LegalPages.ts"
import { action, json, page, seeOther, titled, type Visit, WebSettings, welcome } from "../Page.ts"
import { belongsPage, endedPage, invitedTo, joinedText } from "./InvitationPages.ts"
import {
  appCodeRefused,
  codeEndedPage,
  linkEndedPage,
  mailCodeRefused,
  NOT_SIX_DIGITS,
  PASSKEY_REFUSED,
  SIGN_IN_PATH,
  VALID_FOR
} from "./SignInTexts.ts"

const PATH = SIGN_IN_PATH

const byMail = form({
  path: PATH,
  look: "plain",
  fields: {
    email: text(emailField, "Your e-mail address", {
      type: "email",
      required: true,
      autocomplete: "email",
      maxLength: 254
    })
  },
  kind: "pay",
  button: "Send me a link and a code"
})

const byCode = form({
  path: `${PATH}/code`,
  look: "plain",
  fields: {
    code: text(anyText, "Code in the mail", {
      hint: "Six digits. They work only in the browser that asked for the mail.",
      required: true,
      once: true,
      maxLength: 40,
      autocomplete: "one-time-code",
      inputMode: "numeric"
    })
  },
  kind: "pay",
  button: "Sign in"
})

const byPasskey = form({
  path: `${PATH}/passkey`,
  look: "plain",
  fields: { assertion: passkey(`${PATH}/passkey-options`) },
  button: "Sign in with a passkey"
})

const byLink = form({
  path: `${PATH}/use`,
  look: "plain",
  fields: {
    token: hidden(anyText),
    code: text(anyText, "Code of your authenticator app", {
      hint: "Lost the app? Ask the operator or another owner for a one-time code: it works here too, and removes your passkeys and your app.",
      required: true,
      once: true,
      maxLength: 40,
      autocomplete: "one-time-code"
    })
  },
  kind: "pay",
  button: "Sign in"
})

const byInvitation = form({
  path: `${PATH}/join`,
  look: "plain",
  fields: { token: hidden(anyText), invitation: hidden(anyText) },
  kind: "pay",
  button: "Accept the invitation"
})

/** In a browser in which someone signed in before, the passkey comes first: it takes one press. */
const requestBody = Effect.fnUntraced(function* (visit: Visit<SignedIn | null>) {
  const { signUp, contact } = yield* WebSettings
  const newcomers = signUp
    ? html`<strong>New here?</strong> The same mail opens your account. It costs nothing, and no card is asked for.`
    : html`<strong>New here?</strong> For an account, write to ${operatorOf(Option.getOrNull(contact))}.`
  const mail = html`<p>We mail you a link and a six-digit code. Either of them signs you in, once, within ${VALID_FOR}.</p>
<p>${newcomers}</p>
${yield* showForm(byMail, visit)}`
  const passkey = html`${yield* showForm(byPasskey, visit)}
<noscript><p class="note">Passkeys need JavaScript, which is off. The mail works without it.</p></noscript>`
  const [first, or, second] = visit.devices === "" ? [mail, "with a passkey", passkey] : [passkey, "by mail", mail]
  return html`${first}
<h2>Or ${or}</h2>
${second}
<p class="small"><a href="/account/sign-in/reviewer">For reviewers of directories</a></p>`
})

const IGNORE = html`<p class="hint">Did you not ask for this? Then close this page, and nothing happens. Someone typed your address, perhaps by mistake.</p>`

type NewAddress = Extract<LinkView, { readonly kind: "opens_account" }>

/** An address that belongs to no account: it may open one, or join one that invites it. */
const newAddressPage = Effect.fnUntraced(function* (
  visit: Visit<SignedIn | null>,
  token: string,
  { email, mayOpen, invitations }: NewAddress
) {
  const joins = yield* Effect.forEach(invitations, (view) =>
    Effect.map(
      showForm(byInvitation, visit, { values: { token, invitation: view.invitation.invitationId } }),
      (button) => html`${invitedTo(view)}\n${button}\n`
    )
  )
  const open = yield* showForm(byLink, visit, {
    ...{ values: { token }, fields: { token: byLink.fields.token }, button: "Open the account" }
  })
  const opens = html`<p>You open a new account for <strong>${email}</strong>. It costs nothing, and no card is asked for: you pay only for links that you or your agents order, within your limits.</p>
${open}`
  if (joins.length === 0) return titled("Open your account", html`${opens}\n${IGNORE}`)
  const instead = mayOpen ? html`<h2>Or open your own account</h2>\n${opens}` : nothing
  return titled("You are invited", html`${joins}${instead}\n${IGNORE}`)
})

const linkPage = Effect.fnUntraced(function* (visit: Visit<SignedIn | null>, token: string) {
  const view = yield* (yield* SignIn).look(token)
  if (view.kind === "opens_account") return yield* newAddressPage(visit, token, view)
  const fields = view.wantsCode ? byLink.fields : { token: byLink.fields.token }
  const body = html`<p>You sign in to <strong>${view.accountName}</strong> as <strong>${view.email}</strong>.</p>
${yield* showForm(byLink, visit, { values: { token }, fields })}
${IGNORE}`
  return titled("Sign in", body)
})

/** The page of a link, by its address or from its form, or the one where a link is asked for. */
const signInPage = page("anyone", PATH, { title: "Sign in", help: "signing-in" }, function* (visit) {
  const token = visit.query.get("token") ?? visit.form.get("token")
  if (token !== null)
    return yield* Effect.catchTag(linkPage(visit, token), "SignInLinkInvalid", () => Effect.succeed(linkEndedPage))
  return visit.who === null || visit.refused !== null ? yield* requestBody(visit) : seeOther("/account")
})

const sentPage = page("anyone", `${PATH}/sent`, { title: "Look in your mail" }, function* (visit) {
  const asked = yield* (yield* SignInCodes).asked(visit.asked)
  const another = html`<p>Nothing there after a minute? Look among the unwanted mail, check that the address is right, or <a href="${PATH}">ask for another mail</a>`
  if (asked === null)
    return html`<p>If your address can sign in, a link is on its way. It works once, within ${VALID_FOR}.</p>\n${another}.</p>`
  return html`<p>If <strong>${asked.email}</strong> can sign in, a mail is on its way. Open its link, or type its code here: either works once, within ${VALID_FOR}.</p>
${yield* showForm(byCode, visit)}
${another}: then its code is the one that works here.</p>
<p class="hint">Give the code to no one. We never ask for it, neither on the phone nor in a message.</p>`
})

const signedInText = ({ account, member }: SignedIn): string =>
  `You are signed in to ${isolated(account.name)} as ${member.email}.`

/** Signs in where nothing more is asked; the page of the link asks for a code of the app, or whether to open an account or join one. */
const signInWith = Effect.fnUntraced(function* (token: string, visit: Visit<SignedIn | null>) {
  const { look, use } = yield* SignIn
  const view = yield* look(token)
  if (view.kind !== "signs_in" || view.wantsCode) return seeOther(`${PATH}?token=${token}`)
  const session = yield* use(token, visit, "")
  return welcome(visit, session, signedInText(session.signedIn))
})

export const signInPages = [
  signInPage,
  submit("anyone", byMail, signInPage, function* ({ email }, { network, devices }) {
    const asked = yield* (yield* SignInLinks).request({ email, network, devices })
    return { ...seeOther(`${PATH}/sent`), asked }
  }),
  sentPage,
  submit("anyone", byCode, sentPage, function* ({ code }, visit) {
    const { asked: kept, devices, network } = visit
    if (typedCode(code) === null) return yield* refuse({ code: NOT_SIX_DIGITS })
    const exchanged = (yield* SignInCodes).exchange(code, { kept, devices, network })
    return yield* exchanged.pipe(
      Effect.flatMap((token) => signInWith(token, visit)),
      Effect.catchTags({
        CodeRefused: ({ left }) => refuse({ code: mailCodeRefused(left) }),
        SignInLinkInvalid: () => Effect.succeed(codeEndedPage)
      })
    )
  }),
  submit("anyone", byLink, signInPage, function* ({ token, code }, visit) {
    const { use } = yield* SignIn
    const session = yield* use(token, visit, code.trim()).pipe(
      Effect.catchTag("CodeRefused", ({ left }) => refuse({ code: appCodeRefused(left) })),
      Effect.catchTag("SignInLinkInvalid", () => Effect.succeed(null))
    )
    if (session === null) return linkEndedPage
    const opened = `Your account is open, and you are signed in as ${session.signedIn.member.email}.`
    return welcome(visit, session, session.opened ? opened : signedInText(session.signedIn))
  }),
  submit("anyone", byInvitation, signInPage, function* ({ token, invitation: id }, visit) {
    const { look, join } = yield* SignIn
    const view = yield* look(token)
    const known = view.kind === "opens_account" ? view.invitations : []
    const found = known.find(({ invitation: { invitationId } }) => invitationId === id)
    if (found === undefined) return endedPage("unknown")
    const joined = Effect.map(join(token, visit, found.invitation.invitationId), (session) =>
      welcome(visit, session, joinedText(session.signedIn))
    )
    return yield* joined.pipe(
      Effect.catchTags({
        EmailTaken: ({ accountId }) => Effect.succeed(belongsPage(found, accountId)),
        InvitationEnded: ({ reason }) => Effect.succeed(endedPage(reason))
      })
    )
  }),
  action("anyone", `${PATH}/passkey-options`, function* () {
    return json(yield* (yield* SignInByPasskey).options)
  }),
  submit("anyone", byPasskey, signInPage, function* ({ assertion }, visit) {
    const { use } = yield* SignInByPasskey
    const session = yield* use(assertion, visit).pipe(Effect.catchTag("PasskeyRefused", () => refuse(PASSKEY_REFUSED)))
    return welcome(visit, session, signedInText(session.signedIn))
  })
]
