// The bench that somebody watches: a house in this process, scenarios played in it at the speed that was set, and the door for
// events and commands.
import { Effect, Layer } from "effect"
import { notDone } from "../actors/OperatorCommands.ts"
import type { Playlist } from "../BenchFlags.ts"
import { openSession } from "../events/BenchSession.ts"
import type { Command, CommandResult } from "../events/Command.ts"
import type { Scenario, Step } from "../scenarios/Scenario.ts"
import { runScenario } from "../scenarios/ScenarioRunner.ts"
import { announceService, checkBooks, seeded, world } from "../scenarios/Simulation.ts"
import { ClockDriver } from "../time/ClockDriver.ts"
import { makeLiveCommands } from "./LiveCommands.ts"

export interface LiveOptions {
  readonly playlist: Playlist
  readonly seed: number
  /** `null` leaves it to the scenario. */
  readonly speed: number | null
}

const STORY_SPEED = 10
const CROWD_SPEED = 100

/** With somebody to watch it, a crowd goes on until they have seen enough. */
const endless = (step: Step): Step => (step.does === "crowd" ? { ...step, orders: Number.POSITIVE_INFINITY } : step)

const speedOf = ({ cast }: Scenario): number => (cast.length === 0 ? CROWD_SPEED : STORY_SPEED)

/** For as long as the scope is open. */
export const openLiveBench = Effect.fnUntraced(function* (options: LiveOptions) {
  const { playlist, seed } = options
  const [first] = playlist
  const house = yield* Layer.build(world(first, { seed }))
  const opened = Effect.gen(function* () {
    const pace = yield* ClockDriver
    let execute: ((command: Command) => Effect.Effect<CommandResult>) | undefined

    const evening = Effect.gen(function* () {
      yield* announceService(seed)
      execute = yield* makeLiveCommands
      for (const scenario of playlist) {
        yield* pace.setSpeed(options.speed ?? speedOf(scenario))
        const found = yield* Effect.scoped(runScenario({ ...scenario, steps: scenario.steps.map(endless) }))
        yield* checkBooks(found)
      }
    })

    return yield* openSession({
      execute: (command) => execute?.(command) ?? Effect.succeed(notDone("The doors are not open yet.")),
      runScenario: Effect.all([evening, pace.paced], { concurrency: "unbounded", discard: true }),
      unavailable: {}
    })
  })
  return yield* opened.pipe(seeded(first, seed), Effect.provide(house))
})
