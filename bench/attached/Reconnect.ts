// Keeps the bench connected to a running deployment: reconnects after a loss, and publishes both.
import { Effect, Option } from "effect"
import { OPERATOR_NAME, Operator } from "../service/Operator.ts"
import { DeploymentModel } from "./DeploymentModel.ts"
import { type Cursor, makeSession, RESPONSE_TIMEOUT } from "./Session.ts"

const CLOCK_EVENT_EVERY = "1 second"
const RETRY_EVERY = "1 second"

/** The person at the keys. */
const YOU = { actorId: OPERATOR_NAME, kind: "operator", name: "You", accountId: null, mode: null } as const

export const keepConnected = Effect.fnUntraced(function* (url: string) {
  const operator = yield* Operator
  const { emit, model, reset } = yield* DeploymentModel
  const runSession = yield* makeSession
  const cursor: Cursor = { position: null }

  const startOver = Effect.sync(() => {
    cursor.position = null
    reset(url)
    emit({ _tag: "ActorJoined", ...YOU })
  })

  /** A deployment with the same books still has the newest quote on screen. */
  const hasSameBooks = Effect.suspend(() => {
    const newest = model().orders.rows.at(-1)
    if (newest === undefined) return Effect.succeed(false)
    return Effect.isSuccess(operator.showQuote({ quoteId: newest.quoteId }))
  })

  const publishLoss = (reason: string) => {
    if (model().run.lost !== reason) emit({ _tag: "ConnectionChanged", connected: false, reason })
  }

  const answers = Effect.timeoutOption(operator.showFulfilment({}), RESPONSE_TIMEOUT).pipe(
    Effect.map(Option.isSome),
    Effect.catch(({ message }) =>
      Effect.as(
        Effect.sync(() => publishLoss(message)),
        false
      )
    )
  )

  const untilAnswered = Effect.repeat(Effect.andThen(Effect.sleep(RETRY_EVERY), answers), { until: (yes) => yes })

  const connect = Effect.gen(function* () {
    yield* startOver
    for (;;) {
      publishLoss(yield* runSession(cursor))
      yield* untilAnswered
      const same = yield* hasSameBooks
      if (!same) yield* startOver
      const books = same ? "its books are those from before" : "it is shown afresh"
      emit({ _tag: "ConnectionChanged", connected: true, reason: `the deployment answers again; ${books}` })
    }
  })

  const emitClock = Effect.andThen(
    Effect.sync(() => emit({ _tag: "ClockMoved", had: 1, skipping: false })),
    Effect.sleep(CLOCK_EVENT_EVERY)
  )

  /** Never ends by itself. */
  return Effect.all([connect, Effect.forever(emitClock)], { concurrency: "unbounded", discard: true })
})
