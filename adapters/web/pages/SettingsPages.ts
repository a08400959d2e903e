// Settings: who may sign in to the account, and where the present member is signed in.
import { Effect, Result, Schema } from "effect"
import { instant } from "#adapters/html/Document.ts"
import { type Html, html, nothing } from "#adapters/html/Html.ts"
import { GivenRole, MAX_MEMBERS, type Member } from "#core/domain/members/Member.ts"
import { MemberNotFound } from "#core/domain/members/MemberRefusal.ts"
import type { Session, SignedIn } from "#core/domain/members/Session.ts"
import { MemberId, SessionId } from "#core/domain/shared/Ids.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { ManageMembers } from "#core/usecases/members/ManageMembers.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { type ConfirmPage, confirmMessages, makeConfirmation } from "../Confirmation.ts"
import { FACTORS_PATH, factorsSummary } from "../FactorTexts.ts"
import { button, type FormState, formProblem, fresh, input, select } from "../Fields.ts"
import { type FieldMessages, formDecoder } from "../FormBody.ts"
import { emailField } from "../FormSchemas.ts"
import { action, type Handlers, page, seeOther, show, type Visit } from "../PageRoutes.ts"

const PATH = "/account/settings"

export const settingsRoutes = {
  settings: page("viewer", "/account/settings"),
  addMember: action("owner", "/account/settings/members"),
  changeRole: action("owner", "/account/settings/members/:id/role"),
  removeMember: action("owner", "/account/settings/members/:id/remove"),
  issueCode: action("owner", "/account/settings/members/:id/code"),
  endSession: action("viewer", "/account/settings/sessions/:id/end"),
  endOtherSessions: action("viewer", "/account/settings/sessions/end-others")
}

const NewMember = Schema.Struct({
  email: emailField,
  role: GivenRole
})
const decodeMember = formDecoder(NewMember)
const decodeRole = formDecoder(Schema.Struct({ role: GivenRole }))

const ROLES = [
  { value: "viewer", label: "viewer: sees everything, changes nothing" },
  { value: "owner", label: "owner: may do everything" }
]

const memberRow = ({ member: self }: SignedIn, { memberId, email, role, createdAtMs }: Member): Html => {
  const path = `${PATH}/members/${memberId}`
  const other = role === "owner" ? "viewer" : "owner"
  const actions =
    self.role === "owner"
      ? html`${button(`${path}/role`, `Make ${other}`, { values: { role: other }, kind: "small", about: email })} ${button(`${path}/remove`, "Remove", { kind: "small", about: email })}${memberId === self.memberId ? nothing : html` ${button(`${path}/code`, "One-time code", { kind: "small", about: email })}`}`
      : nothing
  return html`<tr>
<th scope="row">${email}${memberId === self.memberId ? " (you)" : ""}</th>
<td data-label="Role">${role}</td>
<td data-label="Since">${instant(createdAtMs)}</td>
<td>${actions}</td>
</tr>`
}

const METHODS: Readonly<Record<Session["method"], string>> = {
  link: "by a link in a mail",
  password: "by a password",
  passkey: "by a passkey",
  demo: "by the link of the demo"
}

const sessionRow = ({ session: present }: SignedIn, session: Session): Html => html`<tr>
<th scope="row">${session.userAgent === "" ? "Unknown browser" : session.userAgent}<br><small>${session.network}, ${METHODS[session.method]}</small></th>
<td data-label="Signed in">${instant(session.createdAtMs)}</td>
<td data-label="Last used">${instant(session.lastUsedAtMs)}</td>
<td>${session.sessionId === present.sessionId ? "this browser" : button(`${PATH}/sessions/${session.sessionId}/end`, "Sign out there", { kind: "small", about: session.sessionId })}</td>
</tr>`

const addForm = (state: FormState, confirmation: Html): Html => html`<h3>Add a member</h3>
${formProblem(state)}
<form class="wide" method="post" action="${PATH}/members">
${input(state, { name: "email", label: "E-mail address", type: "email", required: true, maxLength: 254 })}
${select(state, { name: "role", label: "Role", choices: ROLES })}
${confirmation}
<button type="submit">Add</button>
</form>`

const codeBody = (email: string, code: string): Html => html`<h1>A one-time code for ${email}</h1>
<p class="figure"><code>${code}</code></p>
<p>Hand it to ${email} in person, not by mail. It counts once, within 24 hours, and is not shown again: to add or remove a passkey or an app, or beside a sign-in link instead of the app's code, which removes the factors of ${email}.</p>
<p><a href="${PATH}">To the settings</a></p>`

const useCases = Effect.all({
  members: ManageMembers,
  sessions: MemberSessions,
  factors: ManageFactors,
  resetCodes: ResetCodes,
  confirmation: makeConfirmation
})

type UseCases = Effect.Success<typeof useCases>

const settingsPage = Effect.fnUntraced(function* (
  { members, sessions, factors, confirmation }: UseCases,
  who: SignedIn,
  state: FormState,
  status = 200
) {
  const everyone = yield* members.list(who.account.accountId)
  const own = yield* sessions.list(who)
  const mayAdd = who.member.role === "owner" && everyone.length < MAX_MEMBERS
  const form = mayAdd ? addForm(state, yield* confirmation.fields(who, state)) : nothing
  return show(
    "Settings",
    "Settings",
    html`<h1>Settings</h1>
<p><a href="/account/settings/mails">Mails on what agents order and buy</a></p>
<p><a href="/account/settings/billing">What is on your invoices</a></p>
<h2>Who may sign in</h2>
<p>An account has one to ${MAX_MEMBERS} members. Each signs in with the own e-mail address.</p>
<table>
<thead><tr><th scope="col">Member</th><th scope="col">Role</th><th scope="col">Since</th><td></td></tr></thead>
<tbody>${everyone.map((member) => memberRow(who, member))}</tbody>
</table>
${form}
<h2>Passkeys and apps</h2>
<p>${factorsSummary(yield* factors.list(who))} <a href="${FACTORS_PATH}">Passkeys and apps</a></p>
<h2>Where you are signed in</h2>
<table>
<thead><tr><th scope="col">Browser</th><th scope="col">Signed in</th><th scope="col">Last used</th><td></td></tr></thead>
<tbody>${own.map((session) => sessionRow(who, session))}</tbody>
</table>
${own.length > 1 ? button(`${PATH}/sessions/end-others`, "Sign out everywhere else") : nothing}
<h2>What was done</h2>
<p><a href="/account/settings/activity">What agents, members and the operator did</a></p>`,
    { status }
  )
})

const changing = (title: string, says: string): ConfirmPage => ({
  section: "Settings",
  title,
  says: html`<p>${says}</p>`,
  label: title,
  back: PATH
})

/** The member of the account that the path names. */
const memberOf = Effect.fnUntraced(function* ({ members }: UseCases, { who, params }: Visit<SignedIn>) {
  const memberId = MemberId.make(params["id"] ?? "")
  const found = (yield* members.list(who.account.accountId)).find((member) => member.memberId === memberId)
  return found ?? (yield* new MemberNotFound({ memberId }))
})

const addMember = Effect.fnUntraced(function* (uses: UseCases, visit: Visit<SignedIn>) {
  const { who, form } = visit
  const again = (messages: FieldMessages, status: number) => settingsPage(uses, who, { values: form, messages }, status)
  const decoded = decodeMember(form)
  if (Result.isFailure(decoded)) return yield* again(decoded.failure, 422)
  const { role } = decoded.success
  const email = decoded.success.email.trim()
  const { accountId } = who.account
  return yield* Effect.flatMap(uses.confirmation.confirm(visit), (by) =>
    uses.members.add({ accountId, email, role }, by)
  ).pipe(
    Effect.as(seeOther(PATH, `${email} may sign in now, as ${role}.`)),
    Effect.catchTags({
      EmailTaken: () => again(new Map([["email", "This address belongs to an account already."]]), 422),
      NotConfirmed: (refusal) => again(confirmMessages(refusal), 403)
    })
  )
})

const changeRole = Effect.fnUntraced(function* (uses: UseCases, visit: Visit<SignedIn>) {
  const { members, confirmation } = uses
  const decoded = decodeRole(visit.form)
  if (Result.isFailure(decoded)) return yield* settingsPage(uses, visit.who, fresh(), 422)
  const { role } = decoded.success
  const { memberId, email, accountId } = yield* memberOf(uses, visit)
  const page = changing(`Make ${email} ${role}`, `${email} becomes ${role} of the account.`)
  return yield* Effect.flatMap(confirmation.confirm(visit), (by) =>
    members.changeRole({ accountId, memberId, role }, by)
  ).pipe(
    Effect.as(seeOther(PATH, `${email} is ${role} now.`)),
    Effect.catchTag("NotConfirmed", (refusal) => confirmation.ask(visit, page, refusal))
  )
})

const removeMember = Effect.fnUntraced(function* (uses: UseCases, visit: Visit<SignedIn>) {
  const { members, confirmation } = uses
  const { memberId, email, accountId } = yield* memberOf(uses, visit)
  const page = changing(`Remove ${email}`, `${email} will not be able to sign in any more.`)
  return yield* Effect.flatMap(confirmation.confirm(visit), (by) => members.remove({ accountId, memberId }, by)).pipe(
    Effect.as(seeOther(PATH, `${email} was removed, and is signed out everywhere.`)),
    Effect.catchTag("NotConfirmed", (refusal) => confirmation.ask(visit, page, refusal))
  )
})

const issueCode = Effect.fnUntraced(function* (uses: UseCases, visit: Visit<SignedIn>) {
  const { resetCodes, confirmation } = uses
  const found = yield* memberOf(uses, visit)
  const { email, memberId } = found
  if (memberId === visit.who.member.memberId) return yield* new MemberNotFound({ memberId })
  const page = changing(
    `Make a one-time code for ${email}`,
    `It stands in for a passkey or an app that ${email} lost or has not yet.`
  )
  return yield* Effect.flatMap(confirmation.confirm(visit), (by) => resetCodes.issue(found, by)).pipe(
    // Shown in the answer itself, because nothing keeps it for another page.
    Effect.map((code) => show("Settings", "A one-time code", codeBody(email, code), { status: 201 })),
    Effect.catchTag("NotConfirmed", (refusal) => confirmation.ask(visit, page, refusal))
  )
})

const endSession = ({ sessions }: UseCases, { who, params: { id = "" } }: Visit<SignedIn>) =>
  Effect.as(sessions.revoke(who, SessionId.make(id)), seeOther(PATH, "That browser is signed out."))

const endOtherSessions = Effect.fnUntraced(function* ({ sessions }: UseCases, { who }: Visit<SignedIn>) {
  const ended = yield* sessions.revokeOthers(who)
  return seeOther(PATH, ended === 1 ? "One other browser was signed out." : `${ended} other browsers were signed out.`)
})

export const settingsHandlers = Effect.map(
  useCases,
  (uses): Handlers<typeof settingsRoutes> => ({
    settings: ({ who }) => settingsPage(uses, who, fresh()),
    addMember: (visit) => addMember(uses, visit),
    changeRole: (visit) => changeRole(uses, visit),
    removeMember: (visit) => removeMember(uses, visit),
    issueCode: (visit) => issueCode(uses, visit),
    endSession: (visit) => endSession(uses, visit),
    endOtherSessions: (visit) => endOtherSessions(uses, visit)
  })
)
