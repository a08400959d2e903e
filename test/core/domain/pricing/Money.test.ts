// Rounding and allocation, compared with their definitions in exact integers.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { allocate, formatEur, percentOf, plainEur, sum } from "#core/domain/pricing/Money.ts"
import { basisPoints, cents } from "#test/core/Arbitraries.ts"
import { property } from "#test/Property.ts"

describe("sum", () => {
  it("adds up, from nothing", () => {
    expect(sum([])).toBe(0)
    expect(sum([1, 20, 300])).toBe(321)
    expect(sum(new Set([5, 6]))).toBe(11)
  })
})

describe("percentOf", () => {
  it.each([
    [2_600, 2_000, 520],
    [0, 2_000, 0],
    [100, 0, 0],
    [1_999, 10_000, 1_999],
    [1, 5_000, 1], // half a cent goes up
    [1, 4_999, 0],
    [3, 5_000, 2],
    [145, 1_000, 15],
    [1_150, 1_500, 173], // 172.5; 11.5 × 0.15 in binary is a little less
    [1_005, 1_000, 101], // 100.5
    [999, 1_234, 123], // 123.2766
    [9_007_199_254_740_991, 10_000, 9_007_199_254_740_991]
  ])("of %i cents, %i basis points are %i cents", (amount, rate, expected) => {
    expect(percentOf(amount, rate)).toBe(expected)
  })

  property("rounds half up: the exact share lies in [result − ½, result + ½)", [cents, basisPoints], (amount, rate) => {
    const result = BigInt(percentOf(amount, rate))
    const twiceExact = 2n * BigInt(amount) * BigInt(rate)
    expect((2n * result - 1n) * 10_000n).toBeLessThanOrEqual(twiceExact)
    expect(twiceExact).toBeLessThan((2n * result + 1n) * 10_000n)
  })
})

/** Largest remainder by definition: quotas rounded down, then one cent each to those with the largest remainders. */
const clerk = (amount: number, weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const total = BigInt(weights.reduce((all, weight) => all + weight, 0))
  const shares = weights.map((weight) => (BigInt(amount) * BigInt(weight)) / total)
  const short = weights.map((weight, i) => BigInt(amount) * BigInt(weight) - (shares[i] ?? 0n) * total)
  for (let left = BigInt(amount) - shares.reduce((all, share) => all + share, 0n); left > 0n; left--) {
    const most = short.toSorted((a, b) => (a > b ? -1 : 1))[0] ?? 0n
    const first = short.indexOf(most)
    shares[first] = (shares[first] ?? 0n) + 1n
    short[first] = -1n
  }
  return shares.map(Number)
}

const someWeights = fc.array(fc.oneof(cents, fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 20 })
const portion = fc
  .tuple(
    someWeights.filter((weights) => sum(weights) > 0),
    fc.integer({ min: 0, max: 1_000 })
  )
  .map(([weights, permille]) => ({ weights, amount: Math.floor((sum(weights) * permille) / 1_000) }))

describe("allocate", () => {
  it.each([
    ["evenly", 100, [500, 500], [50, 50]],
    ["a cent over to the first of equals", 100, [500, 500, 500], [34, 33, 33]],
    ["two cents over to the first two of equals", 101, [500, 500, 500], [34, 34, 33]],
    ["by remainder, not by place", 10, [333, 333, 334], [3, 3, 4]],
    ["by remainder, not by weight", 10, [51, 30, 19], [5, 3, 2]],
    ["nothing to a weight of nothing", 7, [0, 5, 0, 5], [0, 4, 0, 3]],
    ["everything", 1_030, [500, 30, 500], [500, 30, 500]],
    ["nothing at all", 0, [1, 2, 3], [0, 0, 0]],
    ["among weights of nothing", 0, [0, 0], [0, 0]],
    ["without weights", 0, [], []]
  ])("%s", (_, amount, weights, expected) => {
    expect(allocate(amount, weights)).toEqual(expected)
  })

  property("adds up to the amount, and no share exceeds its weight", [portion], ({ amount, weights }) => {
    const shares = allocate(amount, weights)
    expect(sum(shares)).toBe(amount)
    expect(shares.length).toBe(weights.length)
    shares.forEach((share, index) => {
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThanOrEqual(weights[index] ?? 0)
    })
  })

  property("allocates by largest remainder, ties in order", [portion], ({ amount, weights }) => {
    expect(allocate(amount, weights)).toEqual(clerk(amount, weights))
  })
})

describe("formatEur and plainEur", () => {
  it.each([
    [0, "0.00 EUR", "0.00 EUR"],
    [5, "0.05 EUR", "0.05 EUR"],
    [99_999, "999.99 EUR", "999.99 EUR"],
    [100_000, "1,000.00 EUR", "1000.00 EUR"],
    [-123_400, "-1,234.00 EUR", "-1234.00 EUR"],
    [123_456_789, "1,234,567.89 EUR", "1234567.89 EUR"]
  ])("write %i cents as %s for people and as %s for programs", (amount, forPeople, plain) => {
    expect([formatEur(amount), plainEur(amount)]).toEqual([forPeople, plain])
  })
})
