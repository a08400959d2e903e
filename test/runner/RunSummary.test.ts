// The end of a run: its last line counts every failure, inside tests and outside them, and above it are the slowest files.

import { describe, expect, it } from "vitest"
import { countsOf, describeCounts, describeSlowest, type RanModule, ranNothing } from "./RunSummary.ts"

const ran = (
  states: ReadonlyArray<string>,
  broken: { readonly module?: boolean; readonly suites?: ReadonlyArray<boolean> } = {},
  { file = "test/A.test.ts", duration = 1 } = {}
): RanModule => {
  const errors = (isBroken: boolean) => () => (isBroken ? [new Error("broken")] : [])
  return {
    relativeModuleId: file,
    diagnostic: () => ({ duration }),
    errors: errors(broken.module === true),
    children: {
      allTests: () => states.map((state) => ({ result: () => ({ state }) })),
      allSuites: () => (broken.suites ?? []).map((isBroken) => ({ errors: errors(isBroken) }))
    }
  }
}

describe("countsOf", () => {
  it("adds up the tests of all files", () => {
    const modules = [ran(["passed", "passed", "failed"]), ran(["passed", "skipped"]), ran(["pending"])]
    expect(countsOf(modules, 0)).toEqual({ passed: 3, failed: 1, skipped: 2 })
  })

  it("counts a file that did not load, a suite whose hook threw, and unhandled errors", () => {
    expect(countsOf([ran([], { module: true })], 0).failed).toBe(1)
    expect(countsOf([ran(["skipped"], { suites: [false, true] })], 0).failed).toBe(1)
    expect(countsOf([ran(["passed"])], 2)).toEqual({ passed: 1, failed: 2, skipped: 0 })
  })
})

describe("describeCounts", () => {
  it("mentions skipped tests only if there are any", () => {
    expect(describeCounts({ passed: 7, failed: 0, skipped: 0 })).toBe("7 passed, 0 failed")
    expect(describeCounts({ passed: 7, failed: 2, skipped: 1 })).toBe("7 passed, 2 failed, 1 skipped")
  })
})

describe("describeSlowest", () => {
  const took = (file: string, duration: number) => ran(["passed"], {}, { file, duration })

  it("lists ten files at most, the slowest first, in seconds", () => {
    expect(describeSlowest([took("test/A.test.ts", 40), took("test/B.test.ts", 12_345)])).toBe(
      "  12.3 s  test/B.test.ts\n   0.0 s  test/A.test.ts\n"
    )
    const many = Array.from({ length: 30 }, (_, nth) => took(`test/${nth}.test.ts`, nth * 1_000))
    expect(describeSlowest(many).split("\n").length).toBe(11)
    expect(describeSlowest(many)).toMatch(/^ {2}29\.0 s .*\n {2}28\.0 s /)
  })
})

describe("ranNothing", () => {
  it("is true of no tests and of skipped tests alone", () => {
    expect(ranNothing(countsOf([], 0))).toBe(true)
    expect(ranNothing(countsOf([ran(["skipped"])], 0))).toBe(true)
    expect(ranNothing(countsOf([ran(["passed"])], 0))).toBe(false)
    expect(ranNothing(countsOf([ran([], { module: true })], 0))).toBe(false)
  })
})
