// What Deliveries tells of what waits: how much is due and since when, when the next will be, and that something was queued.
import { Clock, Effect, Queue, Stream } from "effect"
import { expect } from "vitest"
import { Deliveries } from "#core/ports/Deliveries.ts"
import {
  answered,
  claim,
  idsOf,
  queueTest,
  queueTests,
  recordOutcome,
  recordOutcomes,
  redeliverTo,
  subscribed
} from "./DeliverySteps.ts"
import { buyer } from "./ShopSetup.ts"
import { type StoreLayer, storeSuite } from "./StoreSuite.ts"

const HOUR_MS = 3_600_000

const somebody = Effect.flatMap(buyer(), ({ caller }) => subscribed(caller))

export const deliveryQueueSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`delivery queue of ${name}`, store, (it) => {
    it.effect("tells when the next is due that is not on lease", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        expect(yield* deliveries.nextDueAtMs()).toBeNull()
        const own = yield* somebody
        const { deliveryId, nextAttemptAtMs } = yield* queueTest(own)
        expect(yield* deliveries.nextDueAtMs()).toBe(nextAttemptAtMs)
        yield* claim()
        expect(yield* deliveries.nextDueAtMs()).toBeNull()
        const later = yield* recordOutcome(deliveryId, answered(503))
        expect(yield* deliveries.nextDueAtMs()).toBe(later.nextAttemptAtMs)
      })
    )

    it.effect("tells how many are due that are not on lease, and since when", () =>
      Effect.gen(function* () {
        const deliveries = yield* Deliveries
        const backlog = (aheadMs = 0) =>
          Effect.flatMap(Clock.currentTimeMillis, (nowMs) => deliveries.backlog(nowMs + aheadMs))
        expect(yield* backlog(HOUR_MS)).toEqual({ due: 0, oldestDueAtMs: null })
        const sent = [...(yield* queueTests(yield* somebody, 2)), ...(yield* queueTests(yield* somebody, 3))]
        const [first] = sent
        expect(yield* backlog()).toEqual({ due: 5, oldestDueAtMs: first?.nextAttemptAtMs })
        const [taken = ""] = idsOf(yield* claim({ limit: 1, leaseMs: 60_000 }))
        expect(yield* backlog()).toMatchObject({ due: 4 })
        expect(yield* backlog(HOUR_MS)).toEqual({ due: 5, oldestDueAtMs: first?.nextAttemptAtMs })
        yield* recordOutcome(taken, answered(500))
        expect(yield* backlog()).toMatchObject({ due: 4 })
        const { deliveryId = "" } = sent.find((one) => one.deliveryId !== taken) ?? {}
        yield* recordOutcomes([{ deliveryId, outcome: answered(200) }])
        expect(yield* backlog(HOUR_MS)).toMatchObject({ due: 4 })
      })
    )

    it.effect("knocks once it listens, and again for each that is queued or sent again", () =>
      Effect.gen(function* () {
        const { queued } = yield* Deliveries
        const own = yield* somebody
        const knocks = yield* Queue.unbounded<void>()
        yield* queued.pipe(
          Stream.runForEach(() => Queue.offer(knocks, undefined)),
          Effect.forkScoped
        )
        const knock = Effect.timeout(Queue.take(knocks), "60 seconds")
        yield* knock
        const { deliveryId } = yield* queueTest(own)
        yield* knock
        yield* redeliverTo(own, deliveryId)
        yield* knock
      })
    )
  })
