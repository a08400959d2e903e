// The page of an invitation. Opening it shows a button and changes nothing; only pressing it makes a member, and only then does the page
// tell where the address belongs, to the person whose address it is.
import { Effect } from "effect"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { emailKey } from "#core/domain/members/Account.ts"
import type { InvitationEnd } from "#core/domain/members/Invitation.ts"
import type { GivenRole } from "#core/domain/members/Member.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { JoinAccount, type ShownInvitation } from "#core/usecases/members/JoinAccount.ts"
import { anyText } from "../form/FieldSchemas.ts"
import { hidden } from "../form/Fields.ts"
import { form, showForm, submit } from "../form/Form.ts"
import { page, titled, welcome } from "../Page.ts"

const PATH = "/account/invitation"

const acceptance = form({
  path: `${PATH}/accept`,
  look: "plain",
  fields: { token: hidden(anyText) },
  kind: "pay",
  button: "Accept the invitation"
})

export const ROLE_TEXTS: Readonly<Record<GivenRole, string>> = {
  viewer: "a viewer sees everything and changes nothing",
  owner: "an owner may do everything"
}

/** Who invites whom, and to what. */
export const invitedTo = ({ invitation, accountName, inviter }: ShownInvitation): Html => {
  const { email, role, invitedBy } = invitation
  const by = inviter ?? (invitedBy === null ? null : "The operator of this service")
  const invites =
    by === null
      ? html`<strong>${email}</strong> is invited`
      : html`<strong>${by}</strong> invites <strong>${email}</strong>`
  return html`<p>${invites} to the account <strong>${accountName}</strong>, as ${role}: ${ROLE_TEXTS[role]}.</p>`
}

const ENDED: Readonly<Record<InvitationEnd, readonly [heading: string, says: string]>> = {
  unknown: [
    "This invitation is not known",
    "It ended long ago, or part of its address is missing: copy the whole link from the mail. Nothing was changed."
  ],
  accepted: ["This invitation was accepted", "An invitation counts once. If it was you, sign in with your address."],
  withdrawn: ["This invitation was withdrawn", "Nothing was changed. Ask the person who invited you for another one."],
  expired: ["This invitation has expired", "Nothing was changed. Ask the person who invited you for another one."]
}

/** An invitation that can no longer be accepted. */
export const endedPage = (reason: InvitationEnd) => {
  const [heading, says] = ENDED[reason]
  return titled("Invitation", html`<p>${says}</p>\n<p><a class="btn" href="/account/sign-in">Sign in</a></p>`, {
    heading,
    status: 410
  })
}

/** Who pressed the button, and belongs to an account already. */
export const belongsPage = ({ invitation, accountName }: ShownInvitation, accountId: string) =>
  accountId === invitation.accountId
    ? titled(
        "Invitation",
        html`<p>${invitation.email} is a member of ${accountName} already. <a href="/account/sign-in">Sign in</a></p>`,
        { heading: "You belong to this account", status: 409 }
      )
    : titled(
        "Invitation",
        html`<p>${invitation.email} belongs to another account and stays there: an address signs in to one account. Nothing was changed.</p>
<p>To join ${accountName} as well, ask for an invitation for another address of yours.</p>
<p><a href="/account/sign-in">Sign in</a></p>`,
        { heading: "You belong to another account", status: 409 }
      )

export const joinedText = ({ account, member }: SignedIn): string =>
  `You are a member of ${account.name} now, as ${member.role}, and signed in as ${member.email}.`

const otherSession = (who: SignedIn | null, { invitation }: ShownInvitation): Html =>
  who === null || emailKey(who.member.email) === emailKey(invitation.email)
    ? nothing
    : html`<p class="note">In this browser you are signed in as ${who.member.email}. If you accept, you are signed in as ${invitation.email} instead; ${who.member.email} stays with ${who.account.name}.</p>`

const invitationPage = page("anyone", PATH, { title: "Invitation" }, function* (visit) {
  const token = visit.query.get("token") ?? visit.form.get("token") ?? ""
  const { look } = yield* JoinAccount
  const found = yield* Effect.catchTag(look(token), "InvitationEnded", ({ reason }) => Effect.succeed(reason))
  if (typeof found === "string") return endedPage(found)
  return titled(
    "Invitation",
    html`${invitedTo(found)}
<p>If you accept, you become a member of this account and are signed in here. It costs you nothing. Until then nothing happens, and your address stays free. You can accept until ${instant(found.invitation.expiresAtMs)}.</p>
${otherSession(visit.who, found)}
${yield* showForm(acceptance, visit, { values: { token } })}
<p class="hint">Do you not know who invites you? Then close this page: nothing happens.</p>`,
    { heading: `Join ${found.accountName}` }
  )
})

export const invitationPages = [
  invitationPage,
  submit("anyone", acceptance, invitationPage, function* ({ token }, visit) {
    const { look, accept } = yield* JoinAccount
    const joined = Effect.gen(function* () {
      const view = yield* look(token)
      const accepted = Effect.map(accept(token, visit), (session) =>
        welcome(visit, session, joinedText(session.signedIn))
      )
      return yield* Effect.catchTag(accepted, "EmailTaken", ({ accountId }) =>
        Effect.succeed(belongsPage(view, accountId))
      )
    })
    return yield* Effect.catchTag(joined, "InvitationEnded", ({ reason }) => Effect.succeed(endedPage(reason)))
  })
]
