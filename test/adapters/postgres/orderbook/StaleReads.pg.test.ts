// Rows that an order only reads must still have the same version when it is written. Here they change in between, and the result is that of
// a decision made afterwards.
import { layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { accountNo } from "#adapters/postgres/rows/AccountRows.ts"
import { switchFulfilment } from "#core/decisions/operations/SwitchFulfilment.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { revokeSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
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
  type OrderParams,
  order,
  submitOrder
} from "#test/core/ports/ShopSetup.ts"
import { answered, queueTest, recordOutcome, scopedSubscription } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { sharedDatabase, whileBlocked } from "../OtherSession.ts"

/** Places an order that is decided before `meanwhile` and written after it, because another session locks the account until then. */
const placeDuring = <A, E, R>(
  { caller }: Effect.Success<ReturnType<typeof buyer>>,
  params: OrderParams,
  meanwhile: Effect.Effect<A, E, R>
) =>
  Effect.map(
    whileBlocked(
      ["SELECT FROM accounts WHERE account_id = $1 FOR UPDATE", caller.accountId],
      Effect.result(order(caller, params)),
      meanwhile
    ),
    ([placed]) => placed
  )

layer(sharedDatabase, { excludeTestServices: true })(
  "an order that is decided before a change and written after it",
  (it) => {
    it.effect("is refused if its site was closed", () =>
      Effect.gen(function* () {
        const site = yield* listSite()
        const closing = listSite({ siteId: site.siteId, open: false })
        const placed = yield* placeDuring(yield* buyer(5_000), { items: linksOn(site) }, closing)
        expect(placed).toMatchObject({ failure: { _tag: "SiteUnavailable" } })
      })
    )

    it.effect("is refused if its promotion code has expired", () =>
      Effect.gen(function* () {
        const { code } = yield* definePromo()
        const params = { items: linksOn(yield* listSite()), promoCode: code.toLowerCase() }
        const placed = yield* placeDuring(yield* buyer(5_000), params, definePromo({ code, endsAtMs: 1 }))
        expect(placed).toMatchObject({ failure: { _tag: "PromoCodeInvalid", reason: "expired" } })
      })
    )

    it.effect("has the article's new price in the sandbox, where articles are not reserved", () =>
      Effect.gen(function* () {
        const article = yield* listArticle((yield* listSite()).siteId)
        const { siteId, articleId } = article
        const dearer = listArticle(siteId, { articleId, priceCents: 4_200 })
        const params = { items: [insertionInto(article)] }
        const placed = yield* placeDuring(yield* buyer(0, { mode: "sandbox" }), params, dearer)
        expect(placed).toMatchObject({ success: { quote: { totalCents: 4_200 } } })
      })
    )

    it.effect("is refused if its project belongs to another account", () =>
      Effect.gen(function* () {
        const owner = yield* buyer(5_000)
        const heir = yield* buyer()
        const { projectId } = yield* createProject(owner.account.accountId)
        const items = linksOn(yield* listSite()).map((item) => ({ ...item, projectId }))
        const placed = yield* placeDuring(owner, { items }, createProject(heir.account.accountId, { projectId }))
        expect(placed).toMatchObject({ failure: { _tag: "ProjectNotFound" } })
      })
    )

    it.effect("is refused if its opportunity belongs to another project", () =>
      Effect.gen(function* () {
        const owner = yield* buyer(5_000)
        const [{ projectId }, other] = [
          yield* createProject(owner.account.accountId),
          yield* createProject(owner.account.accountId)
        ]
        const { opportunityId } = yield* createOpportunity(projectId)
        const items = linksOn(yield* listSite()).map((item) => ({ ...item, projectId, opportunityId }))
        const placed = yield* placeDuring(owner, { items }, createOpportunity(other.projectId, { opportunityId }))
        expect(placed).toMatchObject({ failure: { _tag: "CartInvalid" } })
      })
    )

    it.effect("queues no delivery for an endpoint that was disabled", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const who = yield* buyer(5_000)
        const subscription = yield* scopedSubscription(who.caller)
        const { deliveryId } = yield* queueTest(subscription)
        const placed = yield* placeDuring(
          who,
          { items: linksOn(yield* listSite()) },
          recordOutcome(deliveryId, answered(410))
        )
        expect(Result.isSuccess(placed)).toBe(true)
        const log = yield* deliveries.ofWebhook({
          webhookId: subscription.webhookId,
          limit: 50,
          beforeId: null
        })
        expect(log.deliveries).toMatchObject([{ deliveryId }])
      }).pipe(Effect.scoped)
    )

    it.effect("leaves its links to the operator if fulfilment was switched to manual", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const switched = (to: "auto" | "manual") => book.transact(emptyListingReads, switchFulfilment(to, actor))
        const placed = yield* placeDuring(
          yield* buyer(5_000),
          { items: linksOn(yield* listSite()) },
          switched("manual")
        )
        yield* switched("auto")
        expect(placed).toMatchObject({ success: { links: [{ status: "to_assign" }] } })
      })
    )
  }
)

layer(sharedDatabase, { excludeTestServices: true })(
  "a promotion that becomes limited while an order uses it",
  (it) => {
    it.effect("waits for that use, and counts it", () =>
      Effect.gen(function* () {
        const { code } = yield* definePromo()
        const items = linksOn(yield* listSite())
        const { quote } = yield* order((yield* buyer(5_000)).caller, { items })
        // The state of an instance that has compared all versions, and is about to commit.
        const use = `WITH used AS (SELECT code FROM promos WHERE code = $1 FOR KEY SHARE)
          UPDATE quotes SET promo_code = code FROM used WHERE quote_id = $2 AND account_no = ${accountNo("$3")}`
        const limiting = definePromo({ code, maxRedemptions: 1 })
        yield* whileBlocked([use, code, quote.quoteId, quote.accountId], limiting, Effect.void)
        const late = Effect.flip(submitOrder((yield* buyer(5_000)).caller, { items, promoCode: code }))
        expect(yield* late).toMatchObject({ _tag: "PromoCodeInvalid", reason: "exhausted" })
      })
    )
  }
)

/** Runs `work` while another instance writes the subscription, so that it is written after that. */
const afterAnother = <A, E, R>(webhookId: string, columns: string, work: Effect.Effect<A, E, R>) => {
  const written = `UPDATE subscriptions SET previous = version, version = $2, ${columns} WHERE webhook_id = $1`
  return whileBlocked([written, webhookId, "of another instance"], work, Effect.void)
}

layer(sharedDatabase, { excludeTestServices: true })("a subscription that another instance writes meanwhile", (it) => {
  it.effect("is revoked after the delivery that an order queues, which is dropped with all others", () =>
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const { caller } = yield* buyer()
      const { webhookId } = yield* scopedSubscription(caller)
      const { deliveryId } = yield* queueTest({ caller, webhookId })
      // The state of an instance that has compared all versions, and is about to commit.
      const queued = `WITH queued AS (
        INSERT INTO deliveries SELECT (jsonb_populate_record(d, '{"delivery_id": "dlv_z", "event_id": "evt_z"}')).*
        FROM deliveries d WHERE delivery_id = $1 RETURNING *
      ) INSERT INTO outbox (delivery_id, webhook_id, due_at_ms, account_no)
        SELECT delivery_id, webhook_id, next_attempt_at_ms, account_no FROM queued`
      yield* whileBlocked([queued, deliveryId], revokeSubscription(caller, webhookId), Effect.void)
      const log = yield* deliveries.ofWebhook({ webhookId, limit: 50, beforeId: null })
      expect(log.deliveries.map(({ state }) => state)).toEqual(["dropped", "dropped"])
    }).pipe(Effect.scoped)
  )

  it.effect("stays revoked when its endpoint is disabled", () =>
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const { caller } = yield* buyer()
      const subscription = yield* scopedSubscription(caller)
      const { deliveryId } = yield* queueTest(subscription)
      yield* afterAnother(subscription.webhookId, "revoked_at_ms = 1", recordOutcome(deliveryId, answered(410)))
      expect(yield* subscriptions.ofKey(caller.keyId)).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.effect("is revoked once the revocation succeeds", () =>
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const { caller } = yield* buyer()
      const { webhookId } = yield* scopedSubscription(caller)
      yield* afterAnother(webhookId, "revoked_at_ms = NULL", revokeSubscription(caller, webhookId))
      expect(yield* subscriptions.ofKey(caller.keyId)).toEqual([])
    }).pipe(Effect.scoped)
  )
})
