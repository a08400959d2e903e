// The options of `npm run kills`: the parts to run and the size of each. Mistakes are reported before anything starts.
import { parseArgs } from "node:util"
import { Result } from "effect"
import { wholeNumber } from "#test/CommandLineNumber.ts"

export const PARTS = ["kills", "duplicates", "interruptions", "deliveries", "invoices", "people"] as const

export type PartName = (typeof PARTS)[number]

/** `seconds` limits the parts `kills`, `people` and `invoices`, which end sooner when all kills, or all orders, are done. */
const NUMBERS = {
  kills: 200,
  instances: 2,
  seconds: 1800,
  agents: 24,
  keys: 1000,
  events: 100_000,
  orders: 100_000
} as const

export interface Options extends Readonly<Record<keyof typeof NUMBERS, number>> {
  readonly parts: ReadonlyArray<PartName>
  readonly seed: number
}

export const USAGE = [
  `Usage: npm run kills -- ${PARTS.map((part) => `[${part}]`).join(" ")}, all unless some are named. Options: --seed N`,
  ...Object.entries(NUMBERS).map(([name, value]) => `--${name} ${value}`)
].join(", ")

const isPart = (name: string): name is PartName => PARTS.some((part) => part === name)

const text = { type: "string" } as const

const read = (args: ReadonlyArray<string>, nowMs: number): Options | "help" => {
  const numbers = {
    kills: text,
    instances: text,
    seconds: text,
    agents: text,
    keys: text,
    events: text,
    orders: text,
    seed: text
  }
  const options = { ...numbers, help: { type: "boolean", default: false } } as const
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  if (values.help) return "help"
  const unknown = positionals.filter((name) => !isPart(name))
  if (unknown.length > 0) throw new Error(`${unknown.join()} is none of ${PARTS.join(", ")}`)
  const count = (name: keyof typeof NUMBERS) => wholeNumber(values[name], name, { unless: NUMBERS[name], least: 1 })
  return {
    parts: positionals.length === 0 ? PARTS : PARTS.filter((part) => positionals.includes(part)),
    kills: count("kills"),
    instances: count("instances"),
    seconds: count("seconds"),
    agents: count("agents"),
    keys: count("keys"),
    events: count("events"),
    orders: count("orders"),
    seed: wholeNumber(values.seed, "seed", { unless: nowMs % 2 ** 32, least: 0 })
  }
}

/** Fails with the mistake and the usage. */
export const optionsFrom = (args: ReadonlyArray<string>, nowMs: number): Result.Result<Options | "help", string> =>
  Result.try({
    try: () => read(args, nowMs),
    catch: (error) => `${error instanceof Error ? error.message : String(error)}\n${USAGE}`
  })
