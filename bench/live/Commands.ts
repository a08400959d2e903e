// Carries out what somebody at the keys wants, as the actor who would do it, and says in a sentence what came of it.
import { Effect, Ref } from "effect"
import { ProcessorFaults } from "#adapters/payments/FaultyProcessor.ts"
import { canMove, type Stage } from "#core/domain/Link.ts"
import { formatEur } from "#core/domain/Money.ts"
import type { Answer } from "../actors/Acting.ts"
import type { Button } from "../actors/Payer.ts"
import { makePublisher } from "../actors/Publisher.ts"
import type { Command, Told } from "../Control.ts"
import { Feed } from "../Feed.ts"
import { Receiver } from "../service/Receiver.ts"
import { Pace } from "../time/Pace.ts"
import { OpenQuotes } from "./OpenQuotes.ts"
import { makeVisitor } from "./Visitor.ts"

const TOP_UP_CENTS = 5_000
const QUEUE_PAGE = 200
const PUBLISHER = "your-publisher"

export const done = (sentence: string): Told => ({ ok: true, sentence })
export const notDone = (sentence: string): Told => ({ ok: false, sentence })

const told = <A>(answer: Answer<A>, say: (body: A) => string): Told =>
  answer.ok ? done(say(answer.body)) : notDone(answer.message)

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
  let deposits = 0

  const press = (button: Button, quoteId: string | null): Effect.Effect<Told> => {
    const url = quotes.linkOf(quoteId)
    if (url === undefined) return Effect.succeed(notDone("No payment link waits for a human there."))
    const deed = button === "pay" ? "The human pressed Pay." : "The human pressed Do not buy."
    return Effect.map(visitor.press(button, url), (answer) => told(answer, () => deed))
  }

  /** The oldest order with a link that can go there. */
  const orderFor = (orderId: string | null, to: Stage) =>
    orderId !== null
      ? Effect.succeed(orderId)
      : Effect.map(publisher.queue(QUEUE_PAGE), (queue) => {
          const fitting = queue.ok ? queue.body.find(({ status }) => canMove(status, to)) : undefined
          return fitting?.orderId ?? null
        })

  const move = (wanted: string | null, to: Stage): Effect.Effect<Told> =>
    Effect.flatMap(orderFor(wanted, to), (orderId) =>
      orderId === null
        ? Effect.succeed(notDone(`No link waits to be ${to}.`))
        : Effect.map(publisher.moveNext(orderId, to), (answer) =>
            told(answer, ({ domain }) => `The link on ${domain} is ${to}.`)
          )
    )

  const cancel = (wanted: string | null): Effect.Effect<Told> =>
    Effect.flatMap(orderFor(wanted, "published"), (orderId) =>
      orderId === null
        ? Effect.succeed(notDone("No order has a link that can be cancelled."))
        : Effect.map(publisher.cancelOrder(orderId), (answer) =>
            told(answer, ({ status }) => `What was not online is cancelled and paid back; the order is ${status}.`)
          )
    )

  const topUp = (accountId: string | null): Effect.Effect<Told> =>
    Effect.map(publisher.topUp(accountId ?? visitor.accountId, TOP_UP_CENTS, `key press ${++deposits}`), (answer) =>
      told(
        answer,
        ({ balanceAfterCents }) =>
          `${formatEur(TOP_UP_CENTS)} were paid in; the balance is ${formatEur(balanceAfterCents)}.`
      )
    )

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
        return move(command.orderId, "assigned")
      case "Publish":
        return move(command.orderId, "published")
      case "CancelOrder":
        return cancel(command.orderId)
      case "TopUp":
        return topUp(command.accountId)
      case "SwitchFulfilment":
        return Effect.map(publisher.switchFulfilment(command.to), (answer) =>
          told(
            answer,
            () => `Plancton links of new orders are assigned ${command.to === "auto" ? "at once" : "by hand"}.`
          )
        )
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
