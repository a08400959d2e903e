// How properties run: 1,000 cases each unless PROPERTY_RUNS says otherwise, with a printed seed that repeats the run.

import { Effect } from "effect"
import fc from "fast-check"
import { it } from "vitest"

export interface Plan {
  /** How many generated cases a property must survive. */
  readonly runs: number
  /** 32 bits; the same seed generates the same cases. */
  readonly seed: number
}

const leastRuns = 1_000
const timeoutMillisPerThousandRuns = 240_000

const integer = (name: string, text: string): number => {
  if (!/^-?\d+$/.test(text)) throw new Error(`${name} must be an integer, not ${JSON.stringify(text)}`)
  return Number(text)
}

/**
 * PROPERTY_RUNS raises the number of runs, or lowers it on a developer's machine, never where CI=true.
 * PROPERTY_SEED repeats a run; without it every property gets a fresh seed.
 */
export const planFrom = (env: Readonly<Record<string, string | undefined>>): Plan => {
  const { PROPERTY_RUNS = "", PROPERTY_SEED = "", CI } = env
  const runs = PROPERTY_RUNS === "" ? leastRuns : integer("PROPERTY_RUNS", PROPERTY_RUNS)
  if (runs < 1) throw new Error("PROPERTY_RUNS must be at least 1: a property without a case shows nothing")
  const fresh = Math.floor(Math.random() * 2 ** 32) | 0
  return {
    runs: CI === "true" ? Math.max(runs, leastRuns) : runs,
    seed: PROPERTY_SEED === "" ? fresh : integer("PROPERTY_SEED", PROPERTY_SEED)
  }
}

/** The line for a property that held; throws, with seed, path and counterexample, for one that did not. */
export const describeRun = <Values>(name: string, details: fc.RunDetails<Values>): string => {
  if (details.failed) {
    const repeat = `property ${name}: failed, seed ${details.seed} (PROPERTY_SEED=${details.seed} repeats it)`
    throw new Error(`${repeat}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance })
  }
  return `property ${name}: ${details.numRuns} runs, seed ${details.seed}`
}

const parameters = ({ runs, seed }: Plan) => ({ numRuns: runs, seed })

const register = (name: string, check: (plan: Plan) => string | Promise<string>) => {
  const plan = planFrom(process.env)
  const timeout = Math.ceil(plan.runs / 1_000) * timeoutMillisPerThousandRuns
  it(name, { timeout }, async () => console.log(await check(plan)))
}

type Arbitraries<Values extends [unknown, ...Array<unknown>]> = readonly [
  ...{ [K in keyof Values]: fc.Arbitrary<Values[K]> }
]

/** False or a throw breaks the property; `undefined` upholds it, because assertions return it. */
// biome-ignore lint/suspicious/noConfusingVoidType: undefined would refuse predicates that end in an assertion
export type Outcome = boolean | void

/** Registers a test: whatever the arbitraries generate, the predicate neither throws nor returns false. */
export const property = <Values extends [unknown, ...Array<unknown>]>(
  name: string,
  arbitraries: Arbitraries<Values>,
  predicate: (...values: Values) => Outcome
): void =>
  register(name, (plan) =>
    describeRun(name, fc.check(fc.property<Values>(...arbitraries, predicate), parameters(plan)))
  )

/** Like {@link property}, for a predicate that returns a promise. Cases run one after the other. */
export const asyncProperty = <Values extends [unknown, ...Array<unknown>]>(
  name: string,
  arbitraries: Arbitraries<Values>,
  predicate: (...values: Values) => Promise<Outcome>
): void =>
  register(name, async (plan) =>
    describeRun(name, await fc.check(fc.asyncProperty<Values>(...arbitraries, predicate), parameters(plan)))
  )

/** Like {@link property}, for a predicate that returns an effect: its failure or defect breaks the property. */
export const effectProperty = <Values extends [unknown, ...Array<unknown>], E>(
  name: string,
  arbitraries: Arbitraries<Values>,
  predicate: (...values: Values) => Effect.Effect<Outcome, E>
): void => asyncProperty<Values>(name, arbitraries, (...values) => Effect.runPromise(predicate(...values)))
