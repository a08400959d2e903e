// The terminal bench: plays the life of an order against a whole service in this process and prints who did what.
// `--scenario NAME` plays one, or `all`, which is the default.
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { settings } from "#adapters/Config.ts"
import * as Service from "#adapters/Service.ts"
import { type Scenario, scenarios } from "./Scenarios.ts"
import * as Stage from "./Stage.ts"

const play = ({ name, watch, play }: Scenario) =>
  Effect.gen(function* () {
    yield* Console.log(`\n— ${name}: ${watch}`)
    yield* play
  })

/** A fresh service of its own, whatever the surroundings are configured for. */
const stage = Layer.unwrap(
  Effect.map(settings.parse(ConfigProvider.fromUnknown({ PORT: "0", STORE: "memory" })), (fresh) =>
    Stage.layer(Console.log).pipe(Layer.provide(Service.layer(fresh)))
  )
)

const chosen = (name: string): ReadonlyArray<Scenario> =>
  name === "all" ? scenarios : scenarios.filter((scenario) => scenario.name === name)

const names = ["all", ...scenarios.map(({ name }) => name)].join(" | ")

const main = Effect.gen(function* () {
  const { values } = yield* Effect.try(() => parseArgs({ options: { scenario: { type: "string", default: "all" } } }))
  const playlist = chosen(values.scenario)
  if (playlist.length === 0) return yield* Effect.fail(`There is no scenario "${values.scenario}".`)
  yield* Effect.forEach(playlist, play, { discard: true }).pipe(Effect.provide(stage))
}).pipe(Effect.tapError((error) => Console.error(`${String(error)}\nUsage: npm run bench -- --scenario ${names}`)))

NodeRuntime.runMain(main, { disableErrorReporting: true })
