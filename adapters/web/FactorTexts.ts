// What pages say of a member's passkeys and authenticator app.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import type { Passkey, Totp } from "#core/domain/members/Factor.ts"
import type { NewTotp } from "#core/usecases/members/ManageAuthenticatorApp.ts"
import type { OwnFactors } from "#core/usecases/members/ManageFactors.ts"
import { passkeyField } from "./Confirmation.ts"
import { button, type FormState, formProblem, hidden, input } from "./Fields.ts"
import { qrCode } from "./QrCode.ts"

export const FACTORS_PATH = "/account/settings/factors"

const row = (name: string, createdAtMs: number, lastUsedAtMs: number | null, removePath: string): Html => html`<tr>
<th scope="row">${name}</th>
<td data-label="Added">${instant(createdAtMs)}</td>
<td data-label="Last used">${lastUsedAtMs === null ? "never" : instant(lastUsedAtMs)}</td>
<td><a href="${removePath}" aria-label="Remove ${name}">Remove</a></td>
</tr>`

const passkeyRow = ({ passkeyId, name, createdAtMs, lastUsedAtMs }: Passkey): Html =>
  row(name, createdAtMs, lastUsedAtMs, `${FACTORS_PATH}/passkeys/${passkeyId}/remove`)

const totpRow = ({ createdAtMs, lastUsedAtMs }: Totp): Html =>
  row("Authenticator app", createdAtMs, lastUsedAtMs, `${FACTORS_PATH}/totp/remove`)

export const factorsTable = ({ passkeys, totp }: OwnFactors): Html =>
  passkeys.length === 0 && totp === null
    ? html`<p class="empty">You have none yet. Anyone who reads your mail, an assistant for example, could open a sign-in link and do what you can do. With a passkey or an app, only you can create a key, loosen a limit or change members.</p>`
    : html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Added</th><th scope="col">Last used</th><td></td></tr></thead>
<tbody>${passkeys.map(passkeyRow)}${totp === null ? nothing : totpRow(totp)}</tbody>
</table>`

/** One sentence for the settings. */
export const factorsSummary = ({ passkeys, totp }: OwnFactors): string => {
  const app = totp === null ? [] : ["an authenticator app"]
  const own = [...(passkeys.length === 0 ? [] : [counted(passkeys.length, "passkey")]), ...app]
  return own.length === 0 ? "You have no passkey and no authenticator app." : `You have ${own.join(" and ")}.`
}

/** `confirmation`: the fields that confirm it. */
export const passkeyForm = (state: FormState, confirmation: Html): Html => html`<h2>Add a passkey</h2>
${formProblem(state)}
<form class="wide" method="post" action="${FACTORS_PATH}/passkeys">
${input(state, { name: "name", label: "Name of the passkey", hint: "Such as the device that it is on.", required: true, maxLength: 60 })}
${passkeyField("registration", `${FACTORS_PATH}/passkey-options`)}
${confirmation}
<button type="submit">Add a passkey</button>
</form>
<noscript><p class="note">Passkeys need JavaScript, which is off. An authenticator app works without it.</p></noscript>`

export const totpPage = (
  { secret, uri, sealed }: NewTotp,
  state: FormState,
  confirmation: Html
): Html => html`<h1>Add an authenticator app</h1>
<p>Let the app read this code, or type the secret into it. Then enter the six digits that it shows, so that we know it worked.</p>
${qrCode(uri, "QR code for an authenticator app; the secret below is the same")}
<dl>
<dt>Secret</dt><dd><code>${secret.match(/.{1,4}/g)?.join(" ") ?? secret}</code></dd>
<dt>Address for apps on this device</dt><dd><a href="${uri}"><code>${uri}</code></a></dd>
</dl>
${formProblem(state)}
<form class="wide" method="post" action="${FACTORS_PATH}/totp">${hidden("sealed", sealed)}
${input(state, { name: "new_code", label: "Code that the new app shows", required: true, maxLength: 10, inputMode: "numeric", autocomplete: "one-time-code" })}
${confirmation}
<button type="submit">Add the app</button>
</form>
<p><a href="${FACTORS_PATH}">Leave it as it is</a></p>`

export const signInAgain = html`<p class="note">A passkey or an app is added within ten minutes after signing in. Sign out, sign in again, and come back here.</p>
${button("/account/sign-out", "Sign out")}`
