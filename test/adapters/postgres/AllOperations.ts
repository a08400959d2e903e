// Every kind of decision, with the queries that go with it, once, in a shop made by `BulkRows`, for tests of what the database does. The
// results are checked by the conformance suites.
import { Effect, Layer } from "effect"
import { limitKey, revokeKey, rotateKey } from "#core/decisions/access/Keys.ts"
import { changeEmail } from "#core/decisions/members/Accounts.ts"
import { switchFulfilment } from "#core/decisions/operations/SwitchFulfilment.ts"
import { LinkId, OrderId, WebhookId } from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { item } from "#test/core/Given.ts"
import {
  abandon,
  addSubscription,
  cancelLinkById,
  cancelOrderById,
  changeLinkBy,
  moveLinkTo,
  pay,
  revokeSubscription,
  storeSessionOf
} from "#test/core/ports/ordering/OrderSteps.ts"
import { emptyListingReads } from "#test/core/ports/ordering/VisibleBooks.ts"
import {
  actor,
  buyer,
  createOpportunity,
  createProject,
  definePromo,
  insertionInto,
  linksOn,
  listArticle,
  listSite,
  order,
  submitOrder
} from "#test/core/ports/ShopSetup.ts"
import { UniqueNumbers } from "#test/core/ports/StoreSuite.ts"
import { answered, claim, queueTest, recordOutcome, redeliverTo } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { bulkId } from "./BulkRows.ts"

/** Unique numbers above those of the bulk rows. */
export const unusedNumbers = Layer.effect(
  UniqueNumbers,
  Effect.sync(() => {
    let last = 1_000_000_000
    return { next: Effect.sync(() => ++last) }
  })
)

/** Orders, payments, links and cancellations. */
export const buyAndCancel = Effect.gen(function* () {
  const { caller } = yield* buyer(100_000)
  const site = yield* listSite()
  const [article, another] = [yield* listArticle(site.siteId), yield* listArticle(site.siteId)]
  const promo = yield* definePromo({ maxRedemptions: 100 })
  const { projectId } = yield* createProject(caller.accountId)
  const { opportunityId } = yield* createOpportunity(projectId)
  const idempotency = { key: "k", fingerprint: "f" }
  const items = [insertionInto(article), item({ siteId: site.siteId, projectId, opportunityId })]
  yield* addSubscription(caller)
  const bought = yield* order(caller, { items, promoCode: promo.code, idempotency })
  yield* submitOrder(caller, { items, promoCode: promo.code, idempotency })
  yield* moveLinkTo(bought.links[0]?.linkId ?? LinkId.make(""), "published")
  const [, second] = bought.links
  if (second !== undefined) yield* changeLinkBy({ caller }, second, { anchorText: "another text" })
  yield* cancelLinkById(second?.linkId ?? LinkId.make(""))
  const whole = yield* order(caller, { items: linksOn(site) })
  yield* cancelOrderById(whole.order?.orderId ?? OrderId.make(""))
  const poor = (yield* buyer(100)).caller
  const waiting = { items: [insertionInto(another)], promoCode: promo.code, idempotency }
  const given = yield* order(poor, waiting)
  yield* storeSessionOf(given.quote)
  yield* abandon(given.quote, "agent")
  yield* pay(given.quote)
  const { quote } = yield* order(poor, { items: [{ ...insertionInto(another), tier2Links: 5 }], promoCode: promo.code })
  yield* pay(quote)
})

/** Keys, webhooks, their deliveries, and the fulfilment switch. */
export const manageKeysAndWebhooks = Effect.gen(function* () {
  const book = yield* OrderBook
  const deliveries = yield* Deliveries
  const { caller, key } = yield* buyer()
  const { webhookId } = yield* addSubscription(caller)
  const own = { caller, webhookId }
  const { deliveryId } = yield* queueTest(own)
  const claimed = yield* claim({ limit: 5 })
  yield* deliveries.release(claimed.map(({ delivery }) => delivery.deliveryId))
  yield* recordOutcome(deliveryId, answered(500))
  yield* redeliverTo(own, deliveryId)
  yield* deliveries.nextDueAtMs()
  yield* deliveries.backlog(Number.MAX_SAFE_INTEGER)
  yield* deliveries.ofWebhook({ webhookId: WebhookId.make(bulkId("wh_", 1)), limit: 20, beforeId: null })
  yield* revokeSubscription(caller, webhookId)
  const address = { accountId: caller.accountId, email: `another-${caller.accountId}@example.com` }
  yield* book.transact({ _tag: "ForEmail", ...address }, changeEmail({ ...address, actor }))
  yield* book.transact({ _tag: "ForKey", keyId: caller.keyId }, limitKey(caller.keyId, key.limits, actor))
  const text = { hash: `${key.hash}-2`, prefix: key.prefix, lastFour: key.lastFour }
  yield* book.transact(
    { _tag: "ForKey", keyId: caller.keyId },
    rotateKey({ keyId: key.keyId, now: false, actor, ...text })
  )
  yield* (yield* ApiKeys).byHash(key.hash)
  yield* book.transact({ _tag: "ForKey", keyId: caller.keyId }, revokeKey(caller.keyId, actor))
  yield* book.transact(emptyListingReads, switchFulfilment("auto", actor))
})
