// Who may sign in to the account, and who is invited; an owner invites, gives another role, removes, and makes one-time codes.
import { Effect } from "effect"
import { spanText } from "#adapters/contract/shared/Counted.ts"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { INVITATION_MS, type Invitation } from "#core/domain/members/Invitation.ts"
import { GivenRole, MAX_MEMBERS, type Member } from "#core/domain/members/Member.ts"
import { MemberNotFound } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { InvitationId, MemberId } from "#core/domain/shared/Ids.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { actorText } from "../agents/Placers.ts"
import { emailField } from "../form/FieldSchemas.ts"
import { choice, flag, hidden, text } from "../form/Fields.ts"
import { askPage, button, form, refuse, showForm, submit } from "../form/Form.ts"
import { newCodePage } from "../NewCode.ts"
import { type FormId, formIdField, newFormId } from "../OnceShown.ts"
import { action, repeatable, type ShownPage, seeOther, type Visit } from "../Page.ts"
import { actions, type Column, column, named, table } from "../Tables.ts"
import { SETTINGS_PATH as PATH, topic } from "./SettingCards.ts"

const MAY: Readonly<Record<Member["role"], string>> = {
  owner: "may do everything",
  viewer: "may only look",
  reviewer: "tries the sandbox"
}

const newInvitation = form({
  path: `${PATH}/invitations`,
  fields: {
    email: text(emailField, "E-mail address", { type: "email", required: true, maxLength: 254 }),
    role: choice(GivenRole, "Role", [
      { value: "viewer", label: `viewer: ${MAY.viewer}` },
      { value: "owner", label: `owner: ${MAY.owner}` }
    ])
  },
  note: html`<p class="hint">They get one mail, and join by accepting within ${spanText(INVITATION_MS)}. All owners are told.</p>`,
  confirms: "action",
  kind: "pay",
  button: "Send the invitation"
})

const withdrawal = (invitationId: string) => `${PATH}/invitations/${invitationId}/withdraw` as const

/** A member, and whether they are the last owner, who always stays. */
type Listed = Member & FormId & { readonly isLast: boolean }

/** The buttons beside a member. Each asks for its confirmation on a further page. */
const changeRole = form({ path: `${PATH}/members/:id/role`, fields: { role: hidden(GivenRole) }, confirms: "action" })
const removeMember = form({ path: `${PATH}/members/:id/remove`, fields: {}, confirms: "action" })
const issueCode = form({ path: `${PATH}/members/:id/code`, fields: formIdField, confirms: "action" })

const memberActions = (self: Member, { memberId, email, role, form_id, isLast }: Listed): Html => {
  if (self.role !== "owner" || isLast) return nothing
  const path = `${PATH}/members/${memberId}`
  const other = role === "owner" ? "viewer" : "owner"
  const small = { kind: "small", about: email } as const
  return html`${button(`${path}/role`, `Make ${other}`, { ...small, values: { role: other } })} ${button(`${path}/remove`, "Remove", small)}${memberId === self.memberId ? nothing : html` ${button(`${path}/code`, "Code for a lost passkey", { ...small, values: { form_id } })}`}`
}

const roleText = ({ role, isLast }: Listed): Html =>
  html`${role}<br><small>${MAY[role]}${isLast ? "; the only owner" : ""}</small>`

const memberColumns = ({ member: self }: SignedIn): ReadonlyArray<Column<Listed>> => [
  named("Member", ({ email, memberId }) => `${email}${memberId === self.memberId ? " (you)" : ""}`),
  column("Role", roleText),
  column("Since", ({ createdAtMs }) => instant(createdAtMs)),
  actions((member) => memberActions(self, member))
]

/** Who invited; an invitation that an upgrade made of a member has no inviter. */
const inviterText = ({ invitedBy }: Invitation, everyone: ReadonlyArray<Member>): string =>
  invitedBy === null ? "was added before, and never signed in" : actorText(invitedBy, everyone)

const invitationColumns = (self: Member, everyone: ReadonlyArray<Member>): ReadonlyArray<Column<Invitation>> => [
  named("Invited", ({ email }) => email),
  column("Role", ({ role }) => role),
  column("By", (invitation) => inviterText(invitation, everyone)),
  column("Until", ({ expiresAtMs }) => instant(expiresAtMs)),
  actions(({ invitationId, email }) =>
    self.role === "owner" ? button(withdrawal(invitationId), "Withdraw", { kind: "small", about: email }) : nothing
  )
]

/** Who was asked to join and has not answered; and the form that asks another person. */
const invitationsPart = Effect.fnUntraced(function* (visit: Visit<SignedIn>, everyone: ReadonlyArray<Member>) {
  const { member, account } = visit.who
  const open = yield* (yield* ManageMembers).invitations(account.accountId)
  const list = html`<div class="pad lined"><h3>Who is invited</h3></div>\n${table(invitationColumns(member, everyone), open)}\n`
  const left = MAX_MEMBERS - everyone.length - open.length
  const isRefused = flag("open", visit.refused?.path === newInvitation.path)
  const inviting = html`<details class="pad lined"${isRefused}><summary>Invite a person</summary>\n${yield* showForm(newInvitation, visit)}</details>`
  const full = html`<p class="pad lined small">No place is left: withdraw an invitation or remove a member first.</p>`
  return html`${open.length === 0 ? nothing : list}${member.role !== "owner" ? nothing : left > 0 ? inviting : full}`
})

export const membersTopic = Effect.fnUntraced(function* (visit: Visit<SignedIn>) {
  const everyone = yield* (yield* ManageMembers).list(visit.who.account.accountId)
  const owners = everyone.filter(({ role }) => role === "owner").length
  const members = yield* Effect.forEach(everyone, (one) =>
    Effect.map(newFormId, (formId) => ({ ...one, ...formId, isLast: one.role === "owner" && owners === 1 }))
  )
  return topic(
    "members",
    "Members and invitations",
    `Up to ${MAX_MEMBERS}, invitations included. Each signs in with their own e-mail address.`,
    [table(memberColumns(visit.who), members), yield* invitationsPart(visit, everyone)]
  )
})

const tooMany = (limit: number): string =>
  limit === 1
    ? "Until your first payment you can invite one person a day. Nobody was invited now: try again after 00:00 UTC."
    : `You can invite ${limit} people a day. Nobody was invited now: try again after 00:00 UTC.`

/** The member of the account that the path names. */
const ofPath = Effect.fnUntraced(function* ({ who, params }: Visit<SignedIn>) {
  const memberId = MemberId.make(params["id"] ?? "")
  const everyone = yield* (yield* ManageMembers).list(who.account.accountId)
  return everyone.find((member) => member.memberId === memberId) ?? (yield* new MemberNotFound({ memberId }))
})

/** The same of another member than the present one. */
const otherOfPath = Effect.fnUntraced(function* (visit: Visit<SignedIn>) {
  const member = yield* ofPath(visit)
  const { memberId } = visit.who.member
  return member.memberId === memberId ? yield* new MemberNotFound({ memberId }) : member
})

const askRole = askPage("owner", changeRole, "Settings", function* (visit) {
  const { email } = yield* ofPath(visit)
  const role = visit.form.get("role") ?? ""
  return {
    title: `Make ${email} ${role}`,
    says: html`<p>${email} becomes ${role} of the account${role === "owner" || role === "viewer" ? html`: ${MAY[role]}` : nothing}. All owners are told by mail.</p>`,
    back: PATH,
    help: "members"
  }
})

const askRemove = askPage("owner", removeMember, "Settings", function* (visit) {
  const { email } = yield* ofPath(visit)
  return {
    title: `Remove ${email}`,
    says: html`<p>${email} is signed out everywhere and cannot sign in to this account any more. What they ordered stays. You can invite them again.</p>`,
    back: PATH,
    help: "members"
  }
})

const askCode = askPage("owner", issueCode, "Settings", function* (visit) {
  const { email } = yield* otherOfPath(visit)
  return {
    title: `Make a one-time code for ${email}`,
    says: html`<p>It stands in for a passkey or an app that ${email} lost or does not have yet. Give it to them in person or by phone: with their mailbox and this code, anyone can act in their name.</p>`,
    back: PATH,
    help: "second-factors"
  }
})

/** `settings`: the page on which the form that invites stands. */
export const memberPages = <R>(settings: ShownPage<R>) => [
  submit("owner", newInvitation, settings, function* ({ email: typed, role }, { who, confirm }) {
    const email = typed.trim()
    const { invite } = yield* ManageMembers
    yield* invite({ accountId: who.account.accountId, email, role }, yield* confirm).pipe(
      Effect.catchTags({
        EmailTaken: () => refuse({ email: "This person is a member of your account already." }),
        AlreadyInvited: () =>
          refuse({ email: "You invited this person already. To invite them in another role, withdraw that first." }),
        InvitationLimitReached: ({ limit }) => refuse(tooMany(limit), 429)
      })
    )
    return seeOther(PATH, `${email} is invited, as ${role}, and joins by accepting within ${spanText(INVITATION_MS)}.`)
  }),
  action(
    "owner",
    withdrawal(":id"),
    function* ({ who, params: { id = "" } }) {
      const { accountId } = who.account
      const { withdraw } = yield* ManageMembers
      const { email } = yield* withdraw({ accountId, invitationId: InvitationId.make(id) }, who.member)
      return seeOther(PATH, `The invitation of ${email} is withdrawn.`)
    },
    "nothing"
  ),
  submit("owner", changeRole, askRole, function* ({ role }, visit) {
    const { memberId, email, accountId } = yield* ofPath(visit)
    yield* (yield* ManageMembers).changeRole({ accountId, memberId, role }, yield* visit.confirm)
    return seeOther(PATH, `${email} is ${role} now.`)
  }),
  submit("owner", removeMember, askRemove, function* (_, visit) {
    const { memberId, email, accountId } = yield* ofPath(visit)
    yield* (yield* ManageMembers).remove({ accountId, memberId }, yield* visit.confirm)
    return seeOther(PATH, `${email} was removed, and is signed out everywhere.`)
  }),
  repeatable(
    submit("owner", issueCode, askCode, function* (_, visit) {
      const member = yield* otherOfPath(visit)
      const { issue } = yield* ResetCodes
      return yield* newCodePage.lead(visit, (entropy) =>
        Effect.map(
          Effect.flatMap(visit.confirm, (confirmed) => issue(member, confirmed, entropy)),
          (code) => ({ email: member.email, code })
        )
      )
    })
  )
]
