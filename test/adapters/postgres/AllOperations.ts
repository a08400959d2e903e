// Every query of the store and every kind of decision, once, in a shop made by `BulkRows`, for tests of what the database does. The
// results are checked by the conformance suites.
import { Effect, Layer } from "effect"
import { limitKey, revokeKey, rotateKey } from "#core/decisions/access/Keys.ts"
import { changeEmail } from "#core/decisions/members/Accounts.ts"
import { switchFulfilment } from "#core/decisions/operations/SwitchFulfilment.ts"
import type { PageStart, Sort } from "#core/domain/catalogue/Catalogue.ts"
import type { SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"
import {
  AccountId,
  EntryId,
  InvoiceId,
  KeyId,
  LinkId,
  OrderId,
  ProjectId,
  QuoteId,
  WebhookId
} from "#core/domain/shared/Ids.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Grants } from "#core/ports/access/Grants.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { Projects } from "#core/ports/catalogue/Projects.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { Readiness } from "#core/ports/operations/Readiness.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Purchases } from "#core/ports/ordering/Purchases.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Promos } from "#core/ports/pricing/Promos.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
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

/** Ids of the account that owns half of the bulk rows. */
const number = (prefix: string, value = 0): string => `${prefix}${String(value).padStart(12, "0")}`
const accountId = AccountId.make(number("acc_"))
const keyId = KeyId.make(number("key_"))

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
  yield* deliveries.ofWebhook({ webhookId: WebhookId.make(number("wh_", 1)), limit: 20, beforeId: null })
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

const filters: ReadonlyArray<SiteFilter> = [
  {},
  { niches: ["niche 7"] },
  { query: "site12" },
  { shelves: ["Plancton"], languages: ["fr"], minTf: 80, minTraffic: 90_000, maxPriceCents: 1_000 },
  { niches: ["niche 7"], languages: ["de"], minTf: 50 },
  { niches: ["niche 7", "niche 8"], languages: ["de", "fr"] },
  { shelves: ["Plancton", "Corail"] },
  { niches: ["niche 7"], exceptSiteIds: [7, 207] },
  { minCf: 10, minRd: 10, minMozDa: 10, minRankedKeywords: 10 }
]
const sorts: ReadonlyArray<Sort> = ["id", "price", "-tf", "-traffic"]
const starts: ReadonlyArray<PageStart> = [
  { kind: "offset", offset: 0 },
  { kind: "offset", offset: 1_000 },
  { kind: "after", sortKey: { rank: -45, siteId: 500 } }
]

/** Catalogue searches with every filter, order and kind of start. */
export const searchCatalogue = Effect.gen(function* () {
  const catalogue = yield* Catalogue
  const projects = yield* Projects
  for (const filter of filters) {
    for (const sort of sorts) {
      for (const start of starts) yield* catalogue.search({ filter, sort, start, limit: 20 })
    }
  }
  for (const articles of [
    { articleQuery: "word 123", nowMs: 0 },
    { hasArticles: true, nowMs: 0 },
    { hasArticles: false, articleQuery: "keyword 4567", nowMs: 0 }
  ]) {
    for (const start of starts) yield* catalogue.search({ filter: {}, articles, sort: "-tf", start, limit: 20 })
  }
  yield* catalogue.site(7, 0)
  yield* catalogue.openOf([7, 8])
  for (const mode of ["live", "sandbox"] as const) {
    yield* catalogue.linkingTo({ accountId, mode, domain: "host7.example", nowMs: 0 })
  }
  yield* catalogue.articles({ siteId: 7, limit: 20, afterId: null, nowMs: 0 })
  yield* projects.ofAccount(accountId)
  yield* projects.planMaterial(ProjectId.make(number("prj_", 2)))
})

const own = { shown: [keyId], leftOut: [KeyId.make(number("key_", 2))] }

const listPurchases = Effect.gen(function* () {
  const purchases = yield* Purchases
  const invoices = yield* Invoices
  for (const after of [null, { orderId: OrderId.make(number("ord_", 1_000)), index: 0 }]) {
    for (const conditions of [{}, { reference: "PO 1" }, { siteId: 7 }]) {
      yield* purchases.links({ ...own, conditions, asOfMs: 0, limit: 20, after })
    }
  }
  for (const beforeId of [null, QuoteId.make(number("q_", 1_000))]) {
    for (const status of [null, "paid", "awaiting_payment"] as const) {
      yield* purchases.quotes({ ...own, status, limit: 20, beforeId })
    }
  }
  for (const conditions of [{}, { orderId: OrderId.make(number("ord_", 3)) }]) {
    yield* invoices.ofAccount({ accountId, limit: 20, before: null, conditions })
  }
  yield* invoices.byIds([InvoiceId.make(number("inv_", 3))])
})

/** All other queries, for the account with the most rows. */
export const readEverything = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const orders = yield* Orders
  const quotes = yield* Quotes
  const wallets = yield* Wallets
  yield* listPurchases
  yield* (yield* Readiness).writable
  yield* keys.byHash(number("hash_"))
  yield* keys.ofAccount(accountId)
  yield* keys.recordUse(keyId, Date.UTC(2026, 0))
  yield* (yield* Grants).find("RefreshToken", number("hash_"))
  yield* (yield* Grants).prune(20)
  yield* (yield* Subscriptions).ofKey(keyId)
  yield* (yield* Subscriptions).anyActive
  yield* (yield* Subscriptions).activeAfter({ after: WebhookId.make(number("wh_", 1)), limit: 20 })
  yield* wallets.of(AccountId.make(number("acc_", 1)))
  yield* wallets.ledger({ accountId, limit: 20, beforeId: null })
  yield* wallets.ledger({
    accountId,
    limit: 20,
    beforeId: EntryId.make(number("led_", 1_000))
  })
  yield* wallets.dailyUsage(keyId, 1_000)
  yield* orders.byId(OrderId.make(number("ord_", 3)))
  for (const beforeId of [null, OrderId.make(number("ord_", 1_000))]) {
    yield* orders.listed({ ...own, status: null, limit: 20, beforeId })
    yield* orders.listed({
      ...own,
      status: null,
      conditions: { createdFromMs: 0 },
      limit: 20,
      beforeId
    })
    yield* orders.listed({ ...own, status: "completed", limit: 20, beforeId })
  }
  const statuses = ["paid", "completed"] as const
  for (const conditions of [{}, { text: "one" }, { targetDomain: "shop.example" }]) {
    yield* orders.ofKeys({ keyIds: [keyId], statuses, conditions, limit: 20, beforeId: null })
  }
  for (const afterId of [null, LinkId.make(number("lnk_", 1_000))]) yield* orders.queue({ limit: 20, afterId })
  yield* (yield* Promos).page({ limit: 20, afterCode: null, nowMs: 0 })
  yield* quotes.byId(QuoteId.make(number("q_", 5)))
  yield* quotes.byPaymentToken(number("token_", 5))
  yield* quotes.byIdempotencyKey(
    { keyId, accountId: AccountId.make(number("acc_", 9)), mode: "live" },
    number("idem_", 4)
  )
  yield* quotes.due({ nowMs: 1, limit: 20 })
  yield* quotes.due({ nowMs: Number.MAX_SAFE_INTEGER, limit: 20, after: QuoteId.make("q_0") })
  yield* quotes.due({ nowMs: Number.MAX_SAFE_INTEGER, limit: 20 })
  yield* quotes.due({ nowMs: Number.MAX_SAFE_INTEGER, limit: 20, accountId: AccountId.make(number("acc_", 9)) })
  yield* quotes.withoutSession({ beforeMs: Number.MAX_SAFE_INTEGER, limit: 20 })
  yield* quotes.setAsideOpen
  yield* quotes.awaitingApproval({ limit: 20 })
  yield* quotes.awaitingApprovalCount
  yield* quotes.lookAlike({ keyId, itemsDigest: number("digest_", 4) })
  yield* quotes.latestUnkeyed({ keyId, fingerprint: "a".repeat(64) })
})
