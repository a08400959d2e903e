// Reads the operator's records of quotes, wallets and webhooks, and publishes what is new in them.
import { Clock, Effect } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { MAX_WALLETS } from "../model/WalletsModel.ts"
import { Operator } from "../service/Operator.ts"
import { DeploymentModel } from "./DeploymentModel.ts"
import { deliveryEvents, ledgerEvents, quoteEvents, type WebhookRecord, webhookEvents } from "./RecordEvents.ts"

export type OperatorFault = Effect.Error<ReturnType<OperatorClient["showQuote"]>>

const LEDGER_PAGE = 50
const DELIVERY_PAGE = 20
const QUEUE_PAGE = 200

/** Wallets read at first: the model keeps room for those that move later. */
const FIRST_WALLETS = MAX_WALLETS / 2

/** `null` for a record that is gone. */
const orNull = <A, R>(call: Effect.Effect<A, OperatorFault, R>): Effect.Effect<A | null, OperatorFault, R> =>
  Effect.catchIf(
    call,
    (fault) => fault._tag === "OperatorError" && fault.code.endsWith("_not_found"),
    () => Effect.succeed(null)
  )

export const makeRecordReader = Effect.gen(function* () {
  const operator = yield* Operator
  const { replay, quoteOf, model } = yield* DeploymentModel

  /** `seenAtMs` is when the quote last changed. */
  const quote = Effect.fnUntraced(function* (quoteId: QuoteId, seenAtMs: Millis) {
    const record = yield* orNull(operator.showQuote({ quoteId }))
    if (record !== null) replay(quoteEvents(record, seenAtMs))
  })

  const order = Effect.fnUntraced(function* (orderId: OrderId, seenAtMs: Millis) {
    const quoteId = quoteOf(orderId) ?? (yield* orNull(operator.showOrder({ orderId })))?.order.quoteId
    if (quoteId !== undefined) yield* quote(quoteId, seenAtMs)
  })

  const ledger = (accountId: AccountId) =>
    Effect.map(operator.readLedger({ accountId, limit: LEDGER_PAGE }), ({ entries }) => replay(ledgerEvents(entries)))

  const account = Effect.fnUntraced(function* (accountId: AccountId) {
    const found = yield* orNull(operator.showAccount({ accountId }))
    if (found === null) return
    const { name, createdAtMs: atMs } = found.account
    replay([{ _tag: "WalletOpened", atMs, accountId, name }])
    yield* Effect.forEach(found.holds, ({ quoteId }) => quote(quoteId, atMs), { discard: true })
    yield* ledger(accountId)
  })

  const wallet = (accountId: AccountId) =>
    model().wallets.some((row) => row.accountId === accountId) ? ledger(accountId) : account(accountId)

  /** Returns whether any delivery is pending. */
  const deliveries = Effect.fnUntraced(function* (accountId: AccountId, webhook: WebhookRecord) {
    const { webhookId, keyId } = webhook
    replay(webhookEvents(accountId, webhook, yield* Clock.currentTimeMillis))
    const page = yield* orNull(operator.listDeliveries({ accountId, keyId, webhookId, limit: DELIVERY_PAGE }))
    const records = page?.deliveries ?? []
    replay(records.toReversed().flatMap((delivery) => deliveryEvents(webhookId, delivery)))
    return records.some(({ state }) => state === "pending")
  })

  /** Returns whether any delivery of the account is pending. */
  const webhooks = Effect.fnUntraced(function* (accountId: AccountId) {
    const found = yield* orNull(operator.showAccount({ accountId }))
    const connections = (yield* orNull(operator.listConnections({ accountId }))) ?? []
    const owners = [...(found?.keys ?? []).map(({ key }) => key), ...connections.map(({ connection }) => connection)]
    const active = owners.filter(({ revokedAtMs }) => revokedAtMs === null)
    const pages = yield* Effect.forEach(active, ({ keyId }) => orNull(operator.listWebhooks({ accountId, keyId })))
    const records = pages.flatMap((page) => page ?? [])
    const pending = yield* Effect.forEach(records, (webhook) => deliveries(accountId, webhook))
    return pending.includes(true)
  })

  const fulfilment = Effect.gen(function* () {
    const { fulfilment } = yield* operator.showFulfilment({})
    replay([{ _tag: "FulfilmentSwitched", atMs: yield* Clock.currentTimeMillis, fulfilment }])
  })

  /** The queue's orders, open holds, and the newest accounts, whose ids it returns. */
  const everything = Effect.gen(function* () {
    yield* fulfilment
    const nowMs = yield* Clock.currentTimeMillis
    const { links } = yield* operator.queue({ limit: QUEUE_PAGE })
    const quoteIds = new Set(links.map(({ quoteId }) => quoteId))
    yield* Effect.forEach(quoteIds, (quoteId) => quote(quoteId, nowMs), { discard: true })
    const { accounts } = yield* operator.listAccounts({ limit: FIRST_WALLETS })
    const accountIds = accounts.toReversed().map(({ accountId }) => accountId)
    yield* Effect.forEach(accountIds, account, { discard: true })
    return accountIds
  })

  return { quote, order, wallet, webhooks, fulfilment, everything }
})

export type RecordReader = Effect.Success<typeof makeRecordReader>
