// One run from a seed: a house of its own, a scenario played in it without anybody at the keys, and at the end every law of the
// books. The same seed gives the same events, one after the other.
import { Effect, Layer, Random } from "effect"
import { invariantText } from "#core/domain/Invariant.ts"
import { Reconcile } from "#core/usecases/Reconcile.ts"
import * as Actors from "../actors/Actors.ts"
import type { BenchEvent, Finding } from "../events/BenchEvent.ts"
import { EventBus } from "../events/EventBus.ts"
import * as Operator from "../service/Operator.ts"
import { type FaultInjection, layer as house, TestService } from "../service/TestService.ts"
import * as ClockDriver from "../time/ClockDriver.ts"
import type { Scenario } from "./Scenario.ts"
import { runScenario } from "./ScenarioRunner.ts"

export interface RunOptions {
  readonly seed: number
  readonly fault?: FaultInjection
}

/** The house and all who live and work in it. */
export const world = (scenario: Scenario, { seed, fault }: RunOptions) =>
  Layer.mergeAll(Actors.layer, Operator.layer, ClockDriver.layer).pipe(
    Layer.provideMerge(house({ seed: `${seed} ${scenario.name}`, ...(fault === undefined ? {} : { fault }) }))
  )

/** By chance of the seed, and of nothing else. */
export const seeded = (scenario: Scenario, seed: number) => Random.withSeed(`${seed} ${scenario.name} actors`)

export const announceService = (seed: number) =>
  Effect.gen(function* () {
    const { emit } = yield* EventBus
    const { url } = yield* TestService
    emit({ _tag: "ServiceOpened", url, attached: false, seed })
  })

/** What the books break, by law, and what the scenario found besides. */
export const checkBooks = Effect.fnUntraced(function* (besides: ReadonlyArray<Finding>) {
  const { emit } = yield* EventBus
  const { reconcile } = yield* Reconcile
  const broken = (yield* reconcile()).violations.map(({ invariant: law, subject, message }) => {
    return { rule: law, what: `${subject}: ${message} ${invariantText[law]}` }
  })
  const findings = [...besides, ...broken]
  emit({ _tag: "InvariantsChecked", rules: Object.keys(invariantText).length, findings })
  return findings
})

/** In lock-step. `hear` gets every event; the answer is what was found broken. */
export const simulate = (scenario: Scenario, hear: (event: BenchEvent) => void, options: RunOptions) =>
  Effect.gen(function* () {
    const { subscribe } = yield* EventBus
    const { lockStep } = yield* ClockDriver.ClockDriver
    subscribe(hear)
    yield* announceService(options.seed)
    const besides = yield* Effect.raceFirst(Effect.scoped(runScenario(scenario)), lockStep)
    return yield* checkBooks(besides)
  }).pipe(seeded(scenario, options.seed), Effect.provide(world(scenario, options)))
