// Settings: who may sign in to the account, and where the present member is signed in.
import { Effect } from "effect"
import { type Html, html, instant, nothing } from "#adapters/html/Html.ts"
import { GivenRole, MAX_MEMBERS, type Member } from "#core/domain/members/Member.ts"
import { MemberNotFound } from "#core/domain/members/MemberRefusal.ts"
import type { Session, SignedIn } from "#core/domain/members/Session.ts"
import { MemberId, SessionId } from "#core/domain/shared/Ids.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { FACTORS_PATH, factorsSummary } from "../FactorTexts.ts"
import { emailField } from "../form/FieldSchemas.ts"
import { choice, hidden, text } from "../form/Fields.ts"
import { askPage, button, form, refuse, showForm, submit } from "../form/Form.ts"
import { action, page, seeOther, titled, type Visit } from "../Page.ts"
import { actions, type Column, column, named, table } from "../Tables.ts"

const PATH = "/account/settings"

const newMember = form({
  path: `${PATH}/members`,
  fields: {
    email: text(emailField, "E-mail address", { type: "email", required: true, maxLength: 254 }),
    role: choice(GivenRole, "Role", [
      { value: "viewer", label: "viewer: sees everything, changes nothing" },
      { value: "owner", label: "owner: may do everything" }
    ])
  },
  confirms: "action",
  button: "Add"
})

/** The buttons beside a member. Each asks for its confirmation on a further page. */
const changeRole = form({ path: `${PATH}/members/:id/role`, fields: { role: hidden(GivenRole) }, confirms: "action" })
const removeMember = form({ path: `${PATH}/members/:id/remove`, fields: {}, confirms: "action" })
const issueCode = form({ path: `${PATH}/members/:id/code`, fields: {}, confirms: "action" })

const memberActions = (self: Member, { memberId, email, role }: Member): Html => {
  if (self.role !== "owner") return nothing
  const path = `${PATH}/members/${memberId}`
  const other = role === "owner" ? "viewer" : "owner"
  const small = { kind: "small", about: email } as const
  return html`${button(`${path}/role`, `Make ${other}`, { ...small, values: { role: other } })} ${button(`${path}/remove`, "Remove", small)}${memberId === self.memberId ? nothing : html` ${button(`${path}/code`, "One-time code", small)}`}`
}

const memberColumns = ({ member: self }: SignedIn): ReadonlyArray<Column<Member>> => [
  named("Member", ({ email, memberId }) => `${email}${memberId === self.memberId ? " (you)" : ""}`),
  column("Role", ({ role }) => role),
  column("Since", ({ createdAtMs }) => instant(createdAtMs)),
  actions((member) => memberActions(self, member))
]

const METHODS: Readonly<Record<Session["method"], string>> = {
  link: "by a link in a mail",
  password: "by a password",
  passkey: "by a passkey",
  demo: "by the link of the demo"
}

const sessionColumns = ({ session: present }: SignedIn): ReadonlyArray<Column<Session>> => [
  named(
    "Browser",
    ({ userAgent, network, method }) =>
      html`${userAgent === "" ? "Unknown browser" : userAgent}<br><small>${network}, ${METHODS[method]}</small>`
  ),
  column("Signed in", ({ createdAtMs }) => instant(createdAtMs)),
  column("Last used", ({ lastUsedAtMs }) => instant(lastUsedAtMs)),
  actions(({ sessionId }) =>
    sessionId === present.sessionId
      ? html`this browser`
      : button(`${PATH}/sessions/${sessionId}/end`, "Sign out there", { kind: "small", about: sessionId })
  )
]

const settingsPage = page("viewer", PATH, { section: "Settings" }, function* (visit) {
  const { who } = visit
  const everyone = yield* (yield* ManageMembers).list(who.account.accountId)
  const own = yield* (yield* MemberSessions).list(who)
  const factors = yield* (yield* ManageFactors).list(who)
  const mayAdd = who.member.role === "owner" && everyone.length < MAX_MEMBERS
  return html`<p><a href="/account/settings/mails">Mails on what agents order and buy</a></p>
<p><a href="/account/settings/billing">What is on your invoices</a></p>
<h2>Who may sign in</h2>
<p>An account has one to ${MAX_MEMBERS} members. Each signs in with the own e-mail address.</p>
${table(memberColumns(who), everyone)}
${mayAdd ? html`<h3>Add a member</h3>\n${yield* showForm(newMember, visit)}` : nothing}
<h2>Passkeys and apps</h2>
<p>${factorsSummary(factors)} <a href="${FACTORS_PATH}">Passkeys and apps</a></p>
<h2>Where you are signed in</h2>
${table(sessionColumns(who), own)}
${own.length > 1 ? button(`${PATH}/sessions/end-others`, "Sign out everywhere else") : nothing}
<h2>What was done</h2>
<p><a href="/account/settings/activity">What agents, members and the operator did</a></p>`
})

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
    says: html`<p>${email} becomes ${role} of the account.</p>`,
    back: PATH
  }
})

const askRemove = askPage("owner", removeMember, "Settings", function* (visit) {
  const { email } = yield* ofPath(visit)
  return {
    title: `Remove ${email}`,
    says: html`<p>${email} will not be able to sign in any more.</p>`,
    back: PATH
  }
})

const askCode = askPage("owner", issueCode, "Settings", function* (visit) {
  const { email } = yield* otherOfPath(visit)
  return {
    title: `Make a one-time code for ${email}`,
    says: html`<p>It stands in for a passkey or an app that ${email} lost or has not yet.</p>`,
    back: PATH
  }
})

const codeBody = (email: string, code: string): Html => html`<p class="figure"><code>${code}</code></p>
<p>Hand it to ${email} in person, not by mail. It counts once, within 24 hours, and is not shown again: to add or remove a passkey or an app, or beside a sign-in link instead of the app's code, which removes the factors of ${email}.</p>
<p><a href="${PATH}">To the settings</a></p>`

export const settingsPages = [
  settingsPage,
  submit("owner", newMember, settingsPage, function* ({ email: typed, role }, { who, confirm }) {
    const email = typed.trim()
    const { add } = yield* ManageMembers
    yield* add({ accountId: who.account.accountId, email, role }, yield* confirm).pipe(
      Effect.catchTag("EmailTaken", () => refuse({ email: "This address belongs to an account already." }))
    )
    return seeOther(PATH, `${email} may sign in now, as ${role}.`)
  }),
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
  submit("owner", issueCode, askCode, function* (_, visit) {
    const member = yield* otherOfPath(visit)
    const code = yield* (yield* ResetCodes).issue(member, yield* visit.confirm)
    // Shown in the answer itself, because nothing keeps it for another page.
    return titled("A one-time code", codeBody(member.email, code), {
      ...{ heading: `A one-time code for ${member.email}`, status: 201 }
    })
  }),
  action("viewer", `${PATH}/sessions/:id/end`, function* ({ who, params: { id = "" } }) {
    yield* (yield* MemberSessions).revoke(who, SessionId.make(id))
    return seeOther(PATH, "That browser is signed out.")
  }),
  action("viewer", `${PATH}/sessions/end-others`, function* ({ who }) {
    const ended = yield* (yield* MemberSessions).revokeOthers(who)
    return seeOther(
      PATH,
      ended === 1 ? "One other browser was signed out." : `${ended} other browsers were signed out.`
    )
  })
]
