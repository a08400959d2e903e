// The bench without a screen: every event as a line on standard output.
import { Console, Effect } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { BenchSession } from "../events/BenchSession.ts"
import type { Scenario } from "../scenarios/Scenario.ts"
import { scenarios as allScenarios } from "../scenarios/Scenarios.ts"
import { simulate } from "../scenarios/Simulation.ts"
import { linesOf, timeOfDay } from "./Transcript.ts"

interface HeadlessOptions {
  readonly scenarios: ReadonlyArray<Scenario>
  readonly seed: number
}

/** Returns the number of violations. */
export const runHeadless = Effect.fnUntraced(function* ({ scenarios, seed }: HeadlessOptions) {
  let violations = 0
  for (const scenario of scenarios) {
    const lines: Array<string> = []
    violations += (yield* simulate(scenario, (event) => void lines.push(...linesOf(event)), { seed })).length
    yield* Console.log(lines.join("\n"))
  }
  const verdict = violations === 0 ? "everything came out as it should" : counted(violations, "finding")
  yield* Console.log(`\n${scenarios.length} of ${allScenarios.length} scenarios with seed ${seed}: ${verdict}.`)
  return violations
})

/** Prints an attached deployment's events until it is interrupted. */
export const printDeployment = (session: BenchSession): Effect.Effect<never> =>
  Effect.callback(() => {
    const unsubscribe = session.subscribe((event) => {
      for (const line of linesOf(event, timeOfDay)) process.stdout.write(`${line}\n`)
    })
    session.start()
    return Effect.sync(unsubscribe)
  })
