// What every store promises of Deliveries' claims: one claimer per delivery at a time, fairly among endpoints, and never a delivery
// that is delivered, dropped or leased.
import { Effect } from "effect"
import { expect } from "vitest"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import { DeliveryId } from "#core/domain/shared/Ids.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { outboxPromises } from "../OutboxPromises.ts"
import { revokeSubscription } from "../ordering/OrderSteps.ts"
import { actor } from "../ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "../StoreSuite.ts"
import {
  answered,
  claim,
  countFor,
  failed,
  idsOf,
  newSubscription,
  queueTest,
  queueTests,
  recordOutcome,
  recordOutcomes,
  redeliverTo
} from "./DeliverySteps.ts"

const HOUR_MS = 3_600_000

const claimingSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Deliveries of ${name}: claims`, store, (it) => {
    outboxPromises(
      it,
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const own = yield* newSubscription
        return {
          add: Effect.map(queueTest(own), ({ deliveryId }) => [deliveryId]),
          claim: (query) =>
            Effect.map(deliveries.claim({ ...query, perEndpoint: 100 }), (claimed) =>
              claimed.map(({ delivery: { deliveryId } }) => ({
                ids: [deliveryId],
                done: recordOutcome(deliveryId, answered(200)),
                release: deliveries.release([deliveryId]),
                fail: Effect.map(
                  recordOutcome(deliveryId, answered(500)),
                  ({ nextAttemptAtMs }) => nextAttemptAtMs ?? 0
                )
              }))
            )
        }
      })
    )

    it.effect("return due deliveries with their subscription", () =>
      Effect.gen(function* () {
        const own = yield* newSubscription
        const sent = yield* queueTests(own, 3)
        const claimed = yield* claim()
        expect(claimed.map(({ delivery }) => delivery)).toEqual(sent)
        expect(new Set(claimed.map(({ subscription }) => subscription.webhookId))).toEqual(new Set([own.webhookId]))
        expect(claimed[0]?.subscription).toMatchObject({ sealedSigningKey: "sealed", url: "https://hooks.example/in" })
      })
    )

    it.effect("made concurrently return every delivery exactly once", () =>
      Effect.gen(function* () {
        const endpoints = yield* Effect.all(times(5, () => newSubscription))
        const sent = (yield* Effect.forEach(endpoints, (one) => queueTests(one, 12))).flat()
        const shares = yield* concurrently(times(12, () => claim({ limit: 7 })))
        const ids = idsOf(shares.flat())
        expect(new Set(ids).size).toBe(ids.length)
        const rest = idsOf(yield* claim())
        expect([...ids, ...rest].sort()).toEqual(sent.map(({ deliveryId }) => deliveryId).sort())
      })
    )

    it.effect("return the longest due first, and at most the limit", () =>
      Effect.gen(function* () {
        const own = yield* newSubscription
        const sent = yield* queueTests(own, 5)
        const ids = sent.map(({ deliveryId }) => deliveryId)
        expect(idsOf(yield* claim({ limit: 2 }))).toEqual(ids.slice(0, 2))
        expect(idsOf(yield* claim({ limit: 2 }))).toEqual(ids.slice(2, 4))
        expect(yield* claim({ limit: 0 })).toEqual([])
      })
    )

    it.effect("end when a redelivery is requested", () =>
      Effect.gen(function* () {
        const own = yield* newSubscription
        const [, second = DeliveryId.make("")] = (yield* queueTests(own, 2)).map(({ deliveryId }) => deliveryId)
        yield* claim()
        yield* redeliverTo(own, second)
        expect(idsOf(yield* claim())).toEqual([second])
      })
    )
  })

const fairnessSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Deliveries of ${name}: fairness`, store, (it) => {
    it.effect("an endpoint has at most its maximum on lease, earlier claims included", () =>
      Effect.gen(function* () {
        const own = yield* newSubscription
        yield* queueTests(own, 10)
        expect(yield* claim({ perEndpoint: 4 })).toHaveLength(4)
        expect(yield* claim({ perEndpoint: 4 })).toHaveLength(0)
        expect(yield* claim({ perEndpoint: 6 })).toHaveLength(2)
      })
    )

    it.effect("a failing endpoint has one delivery on lease at a time, until one succeeds", () =>
      Effect.gen(function* () {
        const own = yield* newSubscription
        const [first] = yield* queueTests(own, 6)
        yield* claim({ limit: 1 })
        yield* recordOutcome(first?.deliveryId ?? DeliveryId.make(""), failed("timeout"))
        const [only, ...none] = yield* claim()
        expect(none).toEqual([])
        expect(yield* claim()).toEqual([])
        yield* recordOutcome(only?.delivery.deliveryId ?? DeliveryId.make(""), answered(200))
        expect(yield* claim()).toHaveLength(4)
      })
    )

    it.effect("one endpoint's backlog does not delay another endpoint", () =>
      Effect.gen(function* () {
        const [busy, quiet, late] = [yield* newSubscription, yield* newSubscription, yield* newSubscription]
        yield* queueTests(busy, 30)
        yield* queueTests(quiet, 2)
        const first = yield* claim({ limit: 10 })
        expect([countFor(busy, first), countFor(quiet, first)]).toEqual([8, 2])
        yield* queueTests(late, 3)
        const second = yield* claim({ limit: 5 })
        expect([countFor(busy, second), countFor(late, second)]).toEqual([2, 3])
      })
    )
  })

const endingsSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Deliveries of ${name}: ended endpoints`, store, (it) => {
    it.effect("a deleted webhook, or one whose key was revoked, has nothing to claim", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const [deleted, revoked, kept] = [yield* newSubscription, yield* newSubscription, yield* newSubscription]
        for (const one of [deleted, revoked, kept]) yield* queueTests(one, 2)
        yield* revokeSubscription(deleted.caller, deleted.webhookId)
        const { keyId } = revoked.caller
        yield* book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
        const claimed = yield* claim()
        expect(claimed).toHaveLength(2)
        expect(countFor(kept, claimed)).toBe(2)
      })
    )

    it.effect("a 410 drops everything pending at the endpoint, leased deliveries included", () =>
      Effect.gen(function* () {
        const own = yield* newSubscription
        const [first, second] = yield* queueTests(own, 3)
        yield* claim({ limit: 2 })
        yield* recordOutcome(first?.deliveryId ?? DeliveryId.make(""), answered(410))
        expect(yield* recordOutcome(second?.deliveryId ?? DeliveryId.make(""), answered(200))).toMatchObject({
          state: "dropped",
          attempts: []
        })
        expect(yield* claim({ aheadMs: 48 * HOUR_MS })).toEqual([])
      })
    )

    it.effect("a 410 recorded together with other outcomes drops everything pending at the endpoint", () =>
      Effect.gen(function* () {
        const [own, other] = [yield* newSubscription, yield* newSubscription]
        const [failing, fine, gone, untouched] = (yield* queueTests(own, 4)).map(({ deliveryId }) => deliveryId)
        const { deliveryId: elsewhere } = yield* queueTest(other)
        yield* claim()
        const made = [
          [failing, 500],
          [fine, 204],
          [elsewhere, 503],
          [gone, 410],
          [untouched, 200]
        ] as const
        const noted = yield* recordOutcomes(
          made.map(([deliveryId = DeliveryId.make(""), status]) => ({ deliveryId, outcome: answered(status) }))
        )
        expect(noted.map(({ state, attempts }) => [state, attempts.length])).toEqual([
          ["dropped", 1],
          ["delivered", 1],
          ["pending", 1],
          ["failed", 1],
          ["dropped", 0]
        ])
        const { ofWebhook } = yield* Deliveries
        const log = yield* ofWebhook({ webhookId: own.webhookId, limit: 10, beforeId: null })
        expect(log.deliveries.map(({ state }) => state).sort()).toEqual(["delivered", "dropped", "dropped", "failed"])
        expect(idsOf(yield* claim({ aheadMs: 48 * HOUR_MS }))).toEqual([elsewhere])
      })
    )
  })

export const deliveriesSuite = (name: string, store: StoreLayer): void => {
  claimingSuite(name, store)
  fairnessSuite(name, store)
  endingsSuite(name, store)
}
