// How the signed-in person signs in: passkeys and the app, and where they are signed in now.
import { Effect } from "effect"
import { html, instant, nothing } from "#adapters/html/Html.ts"
import type { Session, SignedIn } from "#core/domain/members/Session.ts"
import { SessionId } from "#core/domain/shared/Ids.ts"
import { ManageFactors } from "#core/usecases/members/ManageFactors.ts"
import { MemberSessions } from "#core/usecases/members/MemberSessions.ts"
import { FACTORS_PATH, factorsSummary } from "../FactorTexts.ts"
import { button } from "../form/Form.ts"
import { action, seeOther, type Visit } from "../Page.ts"
import { actions, type Column, column, named, table } from "../Tables.ts"
import { linkTo, SETTINGS_PATH as PATH, setting, topic } from "./SettingCards.ts"

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

export const signInTopic = Effect.fnUntraced(function* ({ who }: Visit<SignedIn>) {
  const own = yield* (yield* MemberSessions).list(who)
  const factors = yield* (yield* ManageFactors).list(who)
  const others = html`<div class="pad">${button(`${PATH}/sessions/end-others`, "Sign out everywhere else")}</div>`
  return topic("sign-in", "Sign-in", "How you show that it is you, and where you are signed in.", [
    setting("Second factor", factorsSummary(factors), linkTo(FACTORS_PATH, "Passkeys and apps")),
    table(sessionColumns(who), own),
    own.length > 1 ? others : nothing
  ])
})

export const sessionPages = [
  action(
    "viewer",
    `${PATH}/sessions/:id/end`,
    function* ({ who, params: { id = "" } }) {
      yield* (yield* MemberSessions).revoke(who, SessionId.make(id))
      return seeOther(PATH, "That browser is signed out.")
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
