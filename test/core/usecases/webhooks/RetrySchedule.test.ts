// The times of attempts, to the millisecond, on a test clock.
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import type { Outcome } from "#core/domain/webhooks/Delivery.ts"
import { PLANNED_WAITS_MS } from "#core/domain/webhooks/DeliverySchedule.ts"
import { answered, failed, queueTest } from "#test/core/ports/webhooks/DeliverySteps.ts"
import { createEndpoint, DelivererHarness, layer, scriptedSender } from "./DelivererHarness.ts"

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const started = Effect.gen(function* () {
  const harness = yield* DelivererHarness
  yield* harness.start
  return { ...harness, own: yield* createEndpoint("https://hooks.example/in") }
})

describe("the schedule", () => {
  const failing = scriptedSender(() => answered(500))

  it.effect("is 0, 30 s, 1, 2, 4, 8, 16, 32 min, 2, 6 and 24 h, ±20 %; each attempt exactly on time, then none", () =>
    Effect.gen(function* () {
      const { nextMove, own } = yield* started
      const { createdAtMs, eventId, body } = yield* queueTest(own)
      let plannedAtMs = createdAtMs
      for (const [index] of PLANNED_WAITS_MS.entries()) {
        const { attempts, nextAttemptAtMs, state } = yield* nextMove
        expect(attempts).toHaveLength(index + 1)
        expect(attempts.at(-1)).toEqual({ atMs: plannedAtMs, httpStatus: 500, fault: "http_status", durationMs: 0 })
        const plannedWaitMs = PLANNED_WAITS_MS[index + 1]
        if (plannedWaitMs === undefined) {
          expect([state, nextAttemptAtMs]).toEqual(["failed", null])
          break
        }
        expect(state).toBe("pending")
        const dueAtMs = nextAttemptAtMs ?? 0
        expect((dueAtMs - plannedAtMs) / plannedWaitMs).toBeGreaterThanOrEqual(0.8)
        expect((dueAtMs - plannedAtMs) / plannedWaitMs).toBeLessThanOrEqual(1.2)
        plannedAtMs = dueAtMs
        yield* TestClock.setTime(dueAtMs - 1)
        expect(failing.sent).toHaveLength(index + 1)
        yield* TestClock.setTime(dueAtMs)
        expect(failing.sent).toHaveLength(index + 2)
      }
      yield* TestClock.adjust("25 hours")
      expect(failing.sent).toHaveLength(11)
      expect(PLANNED_WAITS_MS.map((ms) => ms / SECOND_MS)).toEqual([
        0, 30, 60, 120, 240, 480, 960, 1_920, 7_200, 21_600, 86_400
      ])
      // Every attempt has the same body and event, and its own signature.
      expect(new Set(failing.sent.map((one) => new TextDecoder().decode(one.body)))).toEqual(new Set([body]))
      expect(new Set(failing.sent.map(({ headers }) => headers["service-delivery"]))).toEqual(new Set([eventId]))
      for (const { atMs, headers } of failing.sent) {
        expect(headers["service-signature"]).toMatch(new RegExp(`^t=${Math.floor(atMs / 1_000)},v1=[0-9a-f]{64}$`))
      }
    }).pipe(Effect.provide(layer(failing.layer)))
  )
})

describe("the jitter", () => {
  const failing = scriptedSender(() => answered(500))

  it.effect("uses the full ±20 %, and differs between deliveries", () =>
    Effect.gen(function* () {
      const { nextMove, own } = yield* started
      const waits: Array<number> = []
      for (let n = 0; n < 300; n++) {
        yield* queueTest(own)
        const { attempts, nextAttemptAtMs } = yield* nextMove
        waits.push((nextAttemptAtMs ?? 0) - (attempts[0]?.atMs ?? 0))
      }
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(24_000)
      expect(Math.max(...waits)).toBeLessThanOrEqual(36_000)
      // 300 uniform samples leave a sixth of the range at either end empty once in 10^23 runs.
      expect(Math.min(...waits)).toBeLessThan(26_000)
      expect(Math.max(...waits)).toBeGreaterThan(34_000)
    }).pipe(Effect.provide(layer(failing.layer)))
  )
})

describe("Retry-After", () => {
  it.effect.each([
    ["less than planned", 0, 30_000],
    ["a date that has passed", 0, 30_000],
    ["between one and two times the wait", 45_000, 45_000],
    ["more than twice the wait", 61_000, 60_000],
    ["absurd", 99_999_999_999_999_000, 60_000]
  ] as const)("%s: obeyed between one and two times the planned wait, to the millisecond", ([, asked, waitMs]) => {
    const busy = scriptedSender(
      (): Outcome => ({ kind: "answered", httpStatus: 503, retryAfterMs: asked, durationMs: 0 })
    )
    return Effect.gen(function* () {
      const { nextMove, own } = yield* started
      const { createdAtMs } = yield* queueTest(own)
      expect((yield* nextMove).nextAttemptAtMs).toBe(createdAtMs + waitMs)
      yield* TestClock.setTime(createdAtMs + waitMs - 1)
      expect(busy.sent).toHaveLength(1)
      yield* TestClock.setTime(createdAtMs + waitMs)
      expect(busy.sent).toHaveLength(2)
    }).pipe(Effect.provide(layer(busy.layer)))
  })
})

describe("a slow attempt", () => {
  const slow = scriptedSender(() => Effect.as(Effect.sleep("10 seconds"), { ...failed("timeout"), durationMs: 10_000 }))

  it.effect("does not shift the schedule, which counts from the start of attempts", () =>
    Effect.gen(function* () {
      const { nextMove, own } = yield* started
      const { createdAtMs } = yield* queueTest(own)
      yield* slow.next
      yield* TestClock.adjust("10 seconds")
      const { attempts, nextAttemptAtMs } = yield* nextMove
      expect(attempts).toEqual([{ atMs: createdAtMs, httpStatus: null, fault: "timeout", durationMs: 10_000 }])
      const waitMs = (nextAttemptAtMs ?? 0) - createdAtMs
      expect(waitMs).toBeGreaterThanOrEqual(24_000)
      expect(waitMs).toBeLessThanOrEqual(36_000)
    }).pipe(Effect.provide(layer(slow.layer)))
  )
})

describe("a local fault", () => {
  const lame = scriptedSender((): Outcome => ({ kind: "local_fault", durationMs: 0 }))

  it.effect("counts neither as an attempt nor as a failure, and is retried soon, then ever less often", () =>
    Effect.gen(function* () {
      const { nextMove, own, subscription } = yield* started
      const { createdAtMs } = yield* queueTest(own)
      const waits: Array<number> = []
      let atMs = createdAtMs
      while (atMs < createdAtMs + 2 * HOUR_MS) {
        const { attempts, attemptsInRun, state, nextAttemptAtMs } = yield* nextMove
        expect([attempts, attemptsInRun, state]).toEqual([[], 0, "pending"])
        waits.push((nextAttemptAtMs ?? 0) - atMs)
        atMs = nextAttemptAtMs ?? 0
        yield* TestClock.setTime(atMs)
      }
      expect(waits.slice(0, 4)).toEqual([5_000, 5_000, 5_000, 5_000])
      expect(waits).toEqual(waits.toSorted((a, b) => a - b))
      expect(waits.at(-1)).toBe(5 * MINUTE_MS)
      expect(waits.length).toBeLessThan(50)
      expect(subscription(own.webhookId)?.health).toMatchObject({ consecutiveFailures: 0, lastAttempt: null })
    }).pipe(Effect.provide(layer(lame.layer)))
  )
})

describe("between attempts", () => {
  it.effect("the deliverer rarely polls, and still starts a queued delivery at once", () => {
    const quick = scriptedSender(() => answered(200))
    return Effect.gen(function* () {
      const { nextMove, own, claims } = yield* started
      const before = claims()
      yield* TestClock.adjust("10 minutes")
      // One claim every five seconds, at both ends of the ten minutes too.
      expect(claims() - before).toBeLessThanOrEqual(121)
      const { createdAtMs } = yield* queueTest(own)
      expect(yield* nextMove).toMatchObject({ state: "delivered", attempts: [{ atMs: createdAtMs }] })
      expect(quick.sent.map(({ atMs }) => atMs)).toEqual([createdAtMs])
    }).pipe(Effect.provide(layer(quick.layer)))
  })
})
