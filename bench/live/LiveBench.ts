// The bench on a screen with its own service: plays scenarios at the set speed, and executes commands.
import { Effect, Layer } from "effect"
import type { Scenarios } from "../BenchCommand.ts"
import { openSession } from "../events/BenchSession.ts"
import { type Command, type CommandResult, notDone } from "../events/Command.ts"
import type { Scenario, Step } from "../scenarios/Scenario.ts"
import { runScenario } from "../scenarios/ScenarioRunner.ts"
import { announceService, checkBooks, environment, seeded } from "../scenarios/Simulation.ts"
import { ClockDriver } from "../time/ClockDriver.ts"
import { makeLiveCommands } from "./LiveCommands.ts"

interface LiveOptions {
  readonly scenarios: Scenarios
  readonly seed: number
  /** `null`: each scenario has its own. */
  readonly speed: number | null
}

const ORDER_SPEED = 10
const LOAD_SPEED = 100

const speedOf = ({ customers }: Scenario): number => (customers.length === 0 ? LOAD_SPEED : ORDER_SPEED)

/** On a screen, load continues until the person quits. */
const endless = (step: Step): Step => (step.does === "load" ? { ...step, orders: Number.POSITIVE_INFINITY } : step)

/** Lives as long as the scope. */
export const openLiveBench = Effect.fnUntraced(function* ({ scenarios, seed, speed }: LiveOptions) {
  const [first] = scenarios
  const context = yield* Layer.build(environment(first, { seed }))
  const session = Effect.gen(function* () {
    const clock = yield* ClockDriver
    let execute: ((command: Command) => Effect.Effect<CommandResult>) | undefined

    const playAll = Effect.gen(function* () {
      yield* announceService(seed)
      execute = yield* makeLiveCommands
      for (const scenario of scenarios) {
        yield* clock.setSpeed(speed ?? speedOf(scenario))
        const violations = yield* Effect.scoped(runScenario({ ...scenario, steps: scenario.steps.map(endless) }))
        yield* checkBooks(violations)
      }
    })

    return yield* openSession({
      execute: (command) => execute?.(command) ?? Effect.succeed(notDone("The service is still starting.")),
      background: Effect.all([playAll, clock.runAtSpeed], { concurrency: "unbounded", discard: true }),
      unavailable: {}
    })
  })
  return yield* session.pipe(seeded(first, seed), Effect.provide(context))
})
