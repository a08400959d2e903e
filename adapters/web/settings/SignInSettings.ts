// How the signed-in person signs in: passkeys and the app, and where they are signed in now.
import { Effect } from "effect"
import { spanText } from "#adapters/contract/shared/Counted.ts"
import { html, instant, nothing } from "#adapters/html/Html.ts"
import { SESSION_IDLE_MS, SESSION_MAX_MS, type Session, type SignedIn } from "#core/domain/members/Session.ts"
import { SessionId } from "#core/domain/shared/Ids.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { FACTORS_PATH, factorsSummary } from "../FactorTexts.ts"
import { button } from "../form/Form.ts"
import { action, seeOther, type Visit } from "../Page.ts"
import { actions, type Column, column, named, table } from "../Tables.ts"
import { deviceName } from "./Device.ts"
import { linkTo, SETTINGS_PATH as PATH, setting, topic } from "./SettingCards.ts"

const METHODS: Readonly<Record<Session["method"], string>> = {
  link: "by a link in a mail",
  password: "by name and password",
  passkey: "by passkey",
  demo: "by the link of the demo"
}

const sessionColumns = ({ session: present }: SignedIn): ReadonlyArray<Column<Session>> => [
  named(
    "Browser",
    ({ userAgent, method, sessionId }) =>
      html`${deviceName(userAgent)}${sessionId === present.sessionId ? html` <span class="pill ok">this browser</span>` : nothing}<br><small>signed in ${METHODS[method]}</small>`
  ),
  column("Signed in", ({ createdAtMs }) => instant(createdAtMs)),
  column("Last seen", ({ lastUsedAtMs }) => instant(lastUsedAtMs)),
  actions(({ sessionId, userAgent }) =>
    sessionId === present.sessionId
      ? nothing
      : button(`${PATH}/sessions/${sessionId}/end`, "Sign out there", { kind: "small", about: deviceName(userAgent) })
  )
]

export const signInTopic = Effect.fnUntraced(function* ({ who }: Visit<SignedIn>) {
  const place = ({ sessionId }: Session) => (sessionId === who.session.sessionId ? 0 : 1)
  const own = (yield* (yield* MemberSessions).list(who)).toSorted((a, b) => place(a) - place(b))
  const factors = yield* (yield* ManageFactors).list(who)
  const change = factors.passkeys.length === 0 && factors.totp === null ? "Add" : "Change"
  const others = html`<div class="pad">${button(`${PATH}/sessions/end-others`, "Sign out everywhere else")}</div>`
  return topic("sign-in", "Sign-in", "How you show that it is you, and where you are signed in.", [
    setting("Passkeys and apps", factorsSummary(factors), linkTo(FACTORS_PATH, change, `${change}: passkeys and apps`)),
    html`<div class="pad lined stack"><h3>Where you are signed in</h3>
<p class="small">Is one of them not you? Sign it out, then look at <a href="${PATH}/activity">all activity</a>. A sign-in ends after ${spanText(SESSION_IDLE_MS)} without use, and after ${spanText(SESSION_MAX_MS)} at most.</p></div>`,
    table(sessionColumns(who), own),
    own.length > 1 ? others : nothing
  ])
})

export const sessionPages = [
  action(
    "viewer",
    `${PATH}/sessions/:id/end`,
    function* ({ who, params: { id = "" } }) {
      const sessions = yield* MemberSessions
      const named = (yield* sessions.list(who)).find(({ sessionId }) => sessionId === id)
      yield* sessions.revoke(who, SessionId.make(id))
      return seeOther(PATH, `${deviceName(named?.userAgent ?? "")} is signed out.`)
    },
    "nothing"
  ),
  action(
    "viewer",
    `${PATH}/sessions/end-others`,
    function* ({ who }) {
      const ended = yield* (yield* MemberSessions).revokeOthers(who)
      return seeOther(
        PATH,
        ended === 1 ? "One other browser was signed out." : `${ended} other browsers were signed out.`
      )
    },
    "nothing"
  )
]
