// The daily order cap of a key, and the bounds of a UTC day.
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { checkCap, noUsage } from "#core/domain/ordering/DailyCap.ts"
import { dayEndsAtMs, utcDay } from "#core/domain/shared/DecisionContext.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { NOON } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const MIDNIGHT = Date.UTC(2026, 4, 5)

const used = (quotes: number) => ({ ...noUsage(KeyId.make("key_1"), utcDay(NOON)), quotes })

describe("a UTC day", () => {
  it("begins and ends at midnight", () => {
    expect(utcDay(MIDNIGHT - 1)).toBe(utcDay(NOON))
    expect(utcDay(MIDNIGHT)).toBe(utcDay(NOON) + 1)
    expect(dayEndsAtMs(utcDay(NOON))).toBe(MIDNIGHT)
    expect(utcDay(0)).toBe(0)
  })

  const instants = fc.integer({ min: 0, max: Date.UTC(2100, 0) })

  property("is the calendar day, and ends where the next one begins", [instants], (atMs) => {
    const day = utcDay(atMs)
    const ends = dayEndsAtMs(day)
    expect(new Date(ends).toISOString()).toMatch(/T00:00:00\.000Z$/)
    expect(new Date(ends - 1).toISOString().slice(0, 10)).toBe(new Date(atMs).toISOString().slice(0, 10))
    expect([utcDay(ends - 1), utcDay(ends)]).toEqual([day, day + 1])
  })
})

describe("checkCap", () => {
  it("starts with nothing used", () => {
    expect(noUsage(KeyId.make("key_1"), 5)).toEqual({ keyId: "key_1", day: 5, quotes: 0, spentCents: 0 })
  })

  it("allows the last quote of the day and refuses the next until midnight", () => {
    expect(Result.isSuccess(checkCap(used(19), 20, NOON))).toBe(true)
    const refused = checkCap(used(20), 20, NOON)
    if (Result.isSuccess(refused)) throw new Error("it went through")
    expect({ ...refused.failure }).toMatchObject({
      _tag: "DailyCapReached",
      limit: 20,
      used: 20,
      resetsAtMs: MIDNIGHT,
      retryAfterSeconds: 12 * 60 * 60
    })
  })

  it.each([0, -1])("a limit of %i is none", (limit) => {
    expect(Result.isSuccess(checkCap(used(1_000), limit, NOON))).toBe(true)
  })

  const leftMs = fc.integer({ min: 1, max: MIDNIGHT - NOON })

  property(
    "returns the shortest retry time in whole seconds that is not before the end of the day",
    [leftMs],
    (left) => {
      const refused = checkCap(used(1), 1, MIDNIGHT - left)
      if (Result.isSuccess(refused)) throw new Error("it went through")
      const { retryAfterSeconds, resetsAtMs } = refused.failure
      expect(resetsAtMs).toBe(MIDNIGHT)
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(1)
      expect(retryAfterSeconds * 1_000).toBeGreaterThanOrEqual(left)
      expect((retryAfterSeconds - 1) * 1_000).toBeLessThan(left)
    }
  )

  const few = fc.integer({ min: 0, max: 40 })

  property("refuses exactly from the limit on", [few, fc.integer({ min: 1, max: 40 })], (quotes, limit) => {
    expect(Result.isFailure(checkCap(used(quotes), limit, NOON))).toBe(quotes >= limit)
  })
})
