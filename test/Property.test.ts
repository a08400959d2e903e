// Properties: the number of runs, and the message of one that fails.

import { Effect } from "effect"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { asyncProperty, describeRun, effectProperty, planFrom, property } from "./Property.ts"

describe("planFrom", () => {
  it("has 1,000 runs and a fresh 32-bit seed by default", () => {
    const seeds = Array.from({ length: 20 }, () => planFrom({}).seed)
    expect(planFrom({}).runs).toBe(1_000)
    expect(seeds.every((seed) => seed === (seed | 0))).toBe(true)
    expect(new Set(seeds).size).toBeGreaterThan(1)
  })

  it("raises the runs anywhere, and lowers them except in CI", () => {
    expect(planFrom({ PROPERTY_RUNS: "5000" }).runs).toBe(5_000)
    expect(planFrom({ PROPERTY_RUNS: "5000", CI: "true" }).runs).toBe(5_000)
    expect(planFrom({ PROPERTY_RUNS: "50" }).runs).toBe(50)
    expect(planFrom({ PROPERTY_RUNS: "50", CI: "true" }).runs).toBe(1_000)
  })

  it("uses a given seed", () => {
    expect(planFrom({ PROPERTY_SEED: "-42" }).seed).toBe(-42)
  })

  it.each([{ PROPERTY_RUNS: "many" }, { PROPERTY_RUNS: "0" }, { PROPERTY_RUNS: "1e3" }, { PROPERTY_SEED: "0.5" }])(
    "refuses %o",
    (env) => {
      expect(() => planFrom(env)).toThrow(/^PROPERTY_(RUNS|SEED) must be/)
    }
  )
})

describe("describeRun", () => {
  const below = (limit: number) => fc.property(fc.nat(), (n) => n < limit)

  it("reports runs and seed of a property that held", () => {
    const details = fc.check(below(Number.POSITIVE_INFINITY), { numRuns: 1_234, seed: 7 })
    expect(describeRun("naturals end", details)).toBe("property naturals end: 1234 runs, seed 7")
  })

  it("throws seed, path and smallest counterexample of one that did not", () => {
    const details = fc.check(below(10), { numRuns: 1_000, seed: 7 })
    const check = () => describeRun("naturals are small", details)
    expect(check).toThrow("property naturals are small: failed, seed 7 (PROPERTY_SEED=7 repeats it)")
    expect(check).toThrow(`{ seed: 7, path: "${details.counterexamplePath}"`)
    expect(check).toThrow("Counterexample: [10]")
  })

  it("keeps what the predicate threw as the cause", () => {
    const broken = new Error("broken")
    const throwing = fc.property(fc.nat(), () => {
      throw broken
    })
    expect(() => describeRun("throws", fc.check(throwing))).toThrow(expect.objectContaining({ cause: broken }))
  })

  it("fails a property whose cases were nearly all discarded", () => {
    const picky = fc.property(fc.nat(), (n) => fc.pre(n < 0))
    expect(() => describeRun("picky", fc.check(picky))).toThrow(/^property picky: failed/)
  })

  it("finds the same counterexample again from the seed", () => {
    const first = fc.check(below(1_000), { numRuns: 1_000, seed: 99 })
    const second = fc.check(below(1_000), { numRuns: 1_000, seed: 99 })
    expect(first.failed).toBe(true)
    expect(second.counterexamplePath).toBe(first.counterexamplePath)
  })
})

describe("registered properties", () => {
  const runs = { plain: 0, async: 0, effect: 0 }

  property("adding commutes", [fc.integer(), fc.integer()], (a, b) => {
    runs.plain++
    expect(a + b).toBe(b + a)
  })

  asyncProperty("promises keep their value", [fc.string()], async (text) => {
    runs.async++
    return (await Promise.resolve(text)) === text
  })

  effectProperty("effects keep their value", [fc.string(), fc.nat()], (text, n) =>
    Effect.map(Effect.succeed([text, n] as const), ([sameText, sameN]) => {
      runs.effect++
      return sameText === text && sameN === n
    })
  )

  afterAll(() => {
    const planned = planFrom(process.env).runs
    expect(runs).toEqual({ plain: planned, async: planned, effect: planned })
  })
})
