// The bench that somebody watches: a house in this process, scenarios played in it at the speed that was set, and the door for
// events and commands.
import { Effect, Layer } from "effect"
import type { Command, Told } from "../Control.ts"
import { openDoor } from "../Door.ts"
import type { Playlist } from "../Flags.ts"
import { checkBooks, openDoors, seeded, world } from "../Simulation.ts"
import { play } from "../scenarios/Player.ts"
import type { Scenario, Step } from "../scenarios/Scenario.ts"
import { Pace } from "../time/Pace.ts"
import { makeCommands } from "./Commands.ts"
import { notDone } from "./DeskCommands.ts"

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
    const pace = yield* Pace
    let carryOut: ((command: Command) => Effect.Effect<Told>) | undefined

    const evening = Effect.gen(function* () {
      yield* openDoors(seed)
      carryOut = yield* makeCommands
      for (const scenario of playlist) {
        yield* pace.setSpeed(options.speed ?? speedOf(scenario))
        const found = yield* Effect.scoped(play({ ...scenario, steps: scenario.steps.map(endless) }))
        yield* checkBooks(found)
      }
    })

    return yield* openDoor({
      carryOut: (command) => carryOut?.(command) ?? Effect.succeed(notDone("The doors are not open yet.")),
      play: Effect.all([evening, pace.paced], { concurrency: "unbounded", discard: true }),
      unavailable: {}
    })
  })
  return yield* opened.pipe(seeded(first, seed), Effect.provide(house))
})
