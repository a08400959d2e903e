// What the bench is told on its command line, checked before anything starts. Wrong flags are an answer, not a crash.
import { parseArgs } from "node:util"
import { Result } from "effect"
import { FASTEST, SLOWEST } from "./events/Command.ts"
import type { Scenario } from "./scenarios/Scenario.ts"
import { scenarioNamed, scenarios } from "./scenarios/Scenarios.ts"

/** At least one scenario. */
export type Playlist = readonly [Scenario, ...ReadonlyArray<Scenario>]

/** A crowd of one's own instead of a scenario's. */
export interface Crowd {
  readonly actors: number
  readonly orders: number
}

export type Flags =
  | { readonly mode: "help" }
  /** `speed` is `null` where the scenario decides. */
  | {
      readonly mode: "watch"
      readonly playlist: Playlist
      readonly seed: number
      readonly speed: number | null
    }
  | { readonly mode: "headless"; readonly playlist: Playlist; readonly seed: number }
  | { readonly mode: "soak"; readonly crowd: Crowd; readonly seed: number }
  /** `tokenFile` is `null` where the token is in the environment. */
  | {
      readonly mode: "attach"
      readonly url: string
      readonly tokenFile: string | null
      readonly headless: boolean
    }

const WIDTH = 18

const listed = scenarios.map(({ name, title }) => `    ${name.padEnd(WIDTH)}${title}`).join("\n")

export const HELP = `Watch how an order lives, or hunt for broken invariants.

Usage: npm run bench -- [flags]

  --scenario NAME     what to runScenario; \`all\` plays one after the other
  --seed N            repeats a run exactly (default 1)
  --speed N           virtual seconds per real second, ${SLOWEST} to ${FASTEST}; keys change it while it runs
  --headless          no screen: a plain transcript, the invariants checked at the end, status 1 if any is broken
  --actors N          with --orders: a soak without a transcript, so many agents at once
  --orders N          so many orders in all, in rounds with a service of their own
  --attach URL        join a running deployment as its operator; the token is in OPERATOR_TOKEN
  --token-file PATH   with --attach: or in this file
  --help              this

Scenarios (default: orderEvents-hour to watch, all without a screen):
${listed}

Examples:
  npm run bench -- --scenario abandoned --speed 1000
  npm run bench -- --headless --scenario all --seed 1
  npm run bench -- --headless --actors 200 --orders 100000
  npm run bench -- --attach http://127.0.0.1:3000 --token-file operator.token
`

const OPTIONS = {
  scenario: { type: "string" },
  seed: { type: "string", default: "1" },
  speed: { type: "string" },
  headless: { type: "boolean", default: false },
  actors: { type: "string" },
  orders: { type: "string" },
  attach: { type: "string" },
  "token-file": { type: "string" },
  help: { type: "boolean", short: "h", default: false }
} as const

const parsed = (args: ReadonlyArray<string>) =>
  Result.mapError(
    Result.try(() => parseArgs({ args: [...args], options: OPTIONS }).values),
    (fault) => (fault instanceof Error ? fault.message : String(fault))
  )

const whole = (flag: string, text: string, least: number, most: number): Result.Result<number, string> => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most
    ? Result.succeed(value)
    : Result.fail(`--${flag} wants a whole number from ${least} to ${most}, not "${text}".`)
}

const playlistOf = (name: string): Result.Result<Playlist, string> => {
  if (name === "all") return Result.succeed(scenarios)
  const scenario = scenarioNamed(name)
  return scenario === undefined ? Result.fail(`There is no scenario "${name}".`) : Result.succeed([scenario])
}

/** What is of the bench's own house has no say in somebody else's. */
const OWN_HOUSE = ["scenario", "speed", "actors", "orders"] as const

const attached = (flags: {
  readonly attach: string
  readonly headless: boolean
  readonly "token-file"?: string
}): Result.Result<Flags, string> => {
  const { attach, headless, "token-file": tokenFile = null } = flags
  return /^https?:\/\/[^/?#\s@]+\/?$/.test(attach)
    ? Result.succeed({ mode: "attach", url: attach.replace(/\/$/, ""), tokenFile, headless })
    : Result.fail(`--attach wants an address such as http://127.0.0.1:3000, not "${attach}".`)
}

const MOST_SEED = 999_999_999
const MAX_ACTORS = 1_000
const DEFAULT_ACTORS = 200
const DEFAULT_ORDERS = 1_000

/** Of a sentence that says what is wrong, or of what is wanted. */
export const readFlags = (args: ReadonlyArray<string>): Result.Result<Flags, string> =>
  Result.gen(function* () {
    const flags = yield* parsed(args)
    if (flags.help) return { mode: "help" }
    if (flags.attach !== undefined) {
      const foreign = OWN_HOUSE.find((flag) => flags[flag] !== undefined)
      if (foreign !== undefined) return yield* Result.fail(`--${foreign} is not for --attach: it is another's house.`)
      return yield* attached({ ...flags, attach: flags.attach })
    }
    if (flags["token-file"] !== undefined) return yield* Result.fail("--token-file goes with --attach.")
    const seed = yield* whole("seed", flags.seed, 0, MOST_SEED)
    if (flags.actors !== undefined || flags.orders !== undefined) {
      if (flags.scenario !== undefined && flags.scenario !== "orderEvents-hour") {
        return yield* Result.fail("--actors and --orders are of orderEvents-hour alone.")
      }
      const actors = yield* whole("actors", flags.actors ?? String(DEFAULT_ACTORS), 1, MAX_ACTORS)
      const orders = yield* whole("orders", flags.orders ?? String(DEFAULT_ORDERS), 1, MOST_SEED)
      return { mode: "soak", crowd: { actors, orders }, seed }
    }
    const playlist = yield* playlistOf(flags.scenario ?? (flags.headless ? "all" : "orderEvents-hour"))
    if (flags.headless) return { mode: "headless", playlist, seed }
    const speed = flags.speed === undefined ? null : yield* whole("speed", flags.speed, SLOWEST, FASTEST)
    return { mode: "watch", playlist, seed, speed }
  })
