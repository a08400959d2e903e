// The button that stops all agents, and the one that lets them order again.
import { Effect } from "effect"
import { instant } from "#adapters/html/Document.ts"
import { html, nothing } from "#adapters/html/Html.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { askPage, button, form, submit } from "../form/Form.ts"
import { action, page } from "../Page.ts"
import { seeOther, show, type Visit } from "../PageRoutes.ts"

const PATH = "/account/stop"

const resume = form({ path: `${PATH}/resume`, fields: {}, button: "Let agents order again", confirms: "action" })

const stopPage = ({ who: { account, member } }: Visit<SignedIn>) => {
  const { agentsStoppedAtMs } = account
  const isOwner = member.role === "owner"
  const body =
    agentsStoppedAtMs === undefined
      ? html`<h1>Stop all agents</h1>
<p>No key and no connection can order any more, from the moment you press the button until you allow it again. Orders that are placed go on, and what agents look at stays open to them.</p>
${isOwner ? button(PATH, "Stop all agents", { kind: "grave" }) : nothing}`
      : html`<h1>All agents are stopped</h1>
<p>Since ${instant(agentsStoppedAtMs)}, no key and no connection can order.</p>
${isOwner ? button(resume.path, resume.button) : nothing}`
  return Effect.succeed(show("Keys", "Stop all agents", body))
}

const askResume = askPage(resume, () =>
  Effect.succeed({
    section: "Keys",
    title: "Let agents order again",
    says: html`<p>Every key and every connection orders again, within its limits.</p>`,
    back: PATH
  })
)

export const stopPages = [
  page("viewer", PATH, stopPage),
  action("owner", PATH, ({ who }) =>
    Effect.as(
      StopAgents.use(({ stop }) => stop(who)),
      seeOther(PATH, "All agents are stopped: no key and no connection can order from now on.")
    )
  ),
  submit("owner", resume, askResume, (_, { who, confirm }) =>
    Effect.gen(function* () {
      yield* (yield* StopAgents).resume(who, yield* confirm)
      return seeOther(PATH, "Agents may order again, within their limits.")
    })
  )
]
