// What pages say of a member's passkeys and authenticator app.
import { Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import type { Totp } from "#core/domain/members/Factor.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"
import type { NewTotp } from "#core/usecases/members/ManageAuthenticatorApp.ts"
import type { OwnFactors } from "#core/usecases/members/ManageFactors.ts"
import { noFactor } from "./form/Confirmation.ts"
import { button } from "./form/Form.ts"
import { helpLink } from "./help/HelpTopics.ts"
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
  actions(
    ({ name, path }) =>
      html`<a class="btn sm" href="${FACTORS_PATH}/${path}/remove" aria-label="Remove ${name}">Remove</a>`
  )
]

/** Why a member needs one, and what it leaves as it is. */
const why = html`<p>Whoever reads your mail, an assistant included, can sign in by a link and act in your name. With a passkey or an authenticator app, only you can:</p>
<ul><li>order in the Shop and approve orders</li>
<li>create keys, connect assistants and loosen their limits</li>
<li>invite, change and remove members</li></ul>
<p>Looking, stopping and declining still take one press, for everyone who is signed in.</p>`

/** What the member has, or what they lack. */
export const factorsCard = (own: OwnFactors): Html => {
  const listed = listOf(own)
  return listed.length === 0
    ? html`<section class="card pad stack attention"><h2>Only your mailbox protects you now</h2>
${why}</section>`
    : html`<section class="card"><div class="pad stack"><h2>Yours</h2>
<p class="small">Changes in this account ask for one of them. Looking, stopping and declining ask for none.</p></div>
${table(columns, listed)}</section>`
}

const MANY = 2

/** What to do before one is lost, and after. */
export const lossCard = (own: OwnFactors, operator: Html): Html => {
  const count = listOf(own).length
  const advice = count > 0 && count < MANY ? " You have one: add a second, on another device." : ""
  return html`<section class="card pad stack"><h2>If you lose one</h2>
<p>Use another one.${advice} If you have none left, another owner makes you a one-time code under <a href="/account/settings#members">Members</a>, or you write to ${operator}.</p>
<p>All owners are told by mail when one is added or removed.</p></section>`
}

/** One sentence for the settings. */
export const factorsSummary = ({ passkeys, totp }: OwnFactors): Html => {
  const app = totp === null ? [] : ["an authenticator app"]
  const own = [...(passkeys.length === 0 ? [] : [counted(passkeys.length, "passkey")]), ...app]
  return own.length === 0
    ? html`<span class="pill wait">None</span> Your mailbox alone opens this account.`
    : html`<span class="pill ok">On</span> You have ${own.join(" and ")}.`
}

/** Asks an owner whom a mailbox alone protects to add a factor; where other owners have one, it says how. */
export const protectionPrompt = Effect.fnUntraced(function* (who: SignedIn) {
  if (who.member.role !== "owner") return nothing
  const { isNeeded, passkey, totp } = yield* ConfirmAction.use(({ need }) => need(who))
  if (passkey || totp) return nothing
  if (isNeeded) return html`${noFactor}\n`
  return html`<section class="card attention" aria-labelledby="protect">
<div class="pad stack"><h2 id="protect">Protect your account</h2>
<p>Whoever reads your mail, an assistant included, can sign in and spend in your name. With a passkey, only you can. ${helpLink("second-factors")}</p></div>
<p class="pad"><a class="btn main" href="${FACTORS_PATH}">Add a passkey</a></p>
</section>\n`
})

/** What an app is given, for the page that adds it. */
export const secretOf = ({ secret, uri }: NewTotp): Html => html`<ol class="stack">
<li>Open an authenticator app on your phone and let it read this code. Or type its secret into the app.</li>
<li>Enter the six digits that the app shows: then we know that it works.</li>
</ol>
<section class="card pad gap">
${qrCode(uri, "QR code for an authenticator app; the secret below is the same")}
<dl class="facts">
<dt>Secret</dt><dd><code>${secret.match(/.{1,4}/g)?.join(" ") ?? secret}</code></dd>
<dt>App on this device</dt><dd><a href="${uri}">Open it with this secret</a></dd>
</dl>
</section>`

/** Sends a link to the member, which leads back to the page of factors. */
export const LINK_PATH = `${FACTORS_PATH}/link`

/** For a member who has no factor to confirm with, in a session that is not fresh. */
export const confirmByMail = (
  email: string
): Html => html`<p class="note">You signed in more than ten minutes ago. Before you add your first passkey or app, show once more that this is you: we send a link to ${email}, which brings you back to this page.</p>
${button(LINK_PATH, "Send me a link", { kind: "pay" })}`
