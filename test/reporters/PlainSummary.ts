// Owns the last line of a test run: `N passed, N failed`, in plain words that any CI can read.
// Everything above that line is the default reporter's.

import type { Reporter } from "vitest/node"

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** What the tally needs to know of a vitest module; said here so that tests can make one by hand. */
export interface RanModule {
  readonly errors: () => ReadonlyArray<unknown>
  readonly children: {
    readonly allTests: () => Iterable<{ readonly result: () => { readonly state: string } }>
    readonly allSuites: () => Iterable<{ readonly errors: () => ReadonlyArray<unknown> }>
  }
}

/**
 * Counts tests, and as failures also what fails outside any test: a file that does not load, a suite whose hook throws,
 * an error nobody caught. Otherwise a red run could read "0 failed".
 */
export const tallyOf = (modules: ReadonlyArray<RanModule>, unhandledErrors: number): Tally => {
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

export const describeTally = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`

/** A run in which no test ran proves nothing, so it must not pass; vitest itself lets a run of skipped tests through. */
export const ranNothing = ({ passed, failed }: Tally): boolean => passed + failed === 0

export class PlainSummary implements Reporter {
  #tally: Tally | undefined

  onInit(): void {
    // Only at the very end is it certain that no other reporter has anything left to say.
    process.once("exit", () => {
      if (this.#tally !== undefined) process.stdout.write(`${describeTally(this.#tally)}\n`)
    })
  }

  onTestRunEnd(modules: ReadonlyArray<RanModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    this.#tally = tallyOf(modules, unhandledErrors.length)
    if (ranNothing(this.#tally)) process.exitCode = 1
  }
}
