// Signing in as a reviewer, by name and password.
import { Effect } from "effect"
import { html } from "#adapters/html/Html.ts"
import { SignInByPassword } from "#core/usecases/members/SignInByPassword.ts"
import { type FormState, formProblem, fresh, input } from "../Fields.ts"
import { action, type Handlers, page, type Reply, seeOther } from "../PageRoutes.ts"

const PATH = "/account/sign-in/reviewer"

export const reviewerRoutes = {
  reviewer: page("anyone", PATH),
  signInReviewer: action("anyone", PATH)
}

const REFUSED =
  "This was not accepted, and you are not signed in. Check the name and the password, or ask the operator whether they are still good. After ten attempts an hour has to pass."

/** A password is not shown again. */
const signInPage = (state: FormState, status = 200): Reply => ({
  _tag: "Page",
  status,
  title: "Sign in as a reviewer",
  body: html`<h1>Sign in as a reviewer</h1>
${formProblem(state)}
<p>For reviewers of directories, with the name and the password that the operator gave them. The account is of the sandbox: nothing there has any real effect.</p>
<form method="post" action="${PATH}">
${input(state, { name: "name", label: "Name", required: true, autocomplete: "username", maxLength: 40 })}
${input(fresh(), { name: "password", label: "Password", type: "password", required: true, autocomplete: "current-password", maxLength: 200 })}
<button class="pay" type="submit">Sign in</button>
</form>
<p>Have you an account of your own? <a href="/account/sign-in">Sign in by mail or passkey</a>.</p>`
})

export const reviewerHandlers = Effect.gen(function* () {
  const byPassword = yield* SignInByPassword

  const handlers: Handlers<typeof reviewerRoutes> = {
    reviewer: ({ who }) => Effect.succeed(who === null ? signInPage(fresh()) : seeOther("/account")),
    signInReviewer: ({ form, network, userAgent, next }) =>
      byPassword
        .use({ name: form.get("name") ?? "", password: form.get("password") ?? "" }, { network, userAgent })
        .pipe(
          Effect.map(
            ({ signedIn: { account }, token: session }): Reply => ({
              _tag: "SeeOther",
              to: next ?? "/account",
              done: `You are signed in to ${account.name}.`,
              session,
              ...(next === null ? {} : { next: null })
            })
          ),
          Effect.catchTag("PasswordRefused", () =>
            Effect.succeed(signInPage({ values: form, messages: new Map([["name", REFUSED]]) }, 422))
          )
        )
  }
  return handlers
})
