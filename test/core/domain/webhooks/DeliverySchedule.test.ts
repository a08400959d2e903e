// The retry schedule: the plan, its jitter, and what a Retry-After can request.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nextWaitMs, PLANNED_WAITS_MS, parseRetryAfter } from "#core/domain/webhooks/DeliverySchedule.ts"
import { property } from "#test/Property.ts"

const attemptsMade = fc.integer({ min: 1, max: PLANNED_WAITS_MS.length - 1 })
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const plannedAfter = (made: number): number => PLANNED_WAITS_MS[made] ?? Number.NaN

describe("the next wait", () => {
  property("is the planned one ± 20 %", [attemptsMade, fraction], (made, random) => {
    const waitMs = nextWaitMs(made, random, null) ?? Number.NaN
    expect(Number.isInteger(waitMs)).toBe(true)
    expect(waitMs).toBeGreaterThanOrEqual(plannedAfter(made) * 0.8)
    expect(waitMs).toBeLessThanOrEqual(plannedAfter(made) * 1.2)
  })

  property(
    "is what Retry-After requests, between one and two times the planned one, without jitter",
    [attemptsMade, fraction, fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })],
    (made, random, askedMs) => {
      const planned = plannedAfter(made)
      const waitMs = nextWaitMs(made, random, askedMs)
      expect(waitMs).toBe(askedMs < planned ? planned : askedMs > 2 * planned ? 2 * planned : askedMs)
    }
  )

  it("spreads evenly from 0.8 to 1.2", () => {
    expect([0, 0.25, 0.5, 0.75].map((random) => nextWaitMs(1, random, null))).toEqual([24_000, 27_000, 30_000, 33_000])
  })

  it("does not exist after the last attempt, whatever Retry-After says", () => {
    expect(PLANNED_WAITS_MS.length).toBe(11)
    expect(nextWaitMs(11, 0.5, null)).toBeNull()
    expect(nextWaitMs(11, 0.5, 1_000)).toBeNull()
  })
})

describe("Retry-After", () => {
  const NOW_MS = Date.UTC(2027, 5, 1, 12)

  it.each([
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["Tue, 01 Jun 2027 12:01:30 GMT", 90_000],
    ["Tue, 01 Jun 2027 11:59:59 GMT", 0]
  ])("%j is %i ms", (text, ms) => expect(parseRetryAfter(text, NOW_MS)).toBe(ms))

  it.each([
    undefined,
    "",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x10",
    "١٢",
    "1234567890123456",
    "soon",
    "2027-06-01T12:01:30Z",
    "Tue, 01 Jun 2027 12:01:30",
    "Tuesday, 01-Jun-27 12:01:30 GMT",
    "Tue, 41 Jun 2027 12:01:30 GMT",
    "Tue, 01 Foo 2027 12:01:30 GMT"
  ])("%j is ignored", (text) => expect(parseRetryAfter(text, NOW_MS)).toBeNull())

  property("is null or a whole number of milliseconds from 0, for any text", [fc.string()], (text) => {
    const ms = parseRetryAfter(text, NOW_MS)
    expect(ms === null || (Number.isInteger(ms) && ms >= 0)).toBe(true)
  })
})
