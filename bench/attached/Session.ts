// One connection to a running deployment, until it is lost: watches the operator's stream, reads the records that its events are
// about, polls pending deliveries, and notices when the service no longer answers.
import { Effect, Queue, Stream } from "effect"
import { BoundedSet } from "#core/domain/shared/BoundedMap.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { Operator } from "../service/Operator.ts"
import { DeploymentModel } from "./DeploymentModel.ts"
import { type FollowUp, followUpsOf, type ObservedAction, type WatchedEvent } from "./FollowUps.ts"
import { makeRecordReader, type OperatorFault, type RecordReader } from "./RecordReader.ts"

const POLL_DELIVERIES_EVERY = "2 seconds"
/** A connection that is lost without an error looks like one without events, so it is probed. */
const PROBE_EVERY = "5 seconds"
export const RESPONSE_TIMEOUT = "10 seconds"

/** Above this the oldest follow-ups are dropped: the panes would drop their rows first, too. */
const MAX_FOLLOW_UPS = 1_000
const MAX_POLLED_ACCOUNTS = 32

const STOPPED = "The service was stopped."
const SILENT = "The service has not answered for a while."

/** Where to continue the stream; `null` for now. */
export interface Cursor {
  position: string | null
}

const makePublishAction =
  ({ emit, replay, model }: DeploymentModel["Service"]) =>
  (observed: ObservedAction, atMs: number) => {
    const { by, id, action, answer } = observed
    const accountId = observed.by === "operator" ? null : observed.id
    const actorId = by === "payer" ? `${id}-human` : id
    const owner = model().wallets.find((row) => row.accountId === accountId)?.name ?? id
    const name = by === "payer" ? `${owner}'s human` : owner
    replay([{ _tag: "ActorJoined", atMs, actorId, kind: by, name, accountId, mode: null }])
    emit({ _tag: "ActionEnded", actorId, action, ok: true, answer })
  }

/** Polls the accounts with pending deliveries; above the maximum, the one added longest ago is dropped. */
const makeDeliveryPoll = (reader: RecordReader) => {
  const accounts = new BoundedSet<AccountId>(MAX_POLLED_ACCOUNTS)
  const poll = Effect.gen(function* () {
    for (const accountId of [...accounts]) {
      if (!(yield* reader.webhooks(accountId))) accounts.delete(accountId)
    }
  })
  return {
    add: (accountId: AccountId) => void accounts.add(accountId),
    run: Effect.forever(Effect.andThen(poll, Effect.sleep(POLL_DELIVERIES_EVERY)))
  }
}

export const makeSession = Effect.gen(function* () {
  const operator = yield* Operator
  const deployment = yield* DeploymentModel
  const reader = yield* makeRecordReader
  const deliveries = makeDeliveryPoll(reader)
  const publishAction = makePublishAction(deployment)

  const run = (followUp: FollowUp): Effect.Effect<void, OperatorFault> => {
    switch (followUp.kind) {
      case "quote":
        return reader.quote(followUp.id, followUp.atMs)
      case "order":
        return reader.order(followUp.id, followUp.atMs)
      case "wallet":
        return reader.wallet(followUp.id)
      case "webhooks":
        return Effect.sync(() => deliveries.add(followUp.id))
      case "fulfilment":
        return reader.fulfilment
      case "publish":
        return Effect.sync(() => publishAction(followUp.observed, followUp.atMs))
    }
  }

  const runAll = (followUps: ReadonlyArray<FollowUp>) =>
    Effect.forEach(new Map(followUps.map((one) => [one.name, one])).values(), run, { discard: true })

  const readRecords = (queue: Queue.Dequeue<FollowUp>) =>
    Effect.gen(function* () {
      for (const accountId of yield* reader.everything) deliveries.add(accountId)
      return yield* Effect.forever(Effect.flatMap(Queue.takeAll(queue), runAll))
    })

  const probe = Effect.sleep(PROBE_EVERY).pipe(
    Effect.andThen(Effect.timeoutOption(reader.fulfilment, RESPONSE_TIMEOUT)),
    Effect.repeat({ until: (response) => response._tag === "None" }),
    Effect.as(SILENT)
  )

  /** Runs until the connection is lost; returns the reason. */
  return Effect.fnUntraced(
    function* (cursor: Cursor) {
      const queue = yield* Queue.sliding<FollowUp>(MAX_FOLLOW_UPS)
      const enqueue = (event: WatchedEvent) => {
        cursor.position = event.cursor
        return Queue.offerAll(queue, followUpsOf(event, deployment.quoteOf))
      }
      const watch = operator
        .watch(cursor.position === null ? {} : { after: cursor.position })
        .pipe(Stream.runForEach(enqueue), Effect.as(STOPPED))
      return yield* Effect.raceAllFirst([watch, readRecords(queue), deliveries.run, probe])
    },
    Effect.catch(({ message }: OperatorFault) => Effect.succeed(message))
  )
})
