// Carries out what somebody at the keys wants, as the actor who would do it, and says in a sentence what came of it.
import { Effect, Ref } from "effect"
import { done, makeOperatorCommands, notDone, told } from "../actors/OperatorCommands.ts"
import type { Button } from "../actors/Payer.ts"
import { makePublisher } from "../actors/Publisher.ts"
import type { Command, CommandResult } from "../events/Command.ts"
import { EventBus } from "../events/EventBus.ts"
import { ProcessorFaults } from "../service/FaultyProcessor.ts"
import { Receiver } from "../service/WebhookReceiver.ts"
import { ClockDriver } from "../time/ClockDriver.ts"
import { makeInteractiveCustomer } from "./InteractiveCustomer.ts"
import { PaymentLinks } from "./PaymentLinks.ts"

const PUBLISHER = "your-publisher"

const speedInWords = (speed: number): string =>
  speed === 1 ? "as fast as the clock on the wall" : `${speed} times as fast`

export const makeLiveCommands = Effect.gen(function* () {
  const events = yield* EventBus
  const pace = yield* ClockDriver
  const receiver = yield* Receiver
  const { down } = yield* ProcessorFaults
  const quotes = new PaymentLinks()
  const stop = events.subscribe((event) => quotes.hear(event))
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  events.emit({
    _tag: "ActorJoined",
    actorId: PUBLISHER,
    kind: "publisher",
    name: "Your publisher",
    accountId: null,
    mode: null
  })
  const publisher = yield* makePublisher(PUBLISHER)
  const interactive = yield* makeInteractiveCustomer
  const operator = makeOperatorCommands(publisher, "key press")

  const press = (button: Button, quoteId: string | null): Effect.Effect<CommandResult> => {
    const url = quotes.linkOf(quoteId)
    if (url === undefined) return Effect.succeed(notDone("No payment link waits for a human there."))
    const deed = button === "pay" ? "The human pressed Pay." : "The human pressed Do not buy."
    return Effect.map(interactive.press(button, url), (answer) =>
      answer.ok ? done(deed) : notDone(`The payment page says: ${answer.message}.`)
    )
  }

  const setProcessor = (up: boolean): Effect.Effect<CommandResult> =>
    Effect.as(
      Effect.andThen(
        Ref.set(down, !up),
        Effect.sync(() => events.emit({ _tag: "ProcessorChanged", up }))
      ),
      done(
        up ? "The payment processor runs again." : "The payment processor is killed: new orders that need a card wait."
      )
    )

  const step: Effect.Effect<CommandResult> = Effect.suspend(() =>
    pace.isPaused()
      ? Effect.map(pace.step, (moved) =>
          moved ? done("On to the next thing.") : notDone("Nothing is going to happen.")
        )
      : Effect.succeed(notDone("Time is running; pause it first."))
  )

  const ofTrade = (command: Command): Effect.Effect<CommandResult> | undefined => {
    switch (command._tag) {
      case "PlaceOrder":
        return Effect.map(interactive.order, (answer) => told(answer, ({ summary }) => summary))
      case "ReplayOrder":
        return Effect.map(interactive.replay(command.quoteId), (answer) =>
          told(answer, ({ quote_id }) => `The same answer as before, and no second order: ${quote_id}.`)
        )
      case "Pay":
        return press("pay", command.quoteId)
      case "Abandon":
        return press("abandon", command.quoteId)
      case "Assign":
        return operator.move(command.orderId, "assigned")
      case "Publish":
        return operator.move(command.orderId, "published")
      case "CancelOrder":
        return operator.cancel(command.orderId)
      case "TopUp":
        return operator.topUp(command.accountId ?? interactive.accountId)
      case "SwitchFulfilment":
        return operator.switchFulfilment(command.to)
      default:
        return undefined
    }
  }

  const ofBench = (command: Command): Effect.Effect<CommandResult> => {
    switch (command._tag) {
      case "SetReceiver":
        return Effect.as(
          receiver.setWorks(command.works),
          done(command.works ? "The receiver works again." : "The receiver is broken: it answers 500.")
        )
      case "SetProcessor":
        return setProcessor(command.up)
      case "SetPaused":
        return Effect.as(pace.setPaused(command.paused), done(command.paused ? "Time stands still." : "Time runs."))
      case "SetSpeed":
        return Effect.map(pace.setSpeed(command.speed), (speed) => done(`Time runs ${speedInWords(speed)}.`))
      case "Step":
        return step
      default:
        return Effect.succeed(done("Bye."))
    }
  }

  return (command: Command): Effect.Effect<CommandResult> => ofTrade(command) ?? ofBench(command)
})
