// Shows that the last line of a run counts everything that went wrong, inside tests and outside them.

import { describe, expect, it } from "vitest"
import { describeTally, type RanModule, ranNothing, tallyOf } from "./PlainSummary.ts"

const ran = (
  states: ReadonlyArray<string>,
  broken: { readonly module?: boolean; readonly suites?: ReadonlyArray<boolean> } = {}
): RanModule => {
  const errors = (isBroken: boolean) => () => (isBroken ? [new Error("broken")] : [])
  return {
    errors: errors(broken.module === true),
    children: {
      allTests: () => states.map((state) => ({ result: () => ({ state }) })),
      allSuites: () => (broken.suites ?? []).map((isBroken) => ({ errors: errors(isBroken) }))
    }
  }
}

describe("tallyOf", () => {
  it("adds up the tests of all files", () => {
    const modules = [ran(["passed", "passed", "failed"]), ran(["passed", "skipped"]), ran(["pending"])]
    expect(tallyOf(modules, 0)).toEqual({ passed: 3, failed: 1, skipped: 2 })
  })

  it("counts a file that did not load, a suite whose hook threw, and errors nobody caught", () => {
    expect(tallyOf([ran([], { module: true })], 0).failed).toBe(1)
    expect(tallyOf([ran(["skipped"], { suites: [false, true] })], 0).failed).toBe(1)
    expect(tallyOf([ran(["passed"])], 2)).toEqual({ passed: 1, failed: 2, skipped: 0 })
  })
})

describe("describeTally", () => {
  it("mentions skipped tests only if there are any", () => {
    expect(describeTally({ passed: 7, failed: 0, skipped: 0 })).toBe("7 passed, 0 failed")
    expect(describeTally({ passed: 7, failed: 2, skipped: 1 })).toBe("7 passed, 2 failed, 1 skipped")
  })
})

describe("ranNothing", () => {
  it("is true of no tests and of skipped tests alone", () => {
    expect(ranNothing(tallyOf([], 0))).toBe(true)
    expect(ranNothing(tallyOf([ran(["skipped"])], 0))).toBe(true)
    expect(ranNothing(tallyOf([ran(["passed"])], 0))).toBe(false)
    expect(ranNothing(tallyOf([ran([], { module: true })], 0))).toBe(false)
  })
})
