// A member changes their own address: asks for it, withdraws it, and confirms or refuses it by the links that both mailboxes get. Opening a link
// changes nothing, because mail scanners open links too.
import { Effect } from "effect"
import { spanText } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { EMAIL_CHANGE_MS, type EmailChange } from "#core/domain/members/EmailChange.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { ChangeEmail, type ShownEmailChange } from "#core/usecases/members/ChangeEmail.ts"
import { anyText, emailField } from "../form/FieldSchemas.ts"
import { hidden, text } from "../form/Fields.ts"
import { button, form, refuse, showForm, submit } from "../form/Form.ts"
import { operatorLink } from "../LegalPages.ts"
import { action, page, seeOther, titled, type Visit } from "../Page.ts"
import { SETTINGS_PATH } from "./SettingCards.ts"

export const EMAIL_PATH = `${SETTINGS_PATH}/email` as const

const LINK_PATH = "/account/email"

const ask = form({
  path: EMAIL_PATH,
  fields: {
    email: text(emailField, "Your new e-mail address", {
      type: "email",
      required: true,
      autocomplete: "email",
      maxLength: 254
    })
  },
  note: html`<p class="hint">Both addresses get a mail. Confirm it in each of them within ${spanText(EMAIL_CHANGE_MS)}; until then nothing changes.</p>`,
  confirms: "action",
  kind: "pay",
  button: "Send both mails"
})

const acceptance = form({
  path: `${LINK_PATH}/accept`,
  look: "inline",
  fields: { token: hidden(anyText) },
  kind: "pay",
  button: "Confirm the new address"
})

const refusal = form({
  path: `${LINK_PATH}/refuse`,
  look: "inline",
  fields: { token: hidden(anyText) },
  kind: "grave",
  button: "Refuse the change"
})

const TOO_OFTEN =
  "No mail was sent: you asked for this too often today, or this address got as many such mails as it may in a day. Try again tomorrow."

/** Which mailboxes have confirmed. */
const stateOf = ({ from, to, oldConfirmedAtMs, newConfirmedAtMs }: EmailChange): Html => {
  const one = (email: string, atMs: number | null) =>
    html`<li><bdi>${email}</bdi>: ${atMs === null ? "waits to be confirmed" : "confirmed"}</li>`
  return html`<ul>${one(from, oldConfirmedAtMs)}${one(to, newConfirmedAtMs)}</ul>`
}

const waitingPart = (change: EmailChange): Html => html`<section class="card pad stack" id="waiting">
<h2>The change waits for both mailboxes</h2>
<p>You asked to sign in with <strong><bdi>${change.to}</bdi></strong>. Open the mail in each mailbox, and confirm it there by ${instant(change.expiresAtMs)}. If you do nothing, your address stays as it is.</p>
${stateOf(change)}
${button(`${EMAIL_PATH}/withdraw`, "Withdraw the change")}
</section>
`

/** What a member does who cannot show by the old mailbox that the change is theirs. */
const withoutMailbox = Effect.map(
  operatorLink,
  (operator) => html`<h2>You cannot read mail at the old address?</h2>
<p>Another owner can invite your new address and then remove the old one, under Members. If there is no other owner, write to ${operator}.</p>`
)

const emailPage = page(
  "viewer",
  EMAIL_PATH,
  { section: "Settings", title: "Change your e-mail address", help: "signing-in" },
  function* (visit) {
    const waiting = yield* (yield* ChangeEmail).waiting(visit.who)
    return html`${waiting === null ? nothing : waitingPart(waiting)}
<p>You sign in with <strong><bdi>${visit.who.member.email}</bdi></strong>. Your role, your passkeys and your app stay. Once the change is done, you are signed out in all other browsers, and all owners are told by mail.</p>
${waiting === null ? nothing : html`<h2>Use another address instead</h2>\n<p>The links in the first mails then stop working.</p>\n`}${yield* showForm(ask, visit)}
${yield* withoutMailbox}
<p><a href="${SETTINGS_PATH}">Leave it as it is</a></p>`
  }
)

const endedPage = titled(
  "Change of address",
  html`<p>The change was made, refused or withdrawn, is older than ${spanText(EMAIL_CHANGE_MS)}, or was asked for anew: then the newer mail counts. Nothing was changed now.</p>
<p><a href="/account/sign-in">Sign in</a></p>`,
  { heading: "This link no longer works", status: 410 }
)

const takenPage = ({ change: { from, to } }: ShownEmailChange) =>
  titled(
    "Change of address",
    html`<p><bdi>${to}</bdi> belongs to a member already, here or in another account, and stays there: an address signs in to one account. Nothing was changed, and ${from} signs in as before.</p>
<p>Ask for the change with another address of yours.</p>
<p><a href="/account/sign-in">Sign in</a></p>`,
    { heading: "This address is in use", status: 409 }
  )

const HINTS = {
  old: html`<p class="note">Did you not ask for this? Then someone else is signed in as you: refuse it, sign in, and sign out everywhere else under Settings.</p>`,
  new: html`<p class="hint">Did you not ask for this? Then close this page: nothing happens, and your address stays free.</p>`
}

const linkPage = page("anyone", LINK_PATH, { title: "Change of address" }, function* (visit) {
  const token = visit.query.get("token") ?? visit.form.get("token") ?? ""
  const shown = yield* (yield* ChangeEmail).look(token)
  if (shown === null) return endedPage
  const { change, side, accountName, isDone } = shown
  const { from, to, expiresAtMs, oldConfirmedAtMs, newConfirmedAtMs } = change
  const isConfirmed = (side === "old" ? oldConfirmedAtMs : newConfirmedAtMs) !== null
  const values = { token }
  if (isDone)
    return titled(
      "Change of address",
      html`<p><bdi>${from}</bdi> signs in with <strong><bdi>${to}</bdi></strong> from now on. Other browsers may not all be signed out yet.</p>
${yield* showForm(acceptance, visit, { values, button: "Sign out the other browsers" })}`,
      { heading: "The address was changed" }
    )
  const accepting = isConfirmed ? nothing : yield* showForm(acceptance, visit, { values })
  const refusing = side === "old" ? yield* showForm(refusal, visit, { values }) : nothing
  return titled(
    "Change of address",
    html`<p>In the account <strong><bdi>${accountName}</bdi></strong>, <bdi>${from}</bdi> asks to sign in with <strong><bdi>${to}</bdi></strong> from now on. The change is made once both mailboxes have confirmed it, by ${instant(expiresAtMs)}.</p>
${stateOf(change)}
<div class="row">${accepting}${refusing}</div>
${HINTS[side]}`,
    { heading: side === "old" ? "Change your address?" : "Is this your new address?" }
  )
})

/** The page to look at afterwards: the settings, or, without a session, the sign-in. */
const afterwards = ({ who }: Visit<SignedIn | null>): string => (who === null ? "/account/sign-in" : SETTINGS_PATH)

export const addressPages = [
  emailPage,
  submit("viewer", ask, emailPage, function* ({ email }, { who, confirm }) {
    const asked = yield* (yield* ChangeEmail)
      .ask(who, email, yield* confirm)
      .pipe(
        Effect.catchTag("EmailTaken", () =>
          refuse({ email: "You, or another member of your account, has this address." })
        )
      )
    if (asked === null) return yield* refuse(TOO_OFTEN, 429)
    return seeOther(EMAIL_PATH, `Mails to ${asked.from} and ${asked.to} are on their way. Confirm it in both.`)
  }),
  action(
    "viewer",
    `${EMAIL_PATH}/withdraw`,
    function* ({ who }) {
      const withdrawn = yield* (yield* ChangeEmail).withdraw(who)
      const done =
        withdrawn === null
          ? "There was no change to withdraw any more."
          : "The change is withdrawn. Your address stays as it is."
      return seeOther(EMAIL_PATH, done)
    },
    "nothing"
  ),
  linkPage,
  submit("anyone", acceptance, linkPage, function* ({ token }, visit) {
    const { look, accept } = yield* ChangeEmail
    const shown = yield* look(token)
    if (shown === null) return endedPage
    const step = yield* accept(token, visit.who).pipe(
      Effect.catchTag("EmailTaken", () => Effect.succeed({ _tag: "Taken" as const }))
    )
    switch (step._tag) {
      case "Ended":
        return endedPage
      case "Taken":
        return takenPage(shown)
      case "Waits":
        return seeOther(`${LINK_PATH}?token=${token}`, "Confirmed here. Now confirm it in the other mailbox, too.")
      case "Changed":
        return seeOther(afterwards(visit), `${step.change.from} signs in with ${step.change.to} from now on.`)
    }
  }),
  submit("anyone", refusal, linkPage, function* ({ token }, visit) {
    const refused = yield* (yield* ChangeEmail).refuse(token)
    if (refused === null) return endedPage
    return seeOther(afterwards(visit), `The change is refused. ${refused.from} signs in as before.`)
  })
]
