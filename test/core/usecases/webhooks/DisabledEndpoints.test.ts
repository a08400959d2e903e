// What disables endpoints and ends deliveries: 410, five days of failures, deletion, a revoked key; and how they recover.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { showWebhookRecord } from "#adapters/contract/webhooks/Webhooks.ts"
import { revokeKey } from "#core/decisions/access/Keys.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { revokeSubscription } from "#test/core/ports/ordering/OrderSteps.ts"
import { answered, queueTest, redeliverTo } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { createEndpoint, DelivererHarness, layer, type OwnedEndpoint, scriptedSender } from "./DelivererHarness.ts"

const DAY_MS = 86_400_000

const given = Effect.gen(function* () {
  const harness = yield* DelivererHarness
  const own = yield* createEndpoint("https://hooks.example/in")
  const shown = () => {
    const subscription = harness.subscription(own.webhookId)
    return subscription === undefined ? undefined : showWebhookRecord(subscription)
  }
  return { ...harness, own, shown }
})

const started = Effect.tap(given, ({ start }) => start)

const endDeliveries = Effect.fnUntraced(function* ({ caller, webhookId }: OwnedEndpoint, by: "deletion" | "key") {
  if (by === "deletion") return yield* revokeSubscription(caller, webhookId)
  const book = yield* OrderBook
  const { keyId } = caller
  return yield* book.transact({ _tag: "ForKey", keyId }, revokeKey(keyId, null))
})

describe("a 410 response", () => {
  const gone = scriptedSender((_, index) => answered(index === 0 ? 500 : 410))

  it.effect("disables the endpoint at once, visibly, and drops its pending deliveries", () =>
    Effect.gen(function* () {
      const { nextMove, delivery, own, shown } = yield* started
      const first = yield* queueTest(own)
      yield* nextMove
      expect(shown()).toMatchObject({ status: "failing", consecutive_failures: 1, last_delivery: { http_status: 500 } })
      const second = yield* queueTest(own)
      expect(yield* nextMove).toMatchObject({ deliveryId: second.deliveryId, state: "failed", nextAttemptAtMs: null })
      expect(delivery(first.deliveryId)).toMatchObject({ state: "dropped", nextAttemptAtMs: null })
      expect(shown()).toMatchObject({
        status: "disabled",
        active: false,
        consecutive_failures: 2,
        last_delivery: { event: "webhook.test", http_status: 410, error: "http_status" }
      })
      yield* TestClock.adjust("1 hour")
      expect(gone.sent).toHaveLength(2)
    }).pipe(Effect.provide(layer(gone.layer)))
  )
})

// No deliverer runs while days pass, because it would look for due deliveries every five seconds of them.
describe("five days of failures only", () => {
  const failing = scriptedSender(() => answered(503))

  it.effect("disable an endpoint, and not one failure sooner", () =>
    Effect.gen(function* () {
      const { start, nextMove, delivery, own, shown } = yield* given
      const { createdAtMs } = yield* queueTest(own)
      yield* Effect.scoped(Effect.andThen(start, nextMove))
      yield* TestClock.setTime(createdAtMs + 5 * DAY_MS - 1)
      const late = yield* queueTest(own)
      yield* start
      while ((delivery(late.deliveryId)?.attempts.length ?? 0) === 0) yield* nextMove
      expect(delivery(late.deliveryId)?.attempts).toMatchObject([{ atMs: createdAtMs + 5 * DAY_MS - 1 }])
      expect(shown()?.status).toBe("failing")
      yield* TestClock.adjust(1)
      const last = yield* queueTest(own)
      while (shown()?.status !== "disabled") yield* nextMove
      expect(shown()).toMatchObject({ status: "disabled", last_delivery: { http_status: 503 } })
      expect(delivery(late.deliveryId)?.state).toBe("dropped")
      expect(delivery(last.deliveryId)?.state).toBe("dropped")
    }).pipe(Effect.provide(layer(failing.layer)))
  )
})

describe("one success", () => {
  const recovering = scriptedSender(({ atMs }) => answered(atMs === recoversAtMs ? 200 : 500))
  let recoversAtMs = 0

  it.effect("between failures restarts the five days", () =>
    Effect.gen(function* () {
      const { start, nextMove, own, shown } = yield* given
      const untilMoved = (deliveryId: string) =>
        Effect.repeat(nextMove, { until: (one) => one.deliveryId === deliveryId })
      const { createdAtMs } = yield* queueTest(own)
      yield* Effect.scoped(Effect.andThen(start, nextMove))
      recoversAtMs = createdAtMs + 4 * DAY_MS
      yield* TestClock.setTime(recoversAtMs)
      const { deliveryId } = yield* queueTest(own)
      yield* Effect.scoped(Effect.andThen(start, untilMoved(deliveryId)))
      expect(shown()).toMatchObject({ status: "active", consecutive_failures: 0, last_delivery: { http_status: 200 } })
      yield* TestClock.setTime(createdAtMs + 5 * DAY_MS)
      const later = yield* queueTest(own)
      yield* start
      yield* untilMoved(later.deliveryId)
      expect(shown()).toMatchObject({ status: "failing", consecutive_failures: 1 })
    }).pipe(Effect.provide(layer(recovering.layer)))
  )
})

describe("a disabled endpoint", () => {
  const mended = scriptedSender((_, index) => answered(index === 0 ? 410 : 200))

  it.effect("is enabled by a successful test, and its old deliveries can be redelivered", () =>
    Effect.gen(function* () {
      const { nextMove, own, shown } = yield* started
      const { deliveryId } = yield* queueTest(own)
      yield* nextMove
      expect(shown()?.status).toBe("disabled")
      yield* queueTest(own)
      yield* nextMove
      expect(shown()).toMatchObject({ status: "active", consecutive_failures: 0 })
      yield* redeliverTo(own, deliveryId)
      // The redelivery is queued, and then delivered.
      expect(yield* nextMove).toMatchObject({ deliveryId, state: "pending", attemptsInRun: 0 })
      expect(yield* nextMove).toMatchObject({
        deliveryId,
        state: "delivered",
        attempts: [{ httpStatus: 410 }, { httpStatus: 200 }]
      })
    }).pipe(Effect.provide(layer(mended.layer)))
  )
})

describe("a redelivery", () => {
  const failing = scriptedSender(() => answered(500))

  it.effect("restarts the full schedule, with the same event and body", () =>
    Effect.gen(function* () {
      const { nextMove, own } = yield* started
      const { deliveryId, eventId, body } = yield* queueTest(own)
      yield* nextMove
      yield* TestClock.adjust("10 seconds")
      const { nextAttemptAtMs: againAtMs } = yield* redeliverTo(own, deliveryId)
      yield* nextMove
      const { attemptsInRun, attempts, nextAttemptAtMs } = yield* nextMove
      expect([attemptsInRun, attempts.length]).toEqual([1, 2])
      const waitMs = (nextAttemptAtMs ?? 0) - (againAtMs ?? 0)
      expect([waitMs >= 24_000, waitMs <= 36_000]).toEqual([true, true])
      for (const sent of failing.sent) {
        expect(sent.headers["service-delivery"]).toBe(eventId)
        expect(new TextDecoder().decode(sent.body)).toBe(body)
      }
    }).pipe(Effect.provide(layer(failing.layer)))
  )
})

describe.each(["deletion", "key"] as const)("the end of a webhook by %s", (by) => {
  const failing = scriptedSender(() => answered(500))

  it.effect("drops its pending deliveries, which are never sent", () =>
    Effect.gen(function* () {
      const { nextMove, delivery, own } = yield* started
      const { deliveryId } = yield* queueTest(own)
      yield* nextMove
      yield* endDeliveries(own, by)
      expect(delivery(deliveryId)).toMatchObject({ state: "dropped", nextAttemptAtMs: null })
      yield* TestClock.adjust("12 hours")
      expect(failing.sent).toHaveLength(1)
    }).pipe(Effect.provide(layer(failing.layer)))
  )
})
