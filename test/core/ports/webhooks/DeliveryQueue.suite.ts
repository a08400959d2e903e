// What every store promises of Deliveries' queue: its backlog, the time of the next due delivery, and notifications.
import { Clock, Effect, Queue, Stream } from "effect"
import { expect } from "vitest"
import { DeliveryId } from "#core/domain/shared/Ids.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { type StoreLayer, storeSuite } from "../StoreSuite.ts"
import {
  answered,
  claim,
  idsOf,
  newSubscription,
  queueTest,
  queueTests,
  recordOutcome,
  recordOutcomes,
  redeliverTo
} from "./DeliverySteps.ts"

const HOUR_MS = 3_600_000

export const deliveryQueueSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Deliveries of ${name}: queue`, store, (it) => {
    it.effect("returns when the next delivery that is not on lease is due", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        expect(yield* deliveries.nextDueAtMs()).toBeNull()
        const own = yield* newSubscription
        const { deliveryId, nextAttemptAtMs } = yield* queueTest(own)
        expect(yield* deliveries.nextDueAtMs()).toBe(nextAttemptAtMs)
        yield* claim()
        expect(yield* deliveries.nextDueAtMs()).toBeNull()
        const later = yield* recordOutcome(deliveryId, answered(503))
        expect(yield* deliveries.nextDueAtMs()).toBe(later.nextAttemptAtMs)
      })
    )

    it.effect("returns how many deliveries are due and not on lease, and since when", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const backlog = (aheadMs = 0) =>
          Effect.flatMap(Clock.currentTimeMillis, (nowMs) => deliveries.backlog(nowMs + aheadMs))
        expect(yield* backlog(HOUR_MS)).toEqual({ due: 0, oldestDueAtMs: null })
        const sent = [
          ...(yield* queueTests(yield* newSubscription, 2)),
          ...(yield* queueTests(yield* newSubscription, 3))
        ]
        const [first] = sent
        expect(yield* backlog()).toEqual({ due: 5, oldestDueAtMs: first?.nextAttemptAtMs })
        const [taken = DeliveryId.make("")] = idsOf(yield* claim({ limit: 1, leaseMs: 60_000 }))
        expect(yield* backlog()).toMatchObject({ due: 4 })
        expect(yield* backlog(HOUR_MS)).toEqual({ due: 5, oldestDueAtMs: first?.nextAttemptAtMs })
        yield* recordOutcome(taken, answered(500))
        expect(yield* backlog()).toMatchObject({ due: 4 })
        const { deliveryId = DeliveryId.make("") } = sent.find((one) => one.deliveryId !== taken) ?? {}
        yield* recordOutcomes([{ deliveryId, outcome: answered(200) }])
        expect(yield* backlog(HOUR_MS)).toMatchObject({ due: 4 })
      })
    )

    it.effect("notifies once when it begins to listen, and again for each queued or redelivered delivery", () =>
      Effect.gen(function* () {
        const { queued } = yield* Deliveries
        const own = yield* newSubscription
        const notifications = yield* Queue.unbounded<void>()
        yield* queued.pipe(
          Stream.runForEach(() => Queue.offer(notifications, undefined)),
          Effect.forkScoped
        )
        const nextNotification = Effect.timeout(Queue.take(notifications), "60 seconds")
        yield* nextNotification
        const { deliveryId } = yield* queueTest(own)
        yield* nextNotification
        yield* redeliverTo(own, deliveryId)
        yield* nextNotification
      })
    )
  })
