// What pages say of a member's passkeys and authenticator app.

import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant } from "#adapters/html/Html.ts"
import type { Totp } from "#core/domain/members/Factor.ts"
import type { NewTotp } from "#core/usecases/members/ManageAuthenticatorApp.ts"
import type { OwnFactors } from "#core/usecases/members/ManageFactors.ts"
import { button } from "./form/Form.ts"
import { qrCode } from "./QrCode.ts"
import { actions, type Column, column, named, table } from "./Tables.ts"

export const FACTORS_PATH = "/account/settings/factors"

interface Listed extends Pick<Totp, "createdAtMs" | "lastUsedAtMs"> {
  readonly name: string
  readonly path: string
}

const listOf = ({ passkeys, totp }: OwnFactors): ReadonlyArray<Listed> => [
  ...passkeys.map((passkey) => ({ ...passkey, path: `passkeys/${passkey.passkeyId}` })),
  ...(totp === null ? [] : [{ ...totp, name: "Authenticator app", path: "totp" }])
]

const columns: ReadonlyArray<Column<Listed>> = [
  named("Name", ({ name }) => name),
  column("Added", ({ createdAtMs }) => instant(createdAtMs)),
  column("Last used", ({ lastUsedAtMs }) => (lastUsedAtMs === null ? "never" : instant(lastUsedAtMs))),
  actions(({ name, path }) => html`<a href="${FACTORS_PATH}/${path}/remove" aria-label="Remove ${name}">Remove</a>`)
]

const NO_FACTOR =
  "You have none yet. Anyone who reads your mail, an assistant for example, could open a sign-in link and do what you can do. With a passkey or an authenticator app, only you can order in the Shop, approve an order, create a key, loosen a limit or change members."

export const factorsTable = (own: OwnFactors): Html => table(columns, listOf(own), NO_FACTOR)

/** One sentence for the settings. */
export const factorsSummary = ({ passkeys, totp }: OwnFactors): string => {
  const app = totp === null ? [] : ["an authenticator app"]
  const own = [...(passkeys.length === 0 ? [] : [counted(passkeys.length, "passkey")]), ...app]
  return own.length === 0 ? "You have no passkey and no authenticator app." : `You have ${own.join(" and ")}.`
}

/** What an app is given, for the page that adds it. */
export const secretOf = ({
  secret,
  uri
}: NewTotp): Html => html`<p>Let the app read this code, or type the secret into it. Then enter the six digits that it shows, so that we know it worked.</p>
${qrCode(uri, "QR code for an authenticator app; the secret below is the same")}
<dl>
<dt>Secret</dt><dd><code>${secret.match(/.{1,4}/g)?.join(" ") ?? secret}</code></dd>
<dt>App on this device</dt><dd><a href="${uri}">Open it with this secret</a></dd>
</dl>`

/** Sends a link to the member, which leads back to the page of factors. */
export const LINK_PATH = `${FACTORS_PATH}/link`

/** For a member who has no factor to confirm with, in a session that is not fresh. */
export const confirmByMail = (
  email: string
): Html => html`<p class="note">You signed in more than ten minutes ago. Before you add your first passkey or app, show once more that this is you: we send a link to ${email}, which brings you back to this page.</p>
${button(LINK_PATH, "Send me a link")}`
