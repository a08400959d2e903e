// The effect of the outcome of an attempt on its delivery and its endpoint.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AccountId, DeliveryId, EventId, KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import {
  type Attempt,
  AttemptFault,
  afterAttempt,
  attemptOf,
  type Delivery,
  type Outcome
} from "#core/domain/webhooks/Delivery.ts"
import { DISABLE_AFTER_MS } from "#core/domain/webhooks/DeliverySchedule.ts"
import { endpointStatus, healthAfter, healthy } from "#core/domain/webhooks/EndpointHealth.ts"
import { property } from "#test/Property.ts"

const NOW_MS = Date.UTC(2027, 5, 1, 12)

const delivery = (over: Partial<Delivery> = {}): Delivery => ({
  deliveryId: DeliveryId.make("dlv_1"),
  webhookId: WebhookId.make("wh_1"),
  accountId: AccountId.make("acc_1"),
  keyId: KeyId.make("key_1"),
  mode: "live",
  eventId: EventId.make("evt_1"),
  event: "order.accepted",
  body: "{}",
  createdAtMs: NOW_MS,
  state: "pending",
  attempts: [],
  attemptsInRun: 0,
  nextAttemptAtMs: NOW_MS,
  ...over
})

const answered = (httpStatus: number, over: { readonly retryAfterMs?: number; readonly durationMs?: number } = {}) =>
  ({ kind: "answered", httpStatus, retryAfterMs: null, durationMs: 0, ...over }) satisfies Outcome

const attempt = (over: Partial<Attempt> = {}): Attempt => ({
  atMs: NOW_MS,
  httpStatus: 500,
  fault: "http_status",
  durationMs: 0,
  ...over
})

const good = attempt({ httpStatus: 200, fault: null })

describe("an attempt", () => {
  property("succeeds exactly with a 2xx", [fc.integer({ min: 100, max: 599 })], (status) => {
    const { fault, httpStatus } = attemptOf(answered(status), NOW_MS)
    const expected = status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? "redirects" : "http_status"
    expect([fault, httpStatus]).toEqual([expected, status])
  })

  it("is dated by its start", () => {
    expect(attemptOf({ kind: "failed", fault: "timeout", durationMs: 10_000 }, NOW_MS)).toEqual({
      atMs: NOW_MS - 10_000,
      httpStatus: null,
      fault: "timeout",
      durationMs: 10_000
    })
  })

  it("has one fault for every kind of failure", () => {
    expect(new Set(AttemptFault.literals).size).toBe(AttemptFault.literals.length)
  })
})

describe("a delivery after an attempt", () => {
  it("ends with a 2xx, a 410, or the eleventh attempt", () => {
    const over = { nextAttemptAtMs: null, attemptsInRun: 1 }
    expect(afterAttempt(delivery(), answered(204), NOW_MS, 0.5)).toMatchObject({ ...over, state: "delivered" })
    expect(afterAttempt(delivery(), answered(410), NOW_MS, 0.5)).toMatchObject({ ...over, state: "failed" })
    const tenth = delivery({ attemptsInRun: 10, attempts: Array.from({ length: 10 }, () => attempt()) })
    expect(afterAttempt(tenth, answered(500), NOW_MS, 0.5)).toMatchObject({ state: "failed", nextAttemptAtMs: null })
  })

  it("keeps its newest fifty attempts", () => {
    const all = Array.from({ length: 120 }, (_, n) => answered(n % 11 === 10 ? 204 : 500, { durationMs: n }))
    const sentAgain = (one: Delivery): Delivery => ({ ...one, state: "pending", attemptsInRun: 0 })
    const kept = all.reduce((one, outcome) => afterAttempt(sentAgain(one), outcome, NOW_MS, 0.5), delivery()).attempts
    expect(kept).toEqual(all.slice(-50).map((outcome) => attemptOf(outcome, NOW_MS)))
  })

  it("waits from the start of the attempt, and at least Retry-After from its end", () => {
    const slow = { durationMs: 8_000 }
    expect(afterAttempt(delivery(), answered(500, slow), NOW_MS, 0.5).nextAttemptAtMs).toBe(NOW_MS - 8_000 + 30_000)
    const asking = answered(503, { ...slow, retryAfterMs: 40_000 })
    expect(afterAttempt(delivery(), asking, NOW_MS, 0.5).nextAttemptAtMs).toBe(NOW_MS + 40_000)
  })

  property(
    "with a local fault only moves its time: by a quarter of the time lost, between 5 s and 5 min",
    [fc.integer({ min: 0, max: 100_000_000 })],
    (lostMs) => {
      const before = delivery({ createdAtMs: NOW_MS - lostMs })
      const { nextAttemptAtMs, ...rest } = afterAttempt(before, { kind: "local_fault", durationMs: 3_000 }, NOW_MS, 0.5)
      const { nextAttemptAtMs: _, ...unchanged } = before
      expect(rest).toEqual(unchanged)
      const waitMs = (nextAttemptAtMs ?? 0) - NOW_MS
      expect(waitMs).toBe(Math.min(300_000, Math.max(5_000, Math.round(lostMs / 4))))
    }
  )
})

describe("an endpoint", () => {
  const fail = (atMs: number, status = 500) => attempt({ atMs, httpStatus: status })

  it("counts failures since the last success", () => {
    const once = healthAfter(healthy, fail(NOW_MS), "order.accepted")
    const twice = healthAfter(once, fail(NOW_MS + 1), "order.published")
    expect(twice).toEqual({
      isPaused: false,
      consecutiveFailures: 2,
      failingSinceMs: NOW_MS,
      disabledAtMs: null,
      lastAttempt: { ...fail(NOW_MS + 1), event: "order.published" }
    })
    expect(endpointStatus(twice)).toBe("failing")
    const well = healthAfter(twice, good, "webhook.test")
    expect(well).toEqual({ ...healthy, lastAttempt: { ...good, event: "webhook.test" } })
    expect(endpointStatus(well)).toBe("active")
  })

  it("is disabled after exactly five days of failures, until a success", () => {
    const first = healthAfter(healthy, fail(NOW_MS), "order.accepted")
    const nearly = healthAfter(first, fail(NOW_MS + DISABLE_AFTER_MS - 1), "order.accepted")
    expect(endpointStatus(nearly)).toBe("failing")
    const disabled = healthAfter(nearly, fail(NOW_MS + DISABLE_AFTER_MS), "order.accepted")
    expect([endpointStatus(disabled), disabled.disabledAtMs]).toEqual(["disabled", NOW_MS + DISABLE_AFTER_MS])
    const later = healthAfter(disabled, fail(NOW_MS + DISABLE_AFTER_MS + 1), "webhook.test")
    expect(later.disabledAtMs).toBe(NOW_MS + DISABLE_AFTER_MS)
    expect(endpointStatus(healthAfter(later, good, "webhook.test"))).toBe("active")
  })

  it("is disabled by a 410 at once", () => {
    expect(healthAfter(healthy, fail(NOW_MS, 410), "order.accepted").disabledAtMs).toBe(NOW_MS)
  })
})
