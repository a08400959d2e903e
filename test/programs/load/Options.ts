// The options of comparisons: `--connections N`, `--seconds N` for each server in all, `--rounds N` to split them into, `--instances N`,
// `--alone` without peers, `--limited-code`, `--limited-articles` and `--invoices` for orders, `--sites N` and `--unseen` of the catalogue, `--before N`
// past orders.
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { wholeNumber } from "#test/CommandLineNumber.ts"

export interface Options {
  readonly connections: number
  /** For all rounds of one server. */
  readonly seconds: number
  readonly rounds: number
  readonly instances: number
  /** Leaves out peers and ratios, for long runs of the service itself. */
  readonly alone: boolean
  /** `orders` with a limited promotion code, beside the same with an unlimited one. */
  readonly limitedCode: boolean
  /** `orders` of insertions into articles, beside the same orders of new articles. */
  readonly limitedArticles: boolean
  /** `orders` while invoices are issued, beside the same orders without invoices. */
  readonly invoices: boolean
  /** Sites of the catalogue. */
  readonly sites: number
  /** `catalogue` asks for no page twice. */
  readonly unseen: boolean
  /** Past orders in each database when the load begins. */
  readonly before: number
}

const NUMBERS = { connections: 128, seconds: 24, rounds: 8, instances: 1, sites: 100_000, before: 0 } as const

/** The narrowest list of the catalogue, one niche of 200, has two pages of 20 only from this many sites on. */
const LEAST_SITES = 8_000

const usage = [
  "Options: --alone, --limited-code, --limited-articles, --invoices, --unseen",
  ...Object.entries(NUMBERS).map(([name, value]) => `--${name} ${value}`)
].join(", ")

const numberFrom = (value: string | undefined, name: keyof typeof NUMBERS, least: number): number =>
  wholeNumber(value, name, { unless: NUMBERS[name], least })

const text = { type: "string" } as const

export const optionsFrom = (args: ReadonlyArray<string>): Effect.Effect<Options, string> =>
  Effect.try({
    try: () => {
      const numbers = { connections: text, seconds: text, rounds: text, instances: text, sites: text, before: text }
      const options = {
        ...numbers,
        alone: { type: "boolean", default: false },
        unseen: { type: "boolean", default: false },
        "limited-code": { type: "boolean", default: false },
        invoices: { type: "boolean", default: false },
        "limited-articles": { type: "boolean", default: false }
      } as const
      const { values } = parseArgs({ args: [...args], options })
      return {
        connections: numberFrom(values.connections, "connections", 1),
        seconds: numberFrom(values.seconds, "seconds", 1),
        rounds: numberFrom(values.rounds, "rounds", 1),
        instances: numberFrom(values.instances, "instances", 1),
        alone: values.alone,
        limitedCode: values["limited-code"],
        limitedArticles: values["limited-articles"],
        invoices: values.invoices,
        unseen: values.unseen,
        sites: numberFrom(values.sites, "sites", LEAST_SITES),
        before: numberFrom(values.before, "before", 0)
      }
    },
    catch: (error) => `${String(error)}\n${usage}`
  })
