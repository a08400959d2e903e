// What a test run prints at its end, below the default reporter's summary: the slowest files, and as its last line `N passed, N failed`,
// which CI reads.

import type { Reporter } from "vitest/node"

export interface RunCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** The part of vitest's `TestModule` that is read here, so that tests can write one by hand. */
export interface RanModule {
  readonly relativeModuleId: string
  /** `duration` is the time of the tests and hooks, in milliseconds. */
  readonly diagnostic: () => { readonly duration: number }
  readonly errors: () => ReadonlyArray<unknown>
  readonly children: {
    readonly allTests: () => Iterable<{ readonly result: () => { readonly state: string } }>
    readonly allSuites: () => Iterable<{ readonly errors: () => ReadonlyArray<unknown> }>
  }
}

/**
 * Counts tests, and as failures also what fails outside any test: a file that does not load, a suite whose hook throws,
 * an unhandled error. Otherwise a red run could read "0 failed".
 */
export const countsOf = (modules: ReadonlyArray<RanModule>, unhandledErrors: number): RunCounts => {
  const states = modules.flatMap(({ children }) => Array.from(children.allTests(), (test) => test.result().state))
  const count = (state: string) => states.filter((each) => each === state).length
  const outsideTests = modules
    .flatMap((module) => [module, ...module.children.allSuites()])
    .filter((place) => place.errors().length > 0).length
  return {
    passed: count("passed"),
    failed: count("failed") + outsideTests + unhandledErrors,
    skipped: count("skipped") + count("pending")
  }
}

export const describeCounts = ({ passed, failed, skipped }: RunCounts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`

const SLOWEST = 10

/** One line for each of the slowest files, the slowest first: `  12.3 s  test/adapters/postgres/Kills.pg.test.ts`. */
export const describeSlowest = (modules: ReadonlyArray<RanModule>): string =>
  modules
    .map((module) => ({ file: module.relativeModuleId, seconds: module.diagnostic().duration / 1_000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${file}\n`)
    .join("")

/** True of a run without any test, which must not pass; vitest itself passes a run of skipped tests. */
export const ranNothing = ({ passed, failed }: RunCounts): boolean => passed + failed === 0

export class RunSummary implements Reporter {
  #lastLines: string | undefined

  onInit(): void {
    // Other reporters print until the very end, and the counts must be the last line.
    process.once("exit", () => {
      if (this.#lastLines !== undefined) process.stdout.write(this.#lastLines)
    })
  }

  onTestRunEnd(modules: ReadonlyArray<RanModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const counts = countsOf(modules, unhandledErrors.length)
    this.#lastLines = `The slowest files:\n${describeSlowest(modules)}${describeCounts(counts)}\n`
    if (ranNothing(counts)) process.exitCode = 1
  }
}
