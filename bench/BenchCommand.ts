// The bench's command line: its flags, and the mode that they select.
import { Data, Effect, Option } from "effect"
import { CliConfig, CliOutput, Command, Flag, GlobalFlag } from "effect/cli"
import { MAX_SPEED, MIN_SPEED } from "./events/Command.ts"
import { rushHour, type Scenarios, scenarios } from "./scenarios/Scenarios.ts"

/** The size of a soak: agents at the same time, and orders in all. */
export interface LoadSize {
  readonly actors: number
  readonly orders: number
}

export type Mode =
  /** `speed` `null`: each scenario has its own. */
  | {
      readonly _tag: "Watch"
      readonly scenarios: Scenarios
      readonly seed: number
      readonly speed: number | null
    }
  | { readonly _tag: "Headless"; readonly scenarios: Scenarios; readonly seed: number }
  | { readonly _tag: "Soak"; readonly size: LoadSize; readonly seed: number }
  /** `tokenFile` `null`: the token is in the environment. */
  | {
      readonly _tag: "Attach"
      readonly url: string
      readonly tokenFile: string | null
      readonly headless: boolean
    }

/** One line for each mistake on the command line. */
export class WrongFlags extends Data.TaggedError("WrongFlags")<{ readonly message: string }> {}

const wrong = (message: string) => Effect.fail(new WrongFlags({ message }))

const MAX_NUMBER = 999_999_999
const MAX_ACTORS = 1_000
const DEFAULT_ACTORS = 200
const DEFAULT_ORDERS = 1_000

const wholeNumber = (name: string, description: string, min: number, max: number) =>
  Flag.String(name).pipe(
    Flag.withDescription(description),
    Flag.withMetavar("N"),
    Flag.filterMap(
      (text) => Option.liftPredicate(Number(text), (value) => /^\d{1,9}$/.test(text) && value >= min && value <= max),
      () => `a whole number from ${min} to ${max}`
    ),
    Flag.optional
  )

const flags = {
  scenario: Flag.ChoiceWithValue("scenario", [
    ["all", scenarios],
    ...scenarios.map((scenario): readonly [string, Scenarios] => [scenario.name, [scenario]])
  ]).pipe(
    Flag.withDescription("What to play (default: rush-hour to watch, all without a screen)"),
    Flag.withMetavar("NAME"),
    Flag.optional
  ),
  seed: wholeNumber("seed", "Repeats a run exactly (default 1)", 0, MAX_NUMBER),
  speed: wholeNumber(
    "speed",
    `Virtual seconds per real second, ${MIN_SPEED} to ${MAX_SPEED}; keys change it while it runs`,
    MIN_SPEED,
    MAX_SPEED
  ),
  headless: Flag.Boolean("headless").pipe(
    Flag.withDescription("No screen: a plain transcript, the invariants checked at the end, status 1 if any is broken"),
    Flag.withDefault(false)
  ),
  actors: wholeNumber("actors", "Soak without a transcript: agents at the same time (default 200)", 1, MAX_ACTORS),
  orders: wholeNumber("orders", "Soak: orders in all (default 1000), in rounds with a service each", 1, MAX_NUMBER),
  attach: Flag.String("attach").pipe(
    Flag.withDescription("Join a running deployment as its operator; the token is in OPERATOR_TOKEN"),
    Flag.withMetavar("URL"),
    Flag.filterMap(
      (url) =>
        Option.map(
          Option.liftPredicate(url, (text) => /^https?:\/\/[^/?#\s@]+\/?$/.test(text)),
          (text) => text.replace(/\/$/, "")
        ),
      () => "an address such as http://127.0.0.1:3000"
    ),
    Flag.optional
  ),
  tokenFile: Flag.String("token-file").pipe(
    Flag.withDescription("With --attach: the file with the token"),
    Flag.withMetavar("PATH"),
    Flag.optional
  )
}

type Values = Command.Command.Config.Infer<typeof flags>

/** Flags about the bench's own service, which an attached deployment replaces. */
const OWN_SERVICE = ["scenario", "speed", "actors", "orders"] as const

const attachMode = (url: string, values: Values) => {
  const foreign = OWN_SERVICE.find((flag) => values[flag]._tag === "Some")
  if (foreign !== undefined)
    return wrong(`--${foreign} does not go with --attach: it is about the bench's own service.`)
  const tokenFile = Option.getOrNull(values.tokenFile)
  return Effect.succeed<Mode>({ _tag: "Attach", url, tokenFile, headless: values.headless })
}

const soakMode = ({ scenario, actors, orders }: Values, seed: number) => {
  if (Option.exists(scenario, ([{ name }, ...others]) => name !== "rush-hour" || others.length > 0)) {
    return wrong("--actors and --orders go with the scenario rush-hour alone.")
  }
  const size = {
    actors: Option.getOrElse(actors, () => DEFAULT_ACTORS),
    orders: Option.getOrElse(orders, () => DEFAULT_ORDERS)
  }
  return Effect.succeed<Mode>({ _tag: "Soak", size, seed })
}

const modeOf = (values: Values): Effect.Effect<Mode, WrongFlags> => {
  if (Option.isSome(values.attach)) return attachMode(values.attach.value, values)
  if (Option.isSome(values.tokenFile)) return wrong("--token-file goes with --attach.")
  const seed = Option.getOrElse(values.seed, () => 1)
  if (Option.isSome(values.actors) || Option.isSome(values.orders)) return soakMode(values, seed)
  const chosen = Option.getOrElse(values.scenario, () => (values.headless ? scenarios : ([rushHour] as const)))
  return Effect.succeed<Mode>(
    values.headless
      ? { _tag: "Headless", scenarios: chosen, seed }
      : { _tag: "Watch", scenarios: chosen, seed, speed: Option.getOrNull(values.speed) }
  )
}

const bench = (handle: (mode: Mode) => void) =>
  Command.make("npm run bench --", flags, (values) => Effect.map(modeOf(values), handle)).pipe(
    Command.withDescription("Watch how an order lives, or hunt for broken invariants."),
    Command.withExamples([
      { command: "npm run bench -- --scenario abandoned --speed 1000", description: "One scenario, fast" },
      { command: "npm run bench -- --headless --scenario all --seed 1", description: "All, as a transcript" },
      { command: "npm run bench -- --headless --actors 200 --orders 100000", description: "A soak" },
      {
        command: "npm run bench -- --attach http://127.0.0.1:3000 --token-file operator.token",
        description: "A running deployment"
      }
    ])
  )

/** Help goes to standard output; mistakes are left to the caller. */
const presenter = CliOutput.layerPresenter({
  present: (event) => (event._tag === "InvalidInvocation" ? Effect.void : CliOutput.defaultPresenter.present(event))
})

/** `None` for `--help`, which is printed here. */
export const readFlags = (args: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    let mode = Option.none<Mode>()
    const command = bench((chosen) => {
      mode = Option.some(chosen)
    })
    return Command.runWith(command, { version: "1.0.0" })(args).pipe(
      Effect.catchTag("ShowHelp", ({ errors }) =>
        errors.length === 0 ? Effect.void : wrong(errors.map(({ message }) => message).join("\n"))
      ),
      Effect.map(() => mode),
      Effect.provide([presenter, CliConfig.layer({ builtIns: [GlobalFlag.Help] })])
    )
  })
