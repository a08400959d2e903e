// What every store promises of Retention beside concurrent changes of the same records: each is freed whole or kept whole.
import { Effect, Result } from "effect"
import { expect } from "vitest"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { type Delivery, MAX_REDELIVERIES } from "#core/domain/webhooks/Delivery.ts"
import { Orders } from "#core/ports/ordering/Orders.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import { addSubscription, moveLinkTo } from "../ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order, submitOrder } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import {
  answered,
  queueTests,
  recordOutcome,
  redeliverTo,
  requestTest,
  scopedSubscription
} from "../webhooks/DeliverySteps.ts"
import { ANY_END, expectSound, freeAll, idsOf, keyed, logOf } from "./RetentionSteps.ts"

export const retentionRacesSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Retention of ${name}: races`, store, (it) => {
    it.effect("a redelivery that is in time keeps its delivery; every other finds nothing", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const own = yield* scopedSubscription(caller)
        const ended = yield* queueTests(own, MAX_REDELIVERIES)
        for (const { deliveryId } of ended) yield* recordOutcome(deliveryId, answered(200))
        const redeliver = ({ deliveryId }: Delivery) => Effect.result(redeliverTo(own, deliveryId))
        const [redelivered] = yield* Effect.all(
          [concurrently(ended.map(redeliver)), concurrently(times(6, () => freeAll("deliveries", ANY_END, 7)))],
          { concurrency: 2 }
        )
        const kept = redelivered.flatMap((result) => (Result.isSuccess(result) ? [result.success.deliveryId] : []))
        for (const result of redelivered) {
          if (Result.isFailure(result)) expect(result.failure._tag).toBe("DeliveryNotFound")
        }
        const left = yield* logOf(own.webhookId)
        expect([...idsOf(left)].sort()).toEqual(expect.arrayContaining([...kept].sort()))
        expect(left.filter(({ state }) => state === "pending")).toHaveLength(kept.length)
        yield* freeAll("deliveries")
        expect(yield* logOf(own.webhookId)).toHaveLength(kept.length)
        yield* expectSound
      })
    )

    it.effect("tests of a webhook are queued, and stay, while its earlier ones are freed", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const own = yield* scopedSubscription(caller)
        for (const { deliveryId } of yield* queueTests(own, 10)) yield* recordOutcome(deliveryId, answered(200))
        const [made] = yield* Effect.all(
          [concurrently(times(10, () => requestTest(own))), concurrently(times(4, () => freeAll("deliveries")))],
          { concurrency: 2 }
        )
        yield* freeAll("deliveries")
        expect([...idsOf(yield* logOf(own.webhookId))].sort()).toEqual([...idsOf(made)].sort())
        yield* expectSound
      })
    )

    it.effect("a replay gets the stored response or the present state, never a second order", () =>
      Effect.gen(function* () {
        const quotes = yield* Quotes
        const site = yield* listSite()
        const items = linksOn(site)
        const { caller } = yield* buyer(20_000)
        const keys = times(15, (index) => `key ${index}`)
        const placed = yield* Effect.all(keys.map((key) => order(caller, { items, ...keyed(key) })))
        for (const { links } of placed) yield* moveLinkTo(links[0]?.linkId ?? LinkId.make(""), "published")
        const replay = (key: string) => submitOrder(caller, { items, ...keyed(key) })
        const [replies] = yield* Effect.all(
          [concurrently([...keys, ...keys].map(replay)), concurrently(times(4, () => freeAll("answers", ANY_END, 4)))],
          { concurrency: 2 }
        )
        const quoteIds = placed.map(({ quote }) => quote.quoteId)
        for (const [index, reply] of replies.entries()) {
          expect(["replay", "freed"]).toContain(reply.kind)
          if (reply.kind !== "placed") expect(reply.quoteId).toBe(quoteIds[index % keys.length])
        }
        yield* freeAll("answers")
        for (const [index, key] of keys.entries()) {
          expect(yield* replay(key)).toEqual({ kind: "freed", quoteId: quoteIds[index] })
          expect((yield* quotes.byIdempotencyKey(caller, key))?.quoteId).toBe(quoteIds[index])
        }
        yield* expectSound
      })
    )

    it.effect("a sandbox order that moves at the same moment is freed whole or not at all", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const site = yield* listSite()
        const { caller } = yield* buyer(0, { mode: "sandbox" })
        const wish = { items: linksOn(site, site), sandboxCreditCents: 1_000 }
        const placed = yield* Effect.all(times(12, (index) => order(caller, { ...wish, ...keyed(`key ${index}`) })))
        yield* addSubscription(caller, { events: ["order.published"] })
        const move = ({ links }: (typeof placed)[number]) =>
          Effect.result(moveLinkTo(links[0]?.linkId ?? LinkId.make(""), "published"))
        const [moved] = yield* Effect.all(
          [concurrently(placed.map(move)), concurrently(times(4, () => freeAll("sandbox", ANY_END, 3)))],
          { concurrency: 2 }
        )
        for (const [index, result] of moved.entries()) {
          const found = yield* orders.byId(placed[index]?.order?.orderId ?? OrderId.make(""))
          // What moved has a delivery that is pending, and stays for it.
          expect(found !== null).toBe(Result.isSuccess(result))
          if (Result.isFailure(result)) expect(result.failure._tag).toBe("LinkNotFound")
        }
        yield* freeAll("sandbox")
        yield* expectSound
      })
    )
  })
