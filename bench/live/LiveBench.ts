// The bench that somebody watches: a house in this process, scenarios played in it at the speed that was set, and the door for
// events and commands.
import { Effect, Fiber, Layer } from "effect"
import type { Bench, Command, Told } from "../Control.ts"
import { Feed } from "../Feed.ts"
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
    const feed = yield* Feed
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

    const send = (command: Command): Effect.Effect<Told> =>
      Effect.suspend(() => carryOut?.(command) ?? Effect.succeed(notDone("The doors are not open yet."))).pipe(
        Effect.catchCause((cause) => Effect.succeed(notDone(`That went wrong: ${String(cause)}`))),
        Effect.tap(({ ok, sentence }) => Effect.sync(() => feed.tell({ _tag: "Commanded", command, ok, sentence })))
      )

    const failed = (cause: unknown) =>
      Effect.sync(() => feed.tell({ _tag: "Logged", level: "error", text: `The bench stopped: ${String(cause)}` }))
    const whole = Effect.all([evening, pace.paced], { concurrency: "unbounded", discard: true })
    const start = yield* Effect.cached(Effect.asVoid(Effect.forkScoped(Effect.catchCause(whole, failed))))
    const run = Effect.runForkWith(yield* Effect.context<Effect.Services<typeof start>>())
    const bench: Bench = {
      send: (command) => Effect.runPromise(Fiber.join(run(send(command)))),
      listen: feed.listen,
      start: () => void run(start),
      unavailable: {}
    }
    return bench
  })
  return yield* opened.pipe(seeded(first, seed), Effect.provide(house))
})
