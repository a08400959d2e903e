// Settings: who may sign in to the account, and where the present member is signed in.
import { Effect, Result, Schema } from "effect"
import { instant } from "#adapters/http/Document.ts"
import { type Html, html, nothing } from "#adapters/http/Html.ts"
import { MAX_MEMBERS, type Member, MemberRole } from "#core/domain/Member.ts"
import type { Session, SignedIn } from "#core/domain/Session.ts"
import { ManageMembers } from "#core/usecases/ManageMembers.ts"
import { MemberSessions } from "#core/usecases/MemberSessions.ts"
import { button, type FormState, formProblem, fresh, input, select } from "../Fields.ts"
import { formDecoder } from "../FormBody.ts"
import { emailField } from "../FormSchemas.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"

const PATH = "/account/settings"

export const settingsRoutes = {
  settings: page("viewer", "/account/settings"),
  addMember: action("owner", "/account/settings/members"),
  changeRole: action("owner", "/account/settings/members/:id/role"),
  removeMember: action("owner", "/account/settings/members/:id/remove"),
  endSession: action("viewer", "/account/settings/sessions/:id/end"),
  endOtherSessions: action("viewer", "/account/settings/sessions/end-others")
}

const NewMember = Schema.Struct({
  email: emailField,
  role: MemberRole
})
const decodeMember = formDecoder(NewMember)
const decodeRole = formDecoder(Schema.Struct({ role: MemberRole }))

const ROLES = [
  { value: "viewer", label: "viewer: sees everything, changes nothing" },
  { value: "owner", label: "owner: may do everything" }
]

const memberRow = ({ member: self }: SignedIn, { memberId, email, role, createdAtMs }: Member): Html => {
  const path = `${PATH}/members/${memberId}`
  const other = role === "owner" ? "viewer" : "owner"
  const actions =
    self.role === "owner"
      ? html`${button(`${path}/role`, `Make ${other}`, { values: { role: other }, kind: "small", about: email })} ${button(`${path}/remove`, "Remove", { kind: "small", about: email })}`
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
  passkey: "by a passkey",
  demo: "by the link of the demo"
}

const sessionRow = ({ session: present }: SignedIn, session: Session): Html => html`<tr>
<th scope="row">${session.userAgent === "" ? "Unknown browser" : session.userAgent}<br><small>${session.network}, ${METHODS[session.method]}</small></th>
<td data-label="Signed in">${instant(session.createdAtMs)}</td>
<td data-label="Last used">${instant(session.lastUsedAtMs)}</td>
<td>${session.sessionId === present.sessionId ? "this browser" : button(`${PATH}/sessions/${session.sessionId}/end`, "Sign out there", { kind: "small", about: session.sessionId })}</td>
</tr>`

const addForm = (state: FormState): Html => html`<h3>Add a member</h3>
${formProblem(state)}
<form class="wide" method="post" action="${PATH}/members">
${input(state, { name: "email", label: "E-mail address", type: "email", required: true, maxLength: 254 })}
${select(state, { name: "role", label: "Role", choices: ROLES })}
<button type="submit">Add</button>
</form>`

export const settingsHandlers = Effect.gen(function* () {
  const members = yield* ManageMembers
  const sessions = yield* MemberSessions

  const settingsPage = Effect.fnUntraced(function* (who: SignedIn, state: FormState, status = 200) {
    const everyone = yield* members.list(who.account.accountId)
    const own = yield* sessions.list(who)
    const form = who.member.role === "owner" && everyone.length < MAX_MEMBERS ? addForm(state) : nothing
    return show(
      "Settings",
      "Settings",
      html`<h1>Settings</h1>
<h2>Who may sign in</h2>
<p>An account has one to ${MAX_MEMBERS} members. Each signs in with the own e-mail address.</p>
<table>
<thead><tr><th scope="col">Member</th><th scope="col">Role</th><th scope="col">Since</th><td></td></tr></thead>
<tbody>${everyone.map((member) => memberRow(who, member))}</tbody>
</table>
${form}
<h2>Where you are signed in</h2>
<table>
<thead><tr><th scope="col">Browser</th><th scope="col">Signed in</th><th scope="col">Last used</th><td></td></tr></thead>
<tbody>${own.map((session) => sessionRow(who, session))}</tbody>
</table>
${own.length > 1 ? button(`${PATH}/sessions/end-others`, "Sign out everywhere else") : nothing}`,
      { status }
    )
  })

  const by = ({ member: { memberId } }: SignedIn) => ({ memberId })

  const handlers: Handlers<typeof settingsRoutes> = {
    settings: ({ who }) => settingsPage(who, fresh()),
    addMember: Effect.fnUntraced(function* ({ who, form }) {
      const decoded = decodeMember(form)
      if (Result.isFailure(decoded)) return yield* settingsPage(who, { values: form, messages: decoded.failure }, 422)
      const { email, role } = decoded.success
      const { accountId } = who.account
      return yield* members.add({ accountId, email: email.trim(), role }, by(who)).pipe(
        Effect.as(seeOther(PATH, `${email.trim()} may sign in now, as ${role}.`)),
        Effect.catchTag("EmailTaken", () =>
          settingsPage(
            who,
            { values: form, messages: new Map([["email", "This address belongs to an account already."]]) },
            422
          )
        )
      )
    }),
    changeRole: Effect.fnUntraced(function* ({ who, form, params: { id: memberId = "" } }) {
      const decoded = decodeRole(form)
      if (Result.isFailure(decoded)) return yield* settingsPage(who, fresh(), 422)
      const { role } = decoded.success
      const { email } = yield* members.changeRole({ accountId: who.account.accountId, memberId, role }, by(who))
      return seeOther(PATH, `${email} is ${role} now.`)
    }),
    removeMember: Effect.fnUntraced(function* ({ who, params: { id: memberId = "" } }) {
      const { email } = yield* members.remove({ accountId: who.account.accountId, memberId }, by(who))
      return seeOther(PATH, `${email} was removed, and is signed out everywhere.`)
    }),
    endSession: Effect.fnUntraced(function* ({ who, params: { id = "" } }) {
      yield* sessions.revoke(who, id)
      return seeOther(PATH, "That browser is signed out.")
    }),
    endOtherSessions: Effect.fnUntraced(function* ({ who }) {
      const ended = yield* sessions.revokeOthers(who)
      return seeOther(
        PATH,
        ended === 1 ? "One other browser was signed out." : `${ended} other browsers were signed out.`
      )
    })
  }
  return handlers
})
