// Pages of signing in, as a browser finds them that has asked for a mail, and refused forms.
import { Effect } from "effect"
import { SignInCodes } from "#core/usecases/members/SignInCodes.ts"
import { type Example, HOSTILE } from "./PageChecks.ts"

/** The browser that asked for a mail keeps the cookie from here on. */
export const signInExamples = Effect.gen(function* () {
  const { kept } = yield* (yield* SignInCodes).ask(HOSTILE)
  const cookie = { name: "asked", value: kept }
  const ended = { name: "asked", value: "none" }
  const examples: ReadonlyArray<Example> = [
    { path: "/account/sign-in", form: { email: HOSTILE }, status: 422 },
    { path: "/account/sign-in/sent", cookie },
    { path: "/account/sign-in/code", form: { code: HOSTILE }, cookie, status: 422 },
    { path: "/account/sign-in/code", form: { code: "000000" }, cookie: ended, status: 410 }
  ]
  return examples
})
