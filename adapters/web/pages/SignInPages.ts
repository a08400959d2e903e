// Signing in by a passkey, or by a mail with a link and a code, with the code of an authenticator app where the member has one. Opening the link
// shows a button and changes nothing, because mail scanners open links too. The code counts in the browser that asked for the mail.
import { Effect } from "effect"
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
import { legalLinks } from "../LegalPages.ts"
import { action, json, page, seeOther, titled, type Visit, WebSettings, welcome } from "../Page.ts"
import { belongsPage, endedPage, invitedTo, joinedText } from "./InvitationPages.ts"

const PATH = "/account/sign-in"

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
  button: "Send me a link"
})

const byCode = form({
  path: `${PATH}/code`,
  look: "plain",
  fields: {
    code: text(anyText, "Code in the mail", {
      hint: "Six digits. They work in this browser only.",
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

const PASSKEY_REFUSED = "The passkey was not accepted, and you are not signed in. Try again, or ask for a link."

const CODE_REFUSED =
  "This was not accepted. Enter the code that your app shows now: each counts once. A link takes five codes; after that, ask for another one."

const NOT_SIX_DIGITS = "Type the six digits that are in the mail."

const MAIL_CODE_REFUSED =
  "This is not the code, or it was used already. If there is a newer mail, take its code. Five wrong codes end the code and the link of the mail."

/** Said for known and unknown addresses alike. */
const codeEndedPage = titled(
  "Sign in",
  html`<p>It was used, is older than 15 minutes, or too many wrong codes were typed. You are not signed in.</p>
<p>Ask for another mail, and open its link: a link works in any browser.</p>
<p><a class="btn main" href="${PATH}">Ask for another mail</a></p>`,
  { heading: "The code has ended", status: 410 }
)

const requestBody = Effect.fnUntraced(function* (visit: Visit<SignedIn | null>) {
  const { legal } = yield* WebSettings
  return html`<p>We send you a mail with a link and a code. Either of them signs you in, for 15 minutes. There is no password.</p>
${yield* showForm(byMail, visit)}
<h2>Or with a passkey</h2>
${yield* showForm(byPasskey, visit)}
<noscript><p class="note">Passkeys need JavaScript, which is off. The link works without it.</p></noscript>
<p class="hint">Do you review this service for a directory? <a href="/account/sign-in/reviewer">Sign in with a password</a>.</p>
${legalLinks(legal)}`
})

const IGNORE = html`<p class="hint">Did you not ask for this? Then close this page; nothing happens.</p>`

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
  const opens = html`<p>You open a new account for <strong>${email}</strong>. It is free of charge, and no card is asked for.</p>
${open}`
  if (joins.length === 0) return titled("Open the account", html`${opens}\n${IGNORE}`)
  const instead = mayOpen ? html`<h2>Or open an account of your own</h2>\n${opens}` : nothing
  return titled("You are invited", html`${joins}${instead}\n${IGNORE}`)
})

const linkPage = Effect.fnUntraced(function* (visit: Visit<SignedIn | null>, token: string) {
  const view = yield* (yield* SignIn).look(token)
  if (view.kind === "opens_account") return yield* newAddressPage(visit, token, view)
  const fields = view.wantsCode ? byLink.fields : { token: byLink.fields.token }
  const body = html`<p>You sign in to <strong>${view.accountName}</strong> as ${view.email}.</p>
${yield* showForm(byLink, visit, { values: { token }, fields })}
${IGNORE}`
  return titled("Sign in", body)
})

/** The page of a link, by its address or from its form, or the one where a link is asked for. */
const signInPage = page("anyone", PATH, { title: "Sign in", help: "signing-in" }, function* (visit) {
  const token = visit.query.get("token") ?? visit.form.get("token")
  if (token !== null) return yield* linkPage(visit, token)
  return visit.who === null || visit.refused !== null ? yield* requestBody(visit) : seeOther("/account")
})

const sentPage = page("anyone", `${PATH}/sent`, { title: "Look in your mail" }, function* (visit) {
  const asked = yield* (yield* SignInCodes).asked(visit.asked)
  const another = html`<p>Nothing there? Look among the unwanted mail, or <a href="${PATH}">ask for another mail</a>.</p>`
  if (asked === null)
    return html`<p>If your address can sign in, a link is on its way. It works once, for 15 minutes.</p>\n${another}`
  return html`<p>If <strong>${asked.email}</strong> can sign in, a mail is on its way. Open its link, or type its code here: one of them works, once, for 15 minutes.</p>
${yield* showForm(byCode, visit)}
${another}
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
        CodeRefused: () => refuse({ code: MAIL_CODE_REFUSED }),
        SignInLinkInvalid: () => Effect.succeed(codeEndedPage)
      })
    )
  }),
  submit("anyone", byLink, signInPage, function* ({ token, code }, visit) {
    const { use } = yield* SignIn
    const session = yield* use(token, visit, code.trim()).pipe(
      // A link that has had its five codes is worth no more, and says the same as any other that is not.
      Effect.catchTag("CodeRefused", () => refuse({ code: CODE_REFUSED }))
    )
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
