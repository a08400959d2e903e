// The button that stops all agents, and the one that lets them order again.
import { html, instant, nothing } from "#adapters/html/Html.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { askPage, button, form, submit } from "../form/Form.ts"
import { action, page, seeOther, titled } from "../Page.ts"

const PATH = "/account/stop"
const RESUME = "Let agents order again"

const resume = form({ path: `${PATH}/resume`, fields: {}, confirms: "action" })

const stopPage = page("viewer", PATH, { section: "Keys", stops: true }, function* ({ who: { account, member } }) {
  const { agentsStoppedAtMs } = account
  const isOwner = member.role === "owner"
  if (agentsStoppedAtMs === undefined) {
    const body = html`<p>No key and no connection can order any more, from the moment you press the button until you allow it again. Orders that are placed go on, and what agents look at stays open to them.</p>
${isOwner ? button(PATH, "Stop all agents", { kind: "grave" }) : nothing}`
    return titled("Stop all agents", body, { stops: true })
  }
  const body = html`<p>Since ${instant(agentsStoppedAtMs)}, no key and no connection can order.</p>
${isOwner ? button(resume.path, RESUME) : nothing}`
  return titled("Stop all agents", body, { heading: "All agents are stopped", stops: true })
})

const askResume = askPage("owner", resume, "Keys", function* () {
  return {
    title: RESUME,
    says: html`<p>Every key and every connection orders again, within its limits.</p>`,
    back: PATH
  }
})

export const stopPages = [
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
