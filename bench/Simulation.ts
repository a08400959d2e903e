// One run from a seed: a house of its own, a scenario played in it without anybody at the keys, and at the end every law of the
// books. The same seed gives the same events, one after the other.
import { Effect, Layer, Random } from "effect"
import { lawInWords } from "#core/domain/Finding.ts"
import { Reconcile } from "#core/usecases/Reconcile.ts"
import * as Acting from "./actors/Acting.ts"
import type { BenchEvent, Finding } from "./BenchEvent.ts"
import { Feed } from "./Feed.ts"
import { play } from "./scenarios/Player.ts"
import type { Scenario } from "./scenarios/Scenario.ts"
import * as Desk from "./service/Desk.ts"
import { type Flaw, House, layer as house } from "./service/House.ts"
import * as Pace from "./time/Pace.ts"

export interface RunOptions {
  readonly seed: number
  readonly flaw?: Flaw
}

/** The house and all who live and work in it. */
export const world = (scenario: Scenario, { seed, flaw }: RunOptions) =>
  Layer.mergeAll(Acting.layer, Desk.layer, Pace.layer).pipe(
    Layer.provideMerge(house({ seed: `${seed} ${scenario.name}`, ...(flaw === undefined ? {} : { flaw }) }))
  )

/** By chance of the seed, and of nothing else. */
export const seeded = (scenario: Scenario, seed: number) => Random.withSeed(`${seed} ${scenario.name} actors`)

export const openDoors = (seed: number) =>
  Effect.gen(function* () {
    const { tell } = yield* Feed
    const { url } = yield* House
    tell({ _tag: "ServiceOpened", url, attached: false, seed })
  })

/** What the books break, by law, and what the scenario found besides. */
export const checkBooks = Effect.fnUntraced(function* (besides: ReadonlyArray<Finding>) {
  const { tell } = yield* Feed
  const { reconcile } = yield* Reconcile
  const broken = (yield* reconcile()).findings.map(({ law, subject, message }) => {
    return { rule: law, what: `${subject}: ${message} ${lawInWords[law]}` }
  })
  const findings = [...besides, ...broken]
  tell({ _tag: "InvariantsChecked", rules: Object.keys(lawInWords).length, findings })
  return findings
})

/** In lock-step. `hear` gets every event; the answer is what was found broken. */
export const simulate = (scenario: Scenario, hear: (event: BenchEvent) => void, options: RunOptions) =>
  Effect.gen(function* () {
    const { listen } = yield* Feed
    const { lockStep } = yield* Pace.Pace
    listen(hear)
    yield* openDoors(options.seed)
    const besides = yield* Effect.raceFirst(Effect.scoped(play(scenario)), lockStep)
    return yield* checkBooks(besides)
  }).pipe(seeded(scenario, options.seed), Effect.provide(world(scenario, options)))
