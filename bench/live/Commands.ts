// Carries out what somebody at the keys wants, as the actor who would do it, and says in a sentence what came of it.
import { Effect, Ref } from "effect"
import { ProcessorFaults } from "#adapters/payments/FaultyProcessor.ts"
import type { Button } from "../actors/Payer.ts"
import { makePublisher } from "../actors/Publisher.ts"
import type { Command, Told } from "../Control.ts"
import { Feed } from "../Feed.ts"
import { Receiver } from "../service/Receiver.ts"
import { Pace } from "../time/Pace.ts"
import { done, makeDeskCommands, notDone, told } from "./DeskCommands.ts"
import { OpenQuotes } from "./OpenQuotes.ts"
import { makeVisitor } from "./Visitor.ts"

const PUBLISHER = "your-publisher"

const speedInWords = (speed: number): string =>
  speed === 1 ? "as fast as the clock on the wall" : `${speed} times as fast`

export const makeCommands = Effect.gen(function* () {
  const feed = yield* Feed
  const pace = yield* Pace
  const receiver = yield* Receiver
  const { down } = yield* ProcessorFaults
  const quotes = new OpenQuotes()
  const stop = feed.listen((event) => quotes.hear(event))
  yield* Effect.addFinalizer(() => Effect.sync(stop))
  feed.tell({
    _tag: "ActorJoined",
    actorId: PUBLISHER,
    kind: "publisher",
    name: "Your publisher",
    accountId: null,
    mode: null
  })
  const publisher = yield* makePublisher(PUBLISHER)
  const visitor = yield* makeVisitor
  const desk = makeDeskCommands(publisher, "key press")

  const press = (button: Button, quoteId: string | null): Effect.Effect<Told> => {
    const url = quotes.linkOf(quoteId)
    if (url === undefined) return Effect.succeed(notDone("No payment link waits for a human there."))
    const deed = button === "pay" ? "The human pressed Pay." : "The human pressed Do not buy."
    return Effect.map(visitor.press(button, url), (answer) =>
      answer.ok ? done(deed) : notDone(`The payment page says: ${answer.message}.`)
    )
  }

  const setProcessor = (up: boolean): Effect.Effect<Told> =>
    Effect.as(
      Effect.andThen(
        Ref.set(down, !up),
        Effect.sync(() => feed.tell({ _tag: "ProcessorChanged", up }))
      ),
      done(
        up ? "The payment processor runs again." : "The payment processor is killed: new orders that need a card wait."
      )
    )

  const step: Effect.Effect<Told> = Effect.suspend(() =>
    pace.isPaused()
      ? Effect.map(pace.step, (moved) =>
          moved ? done("On to the next thing.") : notDone("Nothing is going to happen.")
        )
      : Effect.succeed(notDone("Time is running; pause it first."))
  )

  const ofTrade = (command: Command): Effect.Effect<Told> | undefined => {
    switch (command._tag) {
      case "PlaceOrder":
        return Effect.map(visitor.order, (answer) => told(answer, ({ summary }) => summary))
      case "ReplayOrder":
        return Effect.map(visitor.replay(command.quoteId), (answer) =>
          told(answer, ({ quote_id }) => `The same answer as before, and no second order: ${quote_id}.`)
        )
      case "Pay":
        return press("pay", command.quoteId)
      case "Abandon":
        return press("abandon", command.quoteId)
      case "Assign":
        return desk.move(command.orderId, "assigned")
      case "Publish":
        return desk.move(command.orderId, "published")
      case "CancelOrder":
        return desk.cancel(command.orderId)
      case "TopUp":
        return desk.topUp(command.accountId ?? visitor.accountId)
      case "SwitchFulfilment":
        return desk.switchFulfilment(command.to)
      default:
        return undefined
    }
  }

  const ofBench = (command: Command): Effect.Effect<Told> => {
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

  return (command: Command): Effect.Effect<Told> => ofTrade(command) ?? ofBench(command)
})
