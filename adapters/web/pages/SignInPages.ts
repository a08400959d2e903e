// Signing in by a passkey, or by a link in a mail, with the code of an authenticator app where the member has one. Opening the link shows a button and changes nothing, because mail scanners open links too.
import { Effect, Result, Schema } from "effect"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { NewSession } from "#core/usecases/members/MemberSessions.ts"
import { type LinkView, SignIn } from "#core/usecases/members/SignIn.ts"
import { SignInByPasskey } from "#core/usecases/members/SignInByPasskey.ts"
import { SignInLinks } from "#core/usecases/members/SignInLinks.ts"
import { passkeyField } from "../Confirmation.ts"
import { type FormState, formProblem, fresh, hidden, input } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { emailField } from "../FormSchemas.ts"
import { type LegalPage, legalLinks } from "../LegalPages.ts"
import { action, type Handlers, page, type Reply, seeOther } from "../PageRoutes.ts"

export const signInRoutes = {
  signIn: page("anyone", "/account/sign-in"),
  requestLink: action("anyone", "/account/sign-in"),
  linkSent: page("anyone", "/account/sign-in/sent"),
  useLink: action("anyone", "/account/sign-in/use"),
  passkeyOptions: action("anyone", "/account/sign-in/passkey-options"),
  usePasskey: action("anyone", "/account/sign-in/passkey")
}

const LinkRequest = Schema.Struct({
  email: emailField
})
const decodeRequest = formDecoder(LinkRequest)

const plain = (title: string, body: Html, status = 200): Reply => ({ _tag: "Page", status, title, body })

const PASSKEY_REFUSED = html`<p class="problem" role="alert">The passkey was not accepted, and you are not signed in. Try again, or ask for a link.</p>`

const CODE_REFUSED =
  "This was not accepted. Enter the code that your app shows now: each counts once. A link takes five codes; after that, ask for another one."

const requestPageWith =
  (legal: Html) =>
  (state: FormState, status = 200, above: Html = nothing): Reply =>
    plain(
      "Sign in",
      html`<h1>Sign in</h1>
${above}
${formProblem(state)}
<p>We send you a link that signs you in, good for 15 minutes. There is no password.</p>
<form method="post" action="/account/sign-in">
${input(state, { name: "email", label: "Your e-mail address", type: "email", required: true, autocomplete: "email", maxLength: 254 })}
<button class="pay" type="submit">Send me a link</button>
</form>
<h2>Or with a passkey</h2>
<form method="post" action="/account/sign-in/passkey">
${passkeyField("assertion", "/account/sign-in/passkey-options")}
<button type="submit">Sign in with a passkey</button>
</form>
<noscript><p class="note">Passkeys need JavaScript, which is off. The link works without it.</p></noscript>
<p class="hint">Do you review this service for a directory? <a href="/account/sign-in/reviewer">Sign in with a password</a>.</p>
${legal}`,
      status
    )

/** A code counts once, so that it is not shown again. */
const codeInput = ({ messages }: FormState): Html =>
  input(
    { ...fresh(), messages },
    {
      name: "code",
      label: "Code of your authenticator app",
      hint: "Lost the app? Ask the operator or another owner for a one-time code: it works here too, and removes your passkeys and your app.",
      required: true,
      maxLength: 40,
      autocomplete: "one-time-code"
    }
  )

const linkPage = (token: string, view: LinkView, state: FormState = fresh(), status = 200): Reply => {
  const says =
    view.kind === "signs_in"
      ? html`<p>You sign in to <strong>${view.accountName}</strong> as ${view.email}.</p>`
      : html`<p>You open a new account for <strong>${view.email}</strong>. It is free of charge, and no card is asked for.</p>`
  const label = view.kind === "signs_in" ? "Sign in" : "Open the account"
  const code = view.kind === "signs_in" && view.wantsCode ? codeInput(state) : nothing
  return plain(
    label,
    html`<h1>${label}</h1>
${says}
<form method="post" action="/account/sign-in/use">${hidden("token", token)}
${code}
<button class="pay" type="submit">${label}</button>
</form>
<p class="hint">Did you not ask for this? Then close this page; nothing happens.</p>`,
    status
  )
}

export const signInHandlers = Effect.fnUntraced(function* (legal: ReadonlyArray<LegalPage>) {
  const requestPage = requestPageWith(legalLinks(legal))
  const signIn = yield* SignIn
  const links = yield* SignInLinks
  const byPasskey = yield* SignInByPasskey

  const welcome = (
    { signedIn: { account, member }, token: session }: NewSession,
    done: string | null,
    next: string | null
  ): Reply => ({
    _tag: "SeeOther",
    to: next ?? "/account",
    done: done ?? `You are signed in to ${account.name} as ${member.email}.`,
    session,
    ...(next === null ? {} : { next: null })
  })

  const handlers: Handlers<typeof signInRoutes> = {
    signIn: Effect.fnUntraced(function* ({ who, query }) {
      const token = query.get("token")
      if (token !== null) return linkPage(token, yield* signIn.look(token))
      return who === null ? requestPage(fresh()) : seeOther("/account")
    }),
    requestLink: Effect.fnUntraced(function* ({ form, network }) {
      const decoded = decodeRequest(form)
      if (Result.isFailure(decoded)) return requestPage({ values: form, messages: decoded.failure }, 422)
      yield* links.request({ email: decoded.success.email, network })
      return seeOther("/account/sign-in/sent")
    }),
    linkSent: () =>
      Effect.succeed(
        plain(
          "Look in your mail",
          html`<h1>Look in your mail</h1>
<p>If this address can sign in, a link is on its way. It is good for 15 minutes and works once.</p>
<p>Nothing there? Look among the unwanted mail, or <a href="/account/sign-in">ask for another link</a>.</p>`
        )
      ),
    useLink: Effect.fnUntraced(function* ({ form, network, userAgent, next }) {
      const token = form.get("token") ?? ""
      return yield* signIn.use(token, { network, userAgent }, (form.get("code") ?? "").trim()).pipe(
        Effect.map(({ opened, ...session }) =>
          welcome(
            session,
            opened ? `Your account is open, and you are signed in as ${session.signedIn.member.email}.` : null,
            next
          )
        ),
        Effect.catchTag("CodeRefused", () =>
          // A link that has had its five codes is worth no more, and says the same as any other that is not.
          Effect.map(signIn.look(token), (view) =>
            linkPage(token, view, { ...fresh(), messages: new Map([["code", CODE_REFUSED]]) }, 422)
          )
        )
      )
    }),
    passkeyOptions: ({ network }) => Effect.map(byPasskey.options(network), (text) => ({ _tag: "Json", text })),
    usePasskey: ({ form, network, userAgent, next }) =>
      byPasskey.use(form.get("assertion") ?? "", { network, userAgent }).pipe(
        Effect.map((session) => welcome(session, null, next)),
        Effect.catchTag("PasskeyRefused", () => Effect.succeed(requestPage(fresh(), 422, PASSKEY_REFUSED)))
      )
  }
  return handlers
})
