// What every store promises of Deliveries' log: everything sent to a webhook, newest first, with every attempt; and that deliveries
// are queued atomically with their event.
import { Effect } from "effect"
import { expect } from "vitest"
import { type DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import { type AttemptFault, AttemptFault as Faults } from "#core/domain/webhooks/Delivery.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { addSubscription } from "../ordering/OrderSteps.ts"
import { buyer, linksOn, listSite, order, submitOrder } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import {
  answered,
  failed,
  queueTest,
  queueTests,
  recordOutcome,
  redeliverTo,
  scopedSubscription
} from "./DeliverySteps.ts"

const log = Effect.fnUntraced(function* (webhookId: WebhookId, limit = 50, beforeId: DeliveryId | null = null) {
  const deliveries = yield* Deliveries
  return yield* deliveries.ofWebhook({ webhookId, limit, beforeId })
})

const isDialling = (fault: AttemptFault): fault is Exclude<AttemptFault, "http_status" | "redirects"> =>
  fault !== "http_status" && fault !== "redirects"

export const deliveryLogSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Deliveries of ${name}: log`, store, (it) => {
    it.effect(
      "an order queues one delivery for each of its key's webhooks that lists the event; a refused order queues none",
      () =>
        Effect.gen(function* () {
          const site = yield* listSite()
          const { caller } = yield* buyer(500)
          const { caller: otherCaller } = yield* buyer()
          const [one, other, foreign] = [
            yield* addSubscription(caller),
            yield* addSubscription(caller),
            yield* addSubscription(otherCaller)
          ]
          const { order: placed } = yield* order(caller, { items: linksOn(site) })
          expect(placed).not.toBeNull()
          yield* Effect.flip(submitOrder(caller, { items: linksOn(site), maxTotalCents: 1 }))
          const [first, second] = [yield* log(one.webhookId), yield* log(other.webhookId)]
          const delivery = { event: "order.accepted", state: "pending", attempts: [], attemptsInRun: 0 }
          expect(first.deliveries).toMatchObject([{ ...delivery, webhookId: one.webhookId, keyId: caller.keyId }])
          expect(second.deliveries).toMatchObject([delivery])
          const [a, b] = [first.deliveries[0], second.deliveries[0]]
          expect(b).toMatchObject({ eventId: a?.eventId, body: a?.body })
          expect((yield* log(foreign.webhookId)).deliveries).toEqual([])
        })
    )

    it.effect("a webhook's deliveries are listed newest first, page by page", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const own = yield* scopedSubscription(caller)
        const another = yield* scopedSubscription(caller)
        const sent = (yield* queueTests(own, 5)).toReversed()
        yield* queueTest(another)
        const first = yield* log(own.webhookId, 2)
        expect(first).toEqual({ deliveries: sent.slice(0, 2), nextBeforeId: sent[1]?.deliveryId })
        const second = yield* log(own.webhookId, 3, first.nextBeforeId)
        expect(second).toEqual({ deliveries: sent.slice(2), nextBeforeId: null })
        expect(yield* log(WebhookId.make("wh_unknown"))).toEqual({ deliveries: [], nextBeforeId: null })
      })
    )

    it.effect("every attempt is kept with its outcome, those before a redelivery too", () =>
      Effect.gen(function* () {
        const { caller } = yield* buyer()
        const own = yield* scopedSubscription(caller)
        const { deliveryId, body, eventId } = yield* queueTest(own)
        const faults = Faults.literals.filter(isDialling)
        for (const fault of faults) yield* recordOutcome(deliveryId, failed(fault))
        yield* redeliverTo(own, deliveryId)
        yield* recordOutcome(deliveryId, answered(302))
        yield* recordOutcome(deliveryId, answered(500))
        yield* recordOutcome(deliveryId, answered(204))
        const { deliveries } = yield* log(own.webhookId)
        expect(deliveries).toMatchObject([{ deliveryId, eventId, body, state: "delivered", nextAttemptAtMs: null }])
        expect(deliveries[0]?.attempts.map(({ fault, httpStatus }) => fault ?? httpStatus)).toEqual([
          ...faults,
          "redirects",
          "http_status",
          204
        ])
      })
    )
  })
