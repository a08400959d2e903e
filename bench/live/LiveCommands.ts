// Executes commands on the bench's own service.
import { Effect } from "effect"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { makeOperatorCommands, toCommandResult } from "../actors/OperatorCommands.ts"
import type { Button } from "../actors/Payer.ts"
import { makePublisher } from "../actors/Publisher.ts"
import { type Command, type CommandResult, done, notDone } from "../events/Command.ts"
import { EventBus, subscribeScoped } from "../events/EventBus.ts"
import type { ProcessorFaults } from "../service/FaultyProcessor.ts"
import { setProcessor } from "../service/TestService.ts"
import { WebhookReceiver } from "../service/WebhookReceiver.ts"
import { ClockDriver } from "../time/ClockDriver.ts"
import { makeInteractiveCustomer } from "./InteractiveCustomer.ts"
import { PaymentLinks } from "./PaymentLinks.ts"

const PUBLISHER = {
  actorId: "your-publisher",
  kind: "publisher",
  name: "Your publisher",
  accountId: null,
  mode: null
} as const

const speedText = (speed: number): string =>
  speed === 1 ? "as fast as the clock on the wall" : `${speed} times as fast`

/** `nextStory` ends the story that is played, and returns the title of the next one. */
export const makeLiveCommands = Effect.fnUntraced(function* (nextStory: Effect.Effect<string>) {
  const { emit } = yield* EventBus
  const clock = yield* ClockDriver
  const receiver = yield* WebhookReceiver
  const context = yield* Effect.context<EventBus | ProcessorFaults>()
  const links = new PaymentLinks()
  yield* subscribeScoped((event) => links.handle(event))
  emit({ _tag: "ActorJoined", ...PUBLISHER })
  const executeAsOperator = makeOperatorCommands(yield* makePublisher(PUBLISHER.actorId), "key press")
  const customer = yield* makeInteractiveCustomer

  const press = (button: Button, quoteId: QuoteId | null): Effect.Effect<CommandResult> => {
    const url = links.linkOf(quoteId)
    if (url === undefined) return Effect.succeed(notDone("No payment link waits for a human there."))
    return Effect.map(customer.press(button, url), (result) =>
      result.ok
        ? done(button === "pay" ? "The human pressed Pay." : "The human pressed Do not buy.")
        : notDone(`The payment page says: ${result.message}.`)
    )
  }

  const step: Effect.Effect<CommandResult> = Effect.suspend(() =>
    clock.isPaused()
      ? Effect.map(clock.step, (moved) =>
          moved ? done("On to the next thing.") : notDone("Nothing is going to happen.")
        )
      : Effect.succeed(notDone("Time is running; pause it first."))
  )

  return (command: Command): Effect.Effect<CommandResult> => {
    const ofOperator = executeAsOperator(command, customer.accountId)
    if (ofOperator !== undefined) return ofOperator
    switch (command._tag) {
      case "PlaceOrder":
        return Effect.map(customer.placeOrder, (result) => toCommandResult(result, ({ summary }) => summary))
      case "ReplayOrder":
        return Effect.map(customer.replay(command.quoteId), (result) =>
          toCommandResult(result, ({ quote_id }) => `The same answer as before, and no second order: ${quote_id}.`)
        )
      case "Pay":
        return press("pay", command.quoteId)
      case "Abandon":
        return press("abandon", command.quoteId)
      case "SetReceiver":
        return Effect.as(
          receiver.setWorks(command.works),
          done(command.works ? "The receiver works again." : "The receiver is broken: it answers 500.")
        )
      case "SetProcessor":
        return Effect.as(
          Effect.provide(setProcessor(command.up), context),
          done(
            command.up
              ? "The payment processor runs again."
              : "The payment processor is killed: new orders that need a card wait."
          )
        )
      case "SetPaused":
        return Effect.as(clock.setPaused(command.paused), done(command.paused ? "Time stands still." : "Time runs."))
      case "SetSpeed":
        return Effect.map(clock.setSpeed(command.speed), (speed) => done(`Time runs ${speedText(speed)}.`))
      case "Step":
        return step
      case "NextStory":
        return Effect.map(nextStory, (title) => done(`The next story: ${title}.`))
      default:
        return Effect.succeed(done("Bye."))
    }
  }
})
