// Follows a running deployment for as long as it is wanted: stays with it, says on screen whenever it is away, and comes back.
import { Effect, Option } from "effect"
import { OPERATOR_NAME, Operator } from "../service/Operator.ts"
import { DeploymentModel } from "./DeploymentModel.ts"
import { ANSWER_WITHIN, type Cursor, makeSession, reasonOf } from "./Session.ts"

const TELL_TIME_EVERY = "1 second"
const COME_BACK_EVERY = "1 second"

/** The operator's person at the keys. */
const YOU = { actorId: OPERATOR_NAME, kind: "operator", name: "You", accountId: null, mode: null } as const

export const keepConnected = Effect.fnUntraced(function* (url: string) {
  const operator = yield* Operator
  const teller = yield* DeploymentModel
  const stay = yield* makeSession
  const bookmark: Cursor = { cursor: null }

  const startOver = Effect.sync(() => {
    bookmark.cursor = null
    teller.startOver(url)
    teller.emit({ _tag: "ActorJoined", ...YOU })
  })

  /** A deployment that kept its books still knows the newest quote on screen. */
  const hasSameBooks = Effect.suspend(() => {
    const newest = teller.known().orders.rows.at(-1)
    if (newest === undefined) return Effect.succeed(false)
    return Effect.match(operator.showQuote({ quoteId: newest.quoteId }), {
      onSuccess: () => true,
      onFailure: () => false
    })
  })

  const lose = (reason: string) => {
    if (teller.known().run.lost !== reason) teller.emit({ _tag: "ConnectionChanged", connected: false, reason })
  }

  /** Whether it answers, and soon. */
  const answers = Effect.timeoutOption(operator.showFulfilment({}), ANSWER_WITHIN).pipe(
    Effect.map(Option.isSome),
    Effect.catch((fault) =>
      Effect.as(
        Effect.sync(() => lose(reasonOf(fault))),
        false
      )
    )
  )

  const comeBack = Effect.repeat(Effect.andThen(Effect.sleep(COME_BACK_EVERY), answers), { until: (are) => are })

  const follow = Effect.gen(function* () {
    yield* startOver
    for (;;) {
      lose(yield* stay(bookmark))
      yield* comeBack
      const same = yield* hasSameBooks
      if (!same) yield* startOver
      const books = same ? "its books are those from before" : "it is shown afresh"
      teller.emit({ _tag: "ConnectionChanged", connected: true, reason: `the deployment answers again; ${books}` })
    }
  })

  const tellTime = Effect.andThen(
    Effect.sync(() => teller.emit({ _tag: "ClockMoved" })),
    Effect.sleep(TELL_TIME_EVERY)
  )

  /** Never ends by itself. */
  return Effect.all([follow, Effect.forever(tellTime)], { concurrency: "unbounded", discard: true })
})
