// One stay with a running deployment, from joining it until it is lost: watches it, runs the followUps that come of that, looks after
// deliveries on their way, and notices when nothing answers any more. Coming back is elsewhere.
import { Effect, Queue, Stream } from "effect"
import { Operator } from "../service/Operator.ts"
import { DeploymentModel } from "./DeploymentModel.ts"
import { type Deed, type FollowUp, followUpsOf, type Watched } from "./FollowUps.ts"
import { type LookUps, makeLookUps, type OperatorFault } from "./RecordReader.ts"

const LOOK_AT_DELIVERIES_EVERY = "2 seconds"
/** A connection that says nothing may be none. */
const ASK_EVERY = "5 seconds"
export const ANSWER_WITHIN = "10 seconds"

/** Where more happens than can be looked up, the oldest is given up: it would be the first to leave the panes, too. */
const MOST_ERRANDS = 1_000
const MOST_FOLLOWED = 32

/** Why the deployment is not heard, in a sentence. */
export const reasonOf = ({ message }: OperatorFault): string => message

const STOPPED = "The service was stopped."
const SILENT = "The service has not answered for a while."

/** Where to go on watchModel; `null` for from now on. */
export interface Cursor {
  cursor: string | null
}

const makeSay =
  ({ emit, replay, known }: DeploymentModel["Service"]) =>
  ({ who, id, action, answer }: Deed, atMs: number) => {
    const accountId = who === "operator" ? null : id
    const actorId = who === "payer" ? `${id}-human` : id
    const owner = known().wallets.find((row) => row.accountId === accountId)?.name ?? id
    const name = who === "payer" ? `${owner}'s human` : owner
    replay([{ _tag: "ActorJoined", atMs, actorId, kind: who, name, accountId, mode: null }])
    emit({ _tag: "ActionEnded", actorId, action, ok: true, answer })
  }

/** Accounts whose deliveries are looked at until all have arrived: those that something was sent to last. */
const makeFollowed = (lookUps: LookUps) => {
  const accounts = new Set<string>()
  return {
    follow: (accountId: string) => {
      accounts.delete(accountId)
      accounts.add(accountId)
      const [oldest] = accounts
      if (accounts.size > MOST_FOLLOWED && oldest !== undefined) accounts.delete(oldest)
    },
    look: Effect.gen(function* () {
      for (const accountId of [...accounts]) {
        if (!(yield* lookUps.webhooks(accountId))) accounts.delete(accountId)
      }
    })
  }
}

export const makeSession = Effect.gen(function* () {
  const operator = yield* Operator
  const teller = yield* DeploymentModel
  const lookUps = yield* makeLookUps
  const { follow, look } = makeFollowed(lookUps)
  const say = makeSay(teller)

  const run = (followUp: FollowUp): Effect.Effect<void, OperatorFault> => {
    switch (followUp.does) {
      case "quote":
      case "order":
        return lookUps[followUp.does](followUp.id, followUp.atMs)
      case "wallet":
        return lookUps.wallet(followUp.id)
      case "webhooks":
        return Effect.sync(() => follow(followUp.id))
      case "fulfilment":
        return lookUps.fulfilment
      case "emit":
        return Effect.sync(() => say(followUp.deed, followUp.atMs))
    }
  }

  /** Each once, however often it was asked for meanwhile. */
  const runAll = (followUps: ReadonlyArray<FollowUp>) =>
    Effect.forEach(new Map(followUps.map((one) => [one.name, one])).values(), run, { discard: true })

  const work = (followUps: Queue.Dequeue<FollowUp>) =>
    Effect.gen(function* () {
      for (const accountId of yield* lookUps.arrival) follow(accountId)
      return yield* Effect.forever(Effect.flatMap(Queue.takeAll(followUps), runAll))
    })

  const silence = Effect.sleep(ASK_EVERY).pipe(
    Effect.andThen(Effect.timeoutOption(lookUps.fulfilment, ANSWER_WITHIN)),
    Effect.repeat({ until: (answer) => answer._tag === "None" }),
    Effect.as(SILENT)
  )

  /** Until it is lost; answers why. */
  return Effect.fnUntraced(
    function* (bookmark: Cursor) {
      const followUps = yield* Queue.sliding<FollowUp>(MOST_ERRANDS)
      const note = (one: Watched) => {
        bookmark.cursor = one.cursor
        return Queue.offerAll(followUps, followUpsOf(one, teller.quoteOf))
      }
      const { cursor } = bookmark
      const watch = operator
        .watch(cursor === null ? {} : { after: cursor })
        .pipe(Stream.runForEach(note), Effect.as(STOPPED))
      const deliveries = Effect.forever(Effect.andThen(look, Effect.sleep(LOOK_AT_DELIVERIES_EVERY)))
      return yield* Effect.raceAllFirst([watch, work(followUps), deliveries, silence])
    },
    Effect.catch((fault: OperatorFault) => Effect.succeed(reasonOf(fault)))
  )
})
