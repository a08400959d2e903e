// The button that stops all agents, and the one that lets them order again; and the same for one key or connection, which is paused.
import { type Html, html, instant, isolated, nothing } from "#adapters/html/Html.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { activeKey } from "../Credentials.ts"
import { askPage, button, form, submit } from "../form/Form.ts"
import { action, page, seeOther, titled } from "../Page.ts"

const PATH = "/account/stop"
const RESUME = "Let agents order again"

const resume = form({ path: `${PATH}/resume`, fields: {}, confirms: "action", kind: "pay" })

const stopPage = page(
  "viewer",
  PATH,
  { section: "Keys", stops: true, help: "stopping" },
  function* ({ who: { account, member } }) {
    const { agentsStoppedAtMs } = account
    const isOwner = member.role === "owner"
    if (agentsStoppedAtMs === undefined) {
      const body = html`<p>No key and no connection can order any more, from the moment you press the button until you allow it again. Orders that are placed continue, and agents can still look.</p>
${isOwner ? button(PATH, "Stop all agents", { kind: "grave" }) : nothing}`
      return titled("Stop all agents", body, { stops: true })
    }
    const body = html`<p>Since ${instant(agentsStoppedAtMs)}, no key and no connection can order. Orders that were placed before continue, and people can order in the Shop.</p>
${isOwner ? button(resume.path, RESUME, { kind: "pay" }) : html`<p>An owner can let them order again.</p>`}`
    return titled("Stop all agents", body, { heading: "All agents are stopped", stops: true })
  }
)

const askResume = askPage("owner", resume, "Keys", function* () {
  return {
    title: RESUME,
    says: html`<p>Every key and every connection orders again, within its limits.</p>`,
    back: PATH,
    help: "stopping"
  }
})

const AGENT = "/account/agents/:id"

/** Where the buttons of one agent stand, and lead back to. */
const PLACES = { overview: "/account", keys: "/account/keys", connections: "/account/connections" } as const

const placeOf = (typed: URLSearchParams): string =>
  Object.entries(PLACES).find(([name]) => name === typed.get("on"))?.[1] ?? PLACES.overview

/** Pause, or resume where it is paused. Viewers have neither. */
export const pauseButton = (
  { member }: SignedIn,
  { keyId, label, pausedAtMs }: ApiKey,
  on: keyof typeof PLACES
): Html => {
  if (member.role !== "owner") return nothing
  const [deed, says] = pausedAtMs === undefined ? ["pause", "Pause"] : ["resume", "Resume"]
  return button(`/account/agents/${keyId}/${deed}`, says, { values: { on }, kind: "small", about: label })
}

const resumeOne = form({ path: `${AGENT}/resume`, fields: {}, confirms: "action", kind: "pay" })

const askResumeOne = askPage("owner", resumeOne, "Overview", function* (visit) {
  const { label } = yield* activeKey(visit)
  return {
    title: `Let ${isolated(label)} order again`,
    says: html`<p>It orders again, within its limits.</p>`,
    back: placeOf(visit.form),
    leave: "Keep it paused",
    help: "stopping"
  }
})

const pausePages = [
  action(
    "owner",
    `${AGENT}/pause`,
    function* (visit) {
      const { keyId, label } = yield* activeKey(visit)
      yield* (yield* OwnCredentials).pause(visit.who, keyId)
      const done = `${isolated(label)} is paused: it can look, and orders nothing until you let it order again.`
      return seeOther(placeOf(visit.form), done)
    },
    "nothing"
  ),
  askResumeOne,
  submit("owner", resumeOne, askResumeOne, function* (_, visit) {
    const { keyId, label } = yield* activeKey(visit)
    yield* (yield* OwnCredentials).resume(visit.who, keyId, yield* visit.confirm)
    return seeOther(placeOf(visit.form), `${isolated(label)} may order again, within its limits.`)
  })
]

export const stopPages = [
  ...pausePages,
  stopPage,
  action(
    "owner",
    PATH,
    function* ({ who }) {
      yield* (yield* StopAgents).stop(who)
      return seeOther(PATH, "All agents are stopped: no key and no connection can order from now on.")
    },
    "nothing"
  ),
  submit("owner", resume, askResume, function* (_, { who, confirm }) {
    yield* (yield* StopAgents).resume(who, yield* confirm)
    return seeOther(PATH, "Agents may order again, within their limits.")
  })
]
