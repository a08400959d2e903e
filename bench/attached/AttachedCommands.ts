// Carries out what somebody at the keys wants of a running deployment: what its operator may do, and nothing else.
import { Effect } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { Actors, toResult } from "../actors/Actors.ts"
import { done, makeOperatorCommands, notDone, told } from "../actors/OperatorCommands.ts"
import { makePublisher } from "../actors/Publisher.ts"
import type { Command, CommandResult, Unavailable } from "../events/Command.ts"
import { OPERATOR_NAME, Operator } from "../service/Operator.ts"
import { DeploymentModel } from "./DeploymentModel.ts"

const OWN_AGENTS = "its orders come from agents with keys of their own"
const WALL_CLOCK = "its time is the clock on the wall"

/** What only the house in the bench's own process can have done to it. */
export const unavailable = {
  PlaceOrder: OWN_AGENTS,
  ReplayOrder: OWN_AGENTS,
  SetReceiver: "its webhooks go to other people's receivers",
  SetProcessor: "its payment processor is not the bench's to kill",
  SetPaused: WALL_CLOCK,
  Step: WALL_CLOCK,
  SetSpeed: WALL_CLOCK
} as const satisfies Unavailable

const isUnavailable = (tag: Command["_tag"]): tag is keyof typeof unavailable => tag in unavailable

/** `session` tells this bench's deposits from those of every other. */
export const makeAttachedCommands = Effect.fnUntraced(function* (session: string) {
  const operator: OperatorClient = yield* Operator
  const { run } = yield* Actors
  const { known } = yield* DeploymentModel
  const publisher = yield* makePublisher(OPERATOR_NAME)
  const deskCommands = makeOperatorCommands(publisher, session)

  /** The oldest that a human may still pay. */
  const quoteFor = (wanted: string | null): string | undefined =>
    wanted ?? known().orders.rows.find(({ status }) => status === "awaiting_payment")?.quoteId

  const settle = (
    wanted: string | null,
    call: "payQuote" | "abandonQuote",
    action: string
  ): Effect.Effect<CommandResult> => {
    const quoteId = quoteFor(wanted)
    if (quoteId === undefined) return Effect.succeed(notDone("No quote that the bench knows waits for a human."))
    const sent = toResult(operator[call]({ quoteId }))
    const say = ({ status }: { readonly status: string }) => `the quote is ${status.replace("_", " ")}`
    return Effect.map(run({ actorId: OPERATOR_NAME, action, call: sent, say }), (answer) =>
      told(answer, (quote) => `Done for its human: ${say(quote)}.`)
    )
  }

  return (command: Command): Effect.Effect<CommandResult> => {
    if (isUnavailable(command._tag)) return Effect.succeed(notDone(`Not to be had here: ${unavailable[command._tag]}.`))
    switch (command._tag) {
      case "Pay":
        return settle(command.quoteId, "payQuote", "pays for a human, in pretence")
      case "Abandon":
        return settle(command.quoteId, "abandonQuote", "gives a quote up for its human")
      case "Assign":
        return deskCommands.move(command.orderId, "assigned")
      case "Publish":
        return deskCommands.move(command.orderId, "published")
      case "CancelOrder":
        return deskCommands.cancel(command.orderId)
      case "TopUp":
        return command.accountId === null
          ? Effect.succeed(notDone("Select an order or a wallet first: somebody has to get the deposit."))
          : deskCommands.topUp(command.accountId)
      case "SwitchFulfilment":
        return deskCommands.switchFulfilment(command.to)
      default:
        return Effect.succeed(done("Bye."))
    }
  }
})
