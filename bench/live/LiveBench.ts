// The bench on a screen with its own service: plays scenarios at the set speed, and executes commands.
import { Deferred, Effect, Layer } from "effect"
import { openSession } from "../events/BenchSession.ts"
import { type Command, type CommandResult, notDone } from "../events/Command.ts"
import type { Scenario, Step } from "../scenarios/Scenario.ts"
import { runScenario } from "../scenarios/ScenarioRunner.ts"
import { type Scenarios, storiesFrom } from "../scenarios/Scenarios.ts"
import { announceService, checkBooks, environment, seeded } from "../scenarios/Simulation.ts"
import { setProcessor } from "../service/TestService.ts"
import { WebhookReceiver } from "../service/WebhookReceiver.ts"
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

/** Plays `stories` in a circle: `chosen` of them one after the other, each further one when it is asked for. */
const makePlayer = <E>(stories: Scenarios, chosen: number, play: (scenario: Scenario) => Effect.Effect<unknown, E>) => {
  const storyAt = (index: number): Scenario => stories[index % stories.length] ?? stories[0]
  let playing = 0
  let asked = Deferred.makeUnsafe<void>()

  const playAll = Effect.gen(function* () {
    for (;;) {
      const next = Deferred.await(asked)
      yield* Effect.raceFirst(play(storyAt(playing)), next)
      if (playing + 1 >= chosen) yield* next
      playing++
      asked = Deferred.makeUnsafe()
    }
  })
  const nextStory = Effect.suspend(() => Effect.as(Deferred.succeed(asked, undefined), storyAt(playing + 1).title))
  return { playAll, nextStory }
}

/** Lives as long as the scope. */
export const openLiveBench = Effect.fnUntraced(function* ({ scenarios, seed, speed }: LiveOptions) {
  const [first] = scenarios
  const context = yield* Layer.build(environment(first, { seed }))
  const session = Effect.gen(function* () {
    const clock = yield* ClockDriver
    const receiver = yield* WebhookReceiver
    let execute: ((command: Command) => Effect.Effect<CommandResult>) | undefined

    /** A story that is ended early may leave receiver or processor broken. */
    const mend = Effect.andThen(receiver.setWorks(true), setProcessor(true))

    const play = Effect.fnUntraced(function* (scenario: Scenario) {
      yield* clock.setSpeed(speed ?? speedOf(scenario))
      const steps = scenario.steps.map(endless)
      const story = Effect.onInterrupt(Effect.scoped(runScenario({ ...scenario, steps })), () => mend)
      const violations = yield* clock.skippingIn(story)
      yield* checkBooks(violations)
    })

    const playAll = Effect.gen(function* () {
      yield* announceService(seed)
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof play>>>()
      const stories = storiesFrom(scenarios)
      const player = makePlayer(stories, scenarios.length, (scenario) => Effect.provide(play(scenario), context))
      execute = yield* makeLiveCommands(player.nextStory)
      yield* player.playAll
    })

    return yield* openSession({
      execute: (command) => execute?.(command) ?? Effect.succeed(notDone("The service is still starting.")),
      background: Effect.all([playAll, clock.runAtSpeed], { concurrency: "unbounded", discard: true }),
      unavailable: {}
    })
  })
  return yield* session.pipe(seeded(first, seed), Effect.provide(context))
})
