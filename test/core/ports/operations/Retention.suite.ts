// What every store promises of Retention: what has ended for longer than its span is freed in bounded steps, nothing else is, and the
// invariants hold.
import { Effect } from "effect"
import { expect } from "vitest"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { DeliveryId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { Retention } from "#core/ports/operations/Retention.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { abandon, cancelOrderById, moveLinkTo, pay } from "../ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order, plainSettings, submitOrder } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import {
  answered,
  queueTest,
  queueTests,
  recordOutcome,
  redeliverTo,
  scopedSubscription
} from "../webhooks/DeliverySteps.ts"
import { ANY_END, expectSound, freeAll, idsOf, keyed, logOf } from "./RetentionSteps.ts"
export const retentionSuite = (name: string, store: StoreLayer): void => {
  storeSuite(`Retention of ${name}: deliveries`, store, (it) => {
    it.effect(
      "frees deliveries that have ended, and keeps those that are pending, queued again or within their span",
      () =>
        Effect.gen(function* () {
          const { caller } = yield* buyer(1_000)
          const own = yield* scopedSubscription(caller)
          const site = yield* listSite()
          yield* order(caller, { items: linksOn(site) })
          const [event] = yield* logOf(own.webhookId)
          const [test, again, waiting] = [yield* queueTest(own), yield* queueTest(own), yield* queueTest(own)]
          for (const one of [event, test, again])
            yield* recordOutcome(one?.deliveryId ?? DeliveryId.make(""), answered(200))
          yield* redeliverTo(own, again.deliveryId)
          expect(yield* freeAll("deliveries", DAY_MS)).toEqual({})
          // The longest span that is allowed begins before 1970.
          for (const kind of ["deliveries", "sandbox", "answers"] as const) {
            expect(yield* freeAll(kind, 36_500 * DAY_MS)).toEqual({})
          }
          expect(yield* freeAll("deliveries")).toEqual({ deliveries: 2 })
          expect(idsOf(yield* logOf(own.webhookId))).toEqual([waiting.deliveryId, again.deliveryId])
          expect(yield* freeAll("deliveries")).toEqual({})
          const gone = yield* Effect.flip(redeliverTo(own, test.deliveryId))
          expect(gone._tag).toBe("DeliveryNotFound")
          yield* expectSound
        })
    )

    it.effect("frees no more in one step than it is asked to look at, and says where to go on", () =>
      Effect.gen(function* () {
        const retention = yield* Retention
        const { caller } = yield* buyer()
        const own = yield* scopedSubscription(caller)
        yield* freeAll("deliveries")
        for (const { deliveryId } of yield* queueTests(own, 7)) yield* recordOutcome(deliveryId, answered(200))
        const before = (yield* retention.freed()).find(({ table }) => table === "deliveries")?.rows ?? 0
        const kind = "deliveries" as const
        const first = yield* retention.free({ kind, spanMs: ANY_END, limit: 3, after: null })
        expect(first.freed).toEqual({ deliveries: 3 })
        expect(yield* logOf(own.webhookId)).toHaveLength(4)
        const second = yield* retention.free({ kind, spanMs: ANY_END, limit: 10, after: first.next })
        expect(second).toEqual({ freed: { deliveries: 4 }, next: null })
        const [total] = yield* retention.freed()
        expect(total).toMatchObject({ table: "deliveries", rows: before + 7 })
      })
    )
  })

  // This suite has its own store, where no other test has freed the deliveries of later events.
  storeSuite(`Retention of ${name}: disabled endpoints`, store, (it) => {
    it.effect("does not take events that a disabled endpoint missed for lost ones, once its failures are freed", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer(1_500)
        const site = yield* listSite()
        const own = yield* scopedSubscription(caller)
        yield* order(caller, { items: linksOn(site) })
        const [event] = yield* logOf(own.webhookId)
        yield* recordOutcome(event?.deliveryId ?? DeliveryId.make(""), answered(410))
        // Until the clock has passed the end of the attempt.
        yield* freeAll("deliveries", 0).pipe(Effect.repeat({ until: ({ deliveries }) => deliveries === 1 }))
        yield* order(caller, { items: linksOn(site) })
        yield* recordOutcome((yield* queueTest(own)).deliveryId, answered(200))
        yield* order(caller, { items: linksOn(site) })
        expect(yield* logOf(own.webhookId)).toHaveLength(2)
        yield* expectSound
      })
    )
  })

  storeSuite(`Retention of ${name}: sandbox`, store, (it) => {
    it.effect(
      "frees quotes with their order, links, events, payment and binding, and nothing that is live or open",
      () =>
        Effect.gen(function* () {
          const [quotes, orders] = [yield* Quotes, yield* Orders]
          const site = yield* listSite()
          const items = linksOn(site, site)
          const { caller } = yield* buyer(0, { mode: "sandbox" })
          const { caller: liveCaller } = yield* buyer(5_000)
          const live = yield* order(liveCaller, { items, ...keyed("live") })
          const own = yield* scopedSubscription(caller)
          const paid = yield* order(caller, { items, ...keyed("paid") })
          yield* pay(paid.quote)
          const given = yield* order(caller, { items })
          yield* abandon(given.quote, "agent")
          const open = yield* order(caller, { items })
          const { orderId } = (yield* quotes.byId(paid.quote.quoteId)) ?? {}

          // A delivery still carries the event of the order.
          expect(yield* freeAll("sandbox")).toEqual({ quotes: 1, events: 1 })
          const [event] = yield* logOf(own.webhookId)
          yield* recordOutcome(event?.deliveryId ?? DeliveryId.make(""), answered(200))
          yield* freeAll("deliveries")
          expect(yield* freeAll("sandbox", DAY_MS)).toEqual({})
          expect(yield* freeAll("sandbox")).toEqual({
            quotes: 1,
            bindings: 1,
            payments: 1,
            orders: 1,
            links: 2,
            events: 1
          })

          expect(yield* quotes.byId(paid.quote.quoteId)).toBeNull()
          expect(yield* quotes.byIdempotencyKey(caller, "paid")).toBeNull()
          expect(yield* orders.byId(orderId ?? OrderId.make(""))).toBeNull()
          expect(yield* quotes.byId(given.quote.quoteId)).toBeNull()
          expect((yield* quotes.byId(open.quote.quoteId))?.status).toBe("awaiting_payment")
          expect((yield* quotes.byId(live.quote.quoteId))?.status).toBe("paid")
          expect((yield* submitOrder(liveCaller, { items, ...keyed("live") })).kind).toBe("replay")
          expect((yield* submitOrder(caller, { items, ...keyed("paid") })).kind).toBe("placed")
          yield* expectSound
        })
    )

    it.effect("counts from the last move of a link, and from the expiry of what was abandoned", () =>
      Effect.gen(function* () {
        const site = yield* listSite()
        const { caller } = yield* buyer(0, { mode: "sandbox" })
        const quotes = yield* Quotes
        const wish = { items: linksOn(site), sandboxCreditCents: 500 }
        const settings = { ...plainSettings, quoteTtlMs: 1 }
        const expired = yield* order(caller, { items: linksOn(site), settings })
        yield* Effect.sleep("5 millis")
        yield* abandon(expired.quote, "expiry")
        const [moved, still] = [yield* order(caller, wish), yield* order(caller, wish)]
        yield* Effect.sleep("1 second")
        yield* moveLinkTo(moved.links[0]?.linkId ?? LinkId.make(""), "drafted")
        expect(yield* freeAll("sandbox", 700)).toMatchObject({ quotes: 2, orders: 1 })
        expect(yield* quotes.byId(expired.quote.quoteId)).toBeNull()
        const orders = yield* Orders
        expect(yield* orders.byId(still.order?.orderId ?? OrderId.make(""))).toBeNull()
        expect(yield* freeAll("sandbox")).toMatchObject({ orders: 1 })
      })
    )
  })

  storeSuite(`Retention of ${name}: answers`, store, (it) => {
    it.effect("frees the stored responses of finished quotes; their keys stay bound, and their money as it is", () =>
      Effect.gen(function* () {
        const [wallets, quotes] = [yield* Wallets, yield* Quotes]
        const site = yield* listSite()
        const items = linksOn(site)
        const { account, caller } = yield* buyer(2_000)
        const published = yield* order(caller, { items, ...keyed("published") })
        yield* moveLinkTo(published.links[0]?.linkId ?? LinkId.make(""), "published")
        const cancelled = yield* order(caller, { items, ...keyed("cancelled") })
        yield* cancelOrderById(cancelled.order?.orderId ?? OrderId.make(""))
        yield* order(caller, { items, ...keyed("under way") })
        const before = yield* wallets.of(account.accountId)

        expect(yield* freeAll("answers", DAY_MS)).toEqual({})
        expect(yield* freeAll("answers")).toEqual({ answers: 2 })
        expect(yield* freeAll("answers")).toEqual({})

        const again = (key: string) => submitOrder(caller, { items, ...keyed(key) })
        expect(yield* again("published")).toEqual({ kind: "freed", quoteId: published.quote.quoteId })
        expect(yield* again("cancelled")).toEqual({ kind: "freed", quoteId: cancelled.quote.quoteId })
        expect((yield* again("under way")).kind).toBe("replay")
        const other = yield* Effect.flip(submitOrder(caller, { items, ...keyed("published", "other") }))
        expect(other._tag).toBe("IdempotencyKeyReused")
        expect((yield* quotes.byIdempotencyKey(caller, "published"))?.quoteId).toBe(published.quote.quoteId)
        expect(yield* wallets.of(account.accountId)).toEqual(before)
        yield* expectSound
      })
    )
  })
}
