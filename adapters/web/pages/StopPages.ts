// The button that stops all agents, and the one that lets them order again.
import { Effect } from "effect"
import { instant } from "#adapters/html/Document.ts"
import { html, nothing } from "#adapters/html/Html.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { type ConfirmPage, makeConfirmation } from "../Confirmation.ts"
import { button } from "../Fields.ts"
import { action, type Handlers, page, seeOther, show } from "../PageRoutes.ts"

const PATH = "/account/stop"

export const stopRoutes = {
  stopPage: page("viewer", "/account/stop"),
  stopAgents: action("owner", "/account/stop"),
  resumeAgents: action("owner", "/account/stop/resume")
}

const RESUME: ConfirmPage = {
  section: "Keys",
  title: "Let agents order again",
  says: html`<p>Every key and every connection orders again, within its limits.</p>`,
  label: "Let agents order again",
  back: PATH
}

export const stopHandlers = Effect.gen(function* () {
  const agents = yield* StopAgents
  const confirmation = yield* makeConfirmation

  const handlers: Handlers<typeof stopRoutes> = {
    stopPage: ({ who: { account, member } }) => {
      const { agentsStoppedAtMs } = account
      const isOwner = member.role === "owner"
      const body =
        agentsStoppedAtMs === undefined
          ? html`<h1>Stop all agents</h1>
<p>No key and no connection can order any more, from the moment you press the button until you allow it again. Orders that are placed go on, and what agents look at stays open to them.</p>
${isOwner ? button(PATH, "Stop all agents", { kind: "grave" }) : nothing}`
          : html`<h1>All agents are stopped</h1>
<p>Since ${instant(agentsStoppedAtMs)}, no key and no connection can order.</p>
${isOwner ? button(`${PATH}/resume`, "Let agents order again") : nothing}`
      return Effect.succeed(show("Keys", "Stop all agents", body))
    },
    stopAgents: ({ who }) =>
      Effect.as(
        agents.stop(who),
        seeOther(PATH, "All agents are stopped: no key and no connection can order from now on.")
      ),
    resumeAgents: (visit) =>
      Effect.flatMap(confirmation.confirm(visit), (by) => agents.resume(visit.who, by)).pipe(
        Effect.as(seeOther(PATH, "Agents may order again, within their limits.")),
        Effect.catchTag("NotConfirmed", (refusal) => confirmation.ask(visit, RESUME, refusal))
      )
  }
  return handlers
})
