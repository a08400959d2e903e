// Signing in as a reviewer, by name and password.
import { Effect } from "effect"
import { html, isolated } from "#adapters/html/Html.ts"
import { SignInByPassword } from "#core/usecases/members/SignInByPassword.ts"
import { anyText } from "../form/FieldSchemas.ts"
import { text } from "../form/Fields.ts"
import { form, refuse, showForm, submit } from "../form/Form.ts"
import { page, seeOther, welcome } from "../Page.ts"

const PATH = "/account/sign-in/reviewer"

const signIn = form({
  path: PATH,
  look: "plain",
  fields: {
    name: text(anyText, "Name", { required: true, autocomplete: "username", maxLength: 40 }),
    password: text(anyText, "Password", {
      type: "password",
      once: true,
      required: true,
      autocomplete: "current-password",
      maxLength: 200
    })
  },
  kind: "pay",
  button: "Sign in"
})

const REFUSED =
  "You are not signed in. This name and this password do not belong together, or have ended: check both, or ask the operator. After ten attempts you wait an hour."

const signInPage = page("anyone", PATH, { title: "Sign in as a reviewer" }, function* (visit) {
  if (visit.who !== null && visit.refused === null) return seeOther("/account")
  return html`<p>For reviewers of directories, with the name and the password that the operator gave them. The account is of the sandbox: nothing there has any real effect.</p>
${yield* showForm(signIn, visit)}
<p>Do you have your own account? <a href="/account/sign-in">Sign in by mail or passkey</a>.</p>`
})

export const reviewerPages = [
  signInPage,
  submit("anyone", signIn, signInPage, function* (typed, visit) {
    const { use } = yield* SignInByPassword
    const session = yield* use(typed, visit).pipe(Effect.catchTag("PasswordRefused", () => refuse(REFUSED)))
    return welcome(visit, session, `You are signed in to ${isolated(session.signedIn.account.name)}.`)
  })
]
