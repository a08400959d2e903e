// What the pages of signing in say of codes and links that are wrong or have ended.
import { counted, spanText } from "#adapters/contract/shared/Counted.ts"
import { html } from "#adapters/html/Html.ts"
import { MAX_CODE_ATTEMPTS, SIGN_IN_LINK_MS } from "#core/domain/members/Session.ts"
import { titled } from "../Page.ts"

export const SIGN_IN_PATH = "/account/sign-in"

export const VALID_FOR = spanText(SIGN_IN_LINK_MS)

export const PASSKEY_REFUSED =
  "Your passkey was not accepted, and you are not signed in. Try it again, or ask for a mail."

/** `left`: how many more codes this mail takes, where they are counted. */
const triesLeft = (left: number | undefined): string => {
  if (left === undefined) return ""
  return left === 0
    ? " That was the last try: ask for a new mail."
    : ` You have ${counted(left, "try", "tries")} left; then ask for a new mail.`
}

export const appCodeRefused = (left?: number): string =>
  `This code was not accepted. It is wrong, too old or already used: enter a current one.${triesLeft(left)}`

export const NOT_SIX_DIGITS = "Enter the six digits from the mail."

export const mailCodeRefused = (left?: number): string =>
  `This code was not accepted. It is wrong or already used: enter the code of the newest mail.${triesLeft(left)}`

const askAgain = html`<p><a class="btn main" href="${SIGN_IN_PATH}">Ask for another mail</a></p>`

/** Said for known and unknown addresses alike. */
export const codeEndedPage = titled(
  "Sign in",
  html`<p>It was used, is older than ${VALID_FOR}, or ${MAX_CODE_ATTEMPTS} wrong codes were typed. You are not signed in.</p>
<p>Ask for another mail, and open its link: a link works in any browser.</p>
${askAgain}`,
  { heading: "This code no longer works", status: 410 }
)

export const linkEndedPage = titled(
  "Sign in",
  html`<p>It was used, is older than ${VALID_FOR}, or ${MAX_CODE_ATTEMPTS} wrong codes were typed. Nothing was changed, and you are not signed in by it.</p>
<p>Is part of the address missing? Then copy the whole link from the mail.</p>
${askAgain}`,
  { heading: "This link no longer works", status: 410 }
)
