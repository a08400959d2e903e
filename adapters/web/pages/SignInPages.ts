// Signing in by a link in a mail. Opening the link shows a button and changes nothing, because mail scanners open links too.
import { Effect, Result, Schema } from "effect"
import { type Html, html } from "#adapters/http/Html.ts"
import { type LinkView, SignIn } from "#core/usecases/SignIn.ts"
import { type FormState, formProblem, fresh, hidden, input } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { emailField } from "../FormSchemas.ts"
import { action, type Handlers, page, type Reply, seeOther } from "../PageRoutes.ts"

export const signInRoutes = {
  signIn: page("anyone", "/account/sign-in"),
  requestLink: action("anyone", "/account/sign-in"),
  linkSent: page("anyone", "/account/sign-in/sent"),
  useLink: action("anyone", "/account/sign-in/use")
}

const LinkRequest = Schema.Struct({
  email: emailField
})
const decodeRequest = formDecoder(LinkRequest)

const plain = (title: string, body: Html, status = 200): Reply => ({ _tag: "Page", status, title, body })

const requestPage = (state: FormState, status = 200): Reply =>
  plain(
    "Sign in",
    html`<h1>Sign in</h1>
${formProblem(state)}
<p>We send you a link that signs you in, good for 15 minutes. There is no password.</p>
<form method="post" action="/account/sign-in">
${input(state, { name: "email", label: "Your e-mail address", type: "email", required: true, autocomplete: "email", maxLength: 254 })}
<button class="pay" type="submit">Send me a link</button>
</form>`,
    status
  )

const linkPage = (token: string, view: LinkView): Reply => {
  const says =
    view.kind === "signs_in"
      ? html`<p>You sign in to <strong>${view.accountName}</strong> as ${view.email}.</p>`
      : html`<p>You open a new account for <strong>${view.email}</strong>. It is free of charge, and no card is asked for.</p>`
  const label = view.kind === "signs_in" ? "Sign in" : "Open the account"
  return plain(
    label,
    html`<h1>${label}</h1>
${says}
<form method="post" action="/account/sign-in/use">${hidden("token", token)}
<button class="pay" type="submit">${label}</button>
</form>
<p class="hint">Did you not ask for this? Then close this page; nothing happens.</p>`
  )
}

export const signInHandlers = Effect.gen(function* () {
  const signIn = yield* SignIn

  const handlers: Handlers<typeof signInRoutes> = {
    signIn: Effect.fnUntraced(function* ({ who, query }) {
      const token = query.get("token")
      if (token !== null) return linkPage(token, yield* signIn.look(token))
      return who === null ? requestPage(fresh()) : seeOther("/account")
    }),
    requestLink: Effect.fnUntraced(function* ({ form, network }) {
      const decoded = decodeRequest(form)
      if (Result.isFailure(decoded)) return requestPage({ values: form, messages: decoded.failure }, 422)
      yield* signIn.requestLink({ email: decoded.success.email, network })
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
    useLink: ({ form, network, userAgent }) => {
      const token = form.get("token") ?? ""
      return Effect.map(
        signIn.use(token, { network, userAgent }),
        ({ signedIn: { account, member }, token: session, opened }): Reply => {
          const done = opened
            ? `Your account is open, and you are signed in as ${member.email}.`
            : `You are signed in to ${account.name} as ${member.email}.`
          return { _tag: "SeeOther", to: "/account", done, session }
        }
      )
    }
  }
  return handlers
})
