// What Deliveries promises to senders: each delivery is claimed by one of them at a time, fairly among endpoints, and what is
// over, ended or somebody else's is never claimed. Its log is in DeliveryLog.suite.ts, what it tells of its queue in DeliveryQueue.suite.ts.
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { revokeKey } from "#core/decisions/Keys.ts"
import { Deliveries } from "#core/ports/Deliveries.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import {
  answered,
  claim,
  countFor,
  failed,
  idsOf,
  queueTest,
  queueTests,
  recordOutcome,
  recordOutcomes,
  redeliverTo,
  subscribed
} from "./DeliverySteps.ts"
import { unsubscribeFrom } from "./OrderSteps.ts"
import { actor, buyer } from "./ShopSetup.ts"
import { concurrently, type StoreLayer, storeSuite, times } from "./StoreSuite.ts"

const HOUR_MS = 3_600_000

const somebody = Effect.flatMap(buyer(), ({ caller }) => subscribed(caller))

const claimingSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`claims of ${name}`, store, (it) => {
    it.effect("hand out what is due, with its subscription, and to one claimer only", () =>
      Effect.gen(function* () {
        const own = yield* somebody
        const sent = yield* queueTests(own, 3)
        const claimed = yield* claim()
        expect(claimed.map(({ delivery }) => delivery)).toEqual(sent)
        expect(new Set(claimed.map(({ subscription }) => subscription.webhookId))).toEqual(new Set([own.webhookId]))
        expect(claimed[0]?.subscription).toMatchObject({ sealedSigningKey: "sealed", url: "https://hooks.example/in" })
        expect(yield* claim()).toEqual([])
      })
    )

    it.effect("made at the same time share nothing and leave nothing", () =>
      Effect.gen(function* () {
        const endpoints = yield* Effect.all(times(5, () => somebody))
        const sent = (yield* Effect.forEach(endpoints, (one) => queueTests(one, 12))).flat()
        const shares = yield* concurrently(times(12, () => claim({ limit: 7 })))
        const ids = idsOf(shares.flat())
        expect(new Set(ids).size).toBe(ids.length)
        const rest = idsOf(yield* claim())
        expect([...ids, ...rest].sort()).toEqual(sent.map(({ deliveryId }) => deliveryId).sort())
      })
    )

    it.effect("are the longest due first, and no more than asked for", () =>
      Effect.gen(function* () {
        const own = yield* somebody
        const sent = yield* queueTests(own, 5)
        const ids = sent.map(({ deliveryId }) => deliveryId)
        expect(idsOf(yield* claim({ limit: 2 }))).toEqual(ids.slice(0, 2))
        expect(idsOf(yield* claim({ limit: 2 }))).toEqual(ids.slice(2, 4))
        expect(yield* claim({ limit: 0 })).toEqual([])
      })
    )

    it.effect("end with their lease, with being given back, or with being moved", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const own = yield* somebody
        const sent = yield* queueTests(own, 3)
        const [, second, third] = sent.map(({ deliveryId }) => deliveryId)
        yield* claim({ leaseMs: 60_000 })
        expect(yield* claim({ aheadMs: 50_000 })).toEqual([])
        yield* deliveries.release([second ?? ""])
        expect(idsOf(yield* claim())).toEqual([second])
        yield* redeliverTo(own, third ?? "")
        expect(idsOf(yield* claim())).toEqual([third])
        expect(yield* claim({ aheadMs: 61_000 })).toHaveLength(3)
      })
    )

    it.effect("wait for the time that a failed attempt was put off to", () =>
      Effect.gen(function* () {
        const own = yield* somebody
        const { deliveryId } = yield* queueTest(own)
        yield* claim({ leaseMs: HOUR_MS })
        const { nextAttemptAtMs } = yield* recordOutcome(deliveryId, answered(500))
        const waitMs = (nextAttemptAtMs ?? 0) - (yield* Clock.currentTimeMillis)
        expect(waitMs).toBeGreaterThan(20_000)
        expect(yield* claim({ aheadMs: 20_000 })).toEqual([])
        expect(idsOf(yield* claim({ aheadMs: 37_000 }))).toEqual([deliveryId])
      })
    )

    it.effect("are of nothing that is over", () =>
      Effect.gen(function* () {
        const own = yield* somebody
        const { deliveryId } = yield* queueTest(own)
        yield* claim()
        yield* recordOutcome(deliveryId, answered(204))
        expect(yield* claim({ aheadMs: 48 * HOUR_MS })).toEqual([])
      })
    )
  })

const fairnessSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`fairness of ${name}`, store, (it) => {
    it.effect("an endpoint has so many out and no more, those of earlier claims included", () =>
      Effect.gen(function* () {
        const own = yield* somebody
        yield* queueTests(own, 10)
        expect(yield* claim({ perEndpoint: 4 })).toHaveLength(4)
        expect(yield* claim({ perEndpoint: 4 })).toHaveLength(0)
        expect(yield* claim({ perEndpoint: 6 })).toHaveLength(2)
      })
    )

    it.effect("an endpoint that fails is tried one at a time, until it does not", () =>
      Effect.gen(function* () {
        const own = yield* somebody
        const [first] = yield* queueTests(own, 6)
        yield* claim({ limit: 1 })
        yield* recordOutcome(first?.deliveryId ?? "", failed("timeout"))
        const [only, ...none] = yield* claim()
        expect(none).toEqual([])
        expect(yield* claim()).toEqual([])
        yield* recordOutcome(only?.delivery.deliveryId ?? "", answered(200))
        expect(yield* claim()).toHaveLength(4)
      })
    )

    it.effect("nobody waits behind another's backlog", () =>
      Effect.gen(function* () {
        const [busy, quiet, late] = [yield* somebody, yield* somebody, yield* somebody]
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
  storeSuite(`endings of ${name}`, store, (it) => {
    it.effect("31: nothing is sent to a webhook that was deleted, or whose key was revoked", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const [deleted, revoked, kept] = [yield* somebody, yield* somebody, yield* somebody]
        for (const one of [deleted, revoked, kept]) yield* queueTests(one, 2)
        yield* unsubscribeFrom(deleted.caller, deleted.webhookId)
        const { keyId } = revoked.caller
        yield* book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, actor))
        const claimed = yield* claim()
        expect(claimed).toHaveLength(2)
        expect(countFor(kept, claimed)).toBe(2)
      })
    )

    it.effect("30: 410 ends what was pending there, also what is out", () =>
      Effect.gen(function* () {
        const own = yield* somebody
        const [first, second] = yield* queueTests(own, 3)
        yield* claim({ limit: 2 })
        yield* recordOutcome(first?.deliveryId ?? "", answered(410))
        expect(yield* recordOutcome(second?.deliveryId ?? "", answered(200))).toMatchObject({
          state: "dropped",
          attempts: []
        })
        expect(yield* claim({ aheadMs: 48 * HOUR_MS })).toEqual([])
      })
    )

    it.effect("30: so it does where several are noted together: what they moved, and what they did not, is over", () =>
      Effect.gen(function* () {
        const [own, other] = [yield* somebody, yield* somebody]
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
          made.map(([deliveryId = "", status]) => ({ deliveryId, outcome: answered(status) }))
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
