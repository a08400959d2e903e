// Executes commands on a running deployment: those that its operator may give.
import { Effect } from "effect"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { Actors } from "../actors/Actors.ts"
import { makeOperatorCommands, toCommandResult } from "../actors/OperatorCommands.ts"
import { makePublisher } from "../actors/Publisher.ts"
import { type Command, type CommandResult, done, notDone, type Unavailable } from "../events/Command.ts"
import { OPERATOR_NAME, Operator } from "../service/Operator.ts"
import { DeploymentModel } from "./DeploymentModel.ts"

const OWN_AGENTS = "its orders come from agents with keys of their own"
const WALL_CLOCK = "its time is the clock on the wall"

export const unavailable: Unavailable = {
  PlaceOrder: OWN_AGENTS,
  ReplayOrder: OWN_AGENTS,
  SetReceiver: "its webhooks go to other people's receivers",
  SetProcessor: "its payment processor is not the bench's to kill",
  SetPaused: WALL_CLOCK,
  Step: WALL_CLOCK,
  SetSpeed: WALL_CLOCK,
  NextStory: "it plays no stories"
}

/** `session` makes the references of this session's top-ups unique. */
export const makeAttachedCommands = Effect.fnUntraced(function* (session: string) {
  const operator = yield* Operator
  const run = (yield* Actors).runAs(OPERATOR_NAME)
  const { model } = yield* DeploymentModel
  const executeAsOperator = makeOperatorCommands(yield* makePublisher(OPERATOR_NAME), session)

  const settle = (selected: QuoteId | null, call: "payQuote" | "abandonQuote", action: string) => {
    const oldestOpen = model().orders.rows.find(({ status }) => status === "awaiting_payment")
    const quoteId = selected ?? oldestOpen?.quoteId
    if (quoteId === undefined) return Effect.succeed(notDone("No quote that the bench knows waits for a human."))
    const describe = ({ status }: { readonly status: string }) => `the quote is ${status.replace("_", " ")}`
    return Effect.map(run(action, operator[call]({ quoteId }), describe), (result) =>
      toCommandResult(result, (quote) => `Done for its human: ${describe(quote)}.`)
    )
  }

  return (command: Command): Effect.Effect<CommandResult> => {
    const reason = unavailable[command._tag]
    if (reason !== undefined) return Effect.succeed(notDone(`Not available here: ${reason}.`))
    switch (command._tag) {
      case "Pay":
        return settle(command.quoteId, "payQuote", "pays for a human (simulated)")
      case "Abandon":
        return settle(command.quoteId, "abandonQuote", "abandons a quote for its human")
      default:
        return executeAsOperator(command, null) ?? Effect.succeed(done("Bye."))
    }
  }
})
