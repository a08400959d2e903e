// The page of a one-time code that was just made, which shows it once.
import { Schema } from "effect"
import { spanText } from "#adapters/contract/shared/Counted.ts"
import { type Html, html } from "#adapters/html/Html.ts"
import { RESET_CODE_MS } from "#core/domain/members/Factor.ts"
import { onceShown } from "./OnceShown.ts"

const SETTINGS = "/account/settings"

const NewCode = Schema.Struct({ email: Schema.String, code: Schema.String })

const codeBody = ({ email, code }: typeof NewCode.Type): Html => html`<h2>For ${email}</h2>
<p class="figure copied"><code>${code}</code></p>
<p>Hand it to ${email} in person, not by mail. It is not shown again, and counts once, within ${spanText(RESET_CODE_MS)}.</p>
<ul>
<li>Someone who is signed in adds or removes a passkey or an app with it.</li>
<li>Someone who lost theirs types it after a sign-in link, instead of the app's code. That removes all passkeys and the app of ${email}.</li>
</ul>`

export const newCodePage = onceShown({
  ...{ path: `${SETTINGS}/members/:id/code/:shown`, section: "Settings", title: "A one-time code", secret: NewCode },
  back: SETTINGS,
  body: codeBody,
  gone: html`<p>Did you not note the code? <a href="${SETTINGS}">Make another</a>, which takes its place.</p>`
})
