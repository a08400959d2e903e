// One run from a seed: a new service, a scenario played in it, and every invariant of the books checked at the end. The same
// seed gives the same events in the same order.
import { Effect, Layer, Random } from "effect"
import { invariantText } from "#core/domain/operations/Invariant.ts"
import { Reconcile } from "#core/usecases/operations/Reconcile.ts"
import * as Actors from "../actors/Actors.ts"
import type { BenchEvent, Violation } from "../events/BenchEvent.ts"
import { EventBus } from "../events/EventBus.ts"
import * as Operator from "../service/Operator.ts"
import { TestService, type TestServiceOptions, layer as testService } from "../service/TestService.ts"
import * as ClockDriver from "../time/ClockDriver.ts"
import type { Scenario } from "./Scenario.ts"
import { runScenario } from "./ScenarioRunner.ts"

export interface SimulationOptions extends Omit<TestServiceOptions, "seed"> {
  readonly seed: number
}

/** The service, its operator, the actors and their clock. */
export const environment = (scenario: Scenario, { seed, ...options }: SimulationOptions) =>
  Layer.mergeAll(Actors.layer, Operator.layer, ClockDriver.layer).pipe(
    Layer.provideMerge(testService({ ...options, seed: `${seed} ${scenario.name}` }))
  )

/** Randomness from the seed alone. */
export const seeded = (scenario: Scenario, seed: number) => Random.withSeed(`${seed} ${scenario.name} actors`)

export const announceService = (seed: number) =>
  Effect.gen(function* () {
    const { emit } = yield* EventBus
    const { url } = yield* TestService
    emit({ _tag: "ServiceOpened", url, attached: false, seed })
  })

/** The scenario's own violations, and those of the books. */
export const checkBooks = Effect.fnUntraced(function* (ofScenario: ReadonlyArray<Violation>) {
  const { emit } = yield* EventBus
  const { reconcile } = yield* Reconcile
  const ofBooks = (yield* reconcile()).violations.map(({ invariant, subject, message }) => {
    return { rule: invariant, what: `${subject}: ${message} ${invariantText[invariant]}` }
  })
  const violations = [...ofScenario, ...ofBooks]
  emit({ _tag: "InvariantsChecked", rules: Object.keys(invariantText).length, violations })
  return violations
})

/** Runs in lock-step, as fast as possible. Returns the violations. */
export const simulate = (scenario: Scenario, listener: (event: BenchEvent) => void, options: SimulationOptions) =>
  Effect.gen(function* () {
    const { subscribe } = yield* EventBus
    const { runLockStep } = yield* ClockDriver.ClockDriver
    subscribe(listener)
    yield* announceService(options.seed)
    const violations = yield* Effect.raceFirst(Effect.scoped(runScenario(scenario)), runLockStep)
    return yield* checkBooks(violations)
  }).pipe(seeded(scenario, options.seed), Effect.provide(environment(scenario, options)))
