// Looks things up at the operator's operator and tells what is new of them: a quote with its order, an account's wallet, its webhooks,
// and all that there is to be seen of a deployment on arrival. When to look is decided elsewhere.
import { Clock, Effect } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { MAX_WALLETS } from "../model/WalletsModel.ts"
import { Operator } from "../service/Operator.ts"
import { DeploymentModel } from "./DeploymentModel.ts"
import { ofDelivery, ofLedger, ofQuote, ofWebhook, type WebhookRecord } from "./RecordEvents.ts"

export type OperatorFault = Effect.Error<ReturnType<OperatorClient["showQuote"]>>

const LEDGER_PAGE = 50
const DELIVERY_PAGE = 20
const QUEUE_PAGE = 200

/** Wallets looked at on arrival: room is left for those that something happens to afterwards. */
const FIRST_WALLETS = MAX_WALLETS / 2

/** What is gone by the time that it is looked up is no fault. */
const ifThere = <A, R>(look: Effect.Effect<A, OperatorFault, R>): Effect.Effect<A | null, OperatorFault, R> =>
  Effect.catchIf(
    look,
    (fault) => fault._tag === "OperatorError" && fault.code.endsWith("_not_found"),
    () => Effect.succeed(null)
  )

export const makeLookUps = Effect.gen(function* () {
  const operator = yield* Operator
  const { replay, quoteOf, known } = yield* DeploymentModel

  /** `heardAtMs`: when something was last heard of it. */
  const quote = Effect.fnUntraced(function* (quoteId: string, heardAtMs: Millis) {
    const record = yield* ifThere(operator.showQuote({ quoteId }))
    if (record !== null) replay(ofQuote(record, heardAtMs))
  })

  const order = Effect.fnUntraced(function* (orderId: string, heardAtMs: Millis) {
    const quoteId = quoteOf(orderId) ?? (yield* ifThere(operator.showOrder({ orderId })))?.order.quoteId
    if (quoteId !== undefined) yield* quote(quoteId, heardAtMs)
  })

  const ledger = (accountId: string) =>
    Effect.map(operator.readLedger({ accountId, limit: LEDGER_PAGE }), ({ entries }) => replay(ofLedger(entries)))

  const account = Effect.fnUntraced(function* (accountId: string) {
    const found = yield* ifThere(operator.showAccount({ accountId }))
    if (found === null) return
    const { name, createdAtMs: atMs } = found.account
    replay([{ _tag: "WalletOpened", atMs, accountId, name }])
    yield* Effect.forEach(found.holds, ({ quoteId }) => quote(quoteId, atMs), { discard: true })
    yield* ledger(accountId)
  })

  const wallet = (accountId: string) =>
    known().wallets.some((row) => row.accountId === accountId) ? ledger(accountId) : account(accountId)

  const deliveries = Effect.fnUntraced(function* (accountId: string, webhook: WebhookRecord) {
    const { webhookId, keyId } = webhook
    replay(ofWebhook(accountId, webhook, yield* Clock.currentTimeMillis))
    const page = yield* ifThere(operator.listDeliveries({ accountId, keyId, webhookId, limit: DELIVERY_PAGE }))
    const sent = page?.deliveries ?? []
    replay(sent.toReversed().flatMap((delivery) => ofDelivery(webhookId, delivery)))
    return sent.some(({ state }) => state === "pending")
  })

  /** Whether any of its deliveries are still on their way. */
  const webhooks = Effect.fnUntraced(function* (accountId: string) {
    const found = yield* ifThere(operator.showAccount({ accountId }))
    const keys = (found?.keys ?? []).filter(({ key }) => key.revokedAtMs === null)
    const listed = yield* Effect.forEach(keys, ({ key }) =>
      ifThere(operator.listWebhooks({ accountId, keyId: key.keyId }))
    )
    const all = listed.flatMap((page) => page ?? [])
    const onTheirWay = yield* Effect.forEach(all, (webhook) => deliveries(accountId, webhook))
    return onTheirWay.includes(true)
  })

  const fulfilment = Effect.gen(function* () {
    const { fulfilment } = yield* operator.showFulfilment({})
    replay([{ _tag: "FulfilmentSwitched", atMs: yield* Clock.currentTimeMillis, fulfilment }])
  })

  /** The links to work on with their orders, open holds, and the newest accounts; which of them have webhooks is for later. */
  const arrival = Effect.gen(function* () {
    yield* fulfilment
    const nowMs = yield* Clock.currentTimeMillis
    const { links } = yield* operator.queue({ limit: QUEUE_PAGE })
    const quoteIds = new Set(links.map(({ quoteId }) => quoteId))
    yield* Effect.forEach(quoteIds, (quoteId) => quote(quoteId, nowMs), { discard: true })
    const newest = yield* operator.listAccounts({ limit: FIRST_WALLETS })
    const accounts = newest.accounts.toReversed()
    yield* Effect.forEach(accounts, ({ accountId }) => account(accountId), { discard: true })
    return accounts.map(({ accountId }) => accountId)
  })

  return { quote, order, wallet, webhooks, fulfilment, arrival }
})

export type LookUps = Effect.Success<typeof makeLookUps>
