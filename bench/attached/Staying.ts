// One stay with a running deployment, from joining it until it is lost: watches it, runs the errands that come of that, looks after
// deliveries on their way, and notices when nothing answers any more. Coming back is elsewhere.
import { Effect, Queue, Stream } from "effect"
import { Desk } from "../service/Desk.ts"
import { type Deed, type Errand, errandsOf, type Watched } from "./Errands.ts"
import { type DeskFault, type LookUps, makeLookUps } from "./LookUps.ts"
import { Teller } from "./Teller.ts"

const LOOK_AT_DELIVERIES_EVERY = "2 seconds"
/** A connection that says nothing may be none. */
const ASK_EVERY = "5 seconds"
export const ANSWER_WITHIN = "10 seconds"

/** Where more happens than can be looked up, the oldest is given up: it would be the first to leave the panes, too. */
const MOST_ERRANDS = 1_000
const MOST_FOLLOWED = 32

/** Why the deployment is not heard, in a sentence. */
export const reasonOf = ({ message }: DeskFault): string => message

const STOPPED = "The service was stopped."
const SILENT = "The service has not answered for a while."

/** Where to go on watching; `null` for from now on. */
export interface Bookmark {
  cursor: string | null
}

const makeSay =
  ({ tell, retell, known }: Teller["Service"]) =>
  ({ who, id, action, answer }: Deed, atMs: number) => {
    const accountId = who === "operator" ? null : id
    const actorId = who === "payer" ? `${id}-human` : id
    const owner = known().wallets.find((row) => row.accountId === accountId)?.name ?? id
    const name = who === "payer" ? `${owner}'s human` : owner
    retell([{ _tag: "ActorJoined", atMs, actorId, kind: who, name, accountId, mode: null }])
    tell({ _tag: "ActionEnded", actorId, action, ok: true, answer })
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

export const makeStay = Effect.gen(function* () {
  const desk = yield* Desk
  const teller = yield* Teller
  const lookUps = yield* makeLookUps
  const { follow, look } = makeFollowed(lookUps)
  const say = makeSay(teller)

  const run = (errand: Errand): Effect.Effect<void, DeskFault> => {
    switch (errand.does) {
      case "quote":
      case "order":
        return lookUps[errand.does](errand.id, errand.atMs)
      case "wallet":
        return lookUps.wallet(errand.id)
      case "webhooks":
        return Effect.sync(() => follow(errand.id))
      case "fulfilment":
        return lookUps.fulfilment
      case "tell":
        return Effect.sync(() => say(errand.deed, errand.atMs))
    }
  }

  /** Each once, however often it was asked for meanwhile. */
  const runAll = (errands: ReadonlyArray<Errand>) =>
    Effect.forEach(new Map(errands.map((one) => [one.name, one])).values(), run, { discard: true })

  const work = (errands: Queue.Dequeue<Errand>) =>
    Effect.gen(function* () {
      for (const accountId of yield* lookUps.arrival) follow(accountId)
      return yield* Effect.forever(Effect.flatMap(Queue.takeAll(errands), runAll))
    })

  const silence = Effect.sleep(ASK_EVERY).pipe(
    Effect.andThen(Effect.timeoutOption(lookUps.fulfilment, ANSWER_WITHIN)),
    Effect.repeat({ until: (answer) => answer._tag === "None" }),
    Effect.as(SILENT)
  )

  /** Until it is lost; answers why. */
  return Effect.fnUntraced(
    function* (bookmark: Bookmark) {
      const errands = yield* Queue.sliding<Errand>(MOST_ERRANDS)
      const note = (one: Watched) => {
        bookmark.cursor = one.cursor
        return Queue.offerAll(errands, errandsOf(one, teller.quoteOf))
      }
      const { cursor } = bookmark
      const watch = desk
        .watch(cursor === null ? {} : { after: cursor })
        .pipe(Stream.runForEach(note), Effect.as(STOPPED))
      const deliveries = Effect.forever(Effect.andThen(look, Effect.sleep(LOOK_AT_DELIVERIES_EVERY)))
      return yield* Effect.raceAllFirst([watch, work(errands), deliveries, silence])
    },
    Effect.catch((fault: DeskFault) => Effect.succeed(reasonOf(fault)))
  )
})
