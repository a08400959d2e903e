// The bench without a terminal: every event as a line on standard output. Of scenarios, at the end whether anything was found
// broken; of a deployment that was joined, for as long as anybody wants to read.
import { Console, Effect } from "effect"
import { counted } from "#core/domain/Counted.ts"
import type { Bench } from "../events/Command.ts"
import type { Scenario } from "../scenarios/Scenario.ts"
import { scenarios } from "../scenarios/Scenarios.ts"
import { simulate } from "../scenarios/Simulation.ts"
import { linesOf, timeOfDay } from "./Transcript.ts"

export interface HeadlessOptions {
  readonly playlist: ReadonlyArray<Scenario>
  readonly seed: number
}

/** How many findings there were. */
export const runHeadless = Effect.fnUntraced(function* ({ playlist, seed }: HeadlessOptions) {
  let found = 0
  for (const scenario of playlist) {
    const lines: Array<string> = []
    const findings = yield* simulate(scenario, (event) => void lines.push(...linesOf(event)), { seed })
    yield* Console.log(lines.join("\n"))
    found += findings.length
  }
  const verdict = found === 0 ? "everything came out as it should" : counted(found, "finding")
  yield* Console.log(`\n${playlist.length} of ${scenarios.length} scenarios with seed ${seed}: ${verdict}.`)
  return found
})

/** Until it is interrupted. */
export const printDeployment = (bench: Bench): Effect.Effect<never> =>
  Effect.callback(() => {
    const stop = bench.subscribe((event) => {
      for (const line of linesOf(event, timeOfDay)) process.stdout.write(`${line}\n`)
    })
    bench.start()
    return Effect.sync(stop)
  })
