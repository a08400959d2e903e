// `npm run floods -- [options]`: strangers flood a service behind the manual's proxy in five ways, and a table says what members notice. Exits
// with status 1 if one of them is shut out.
import { parseArgs } from "node:util"
import { Effect, Redacted } from "effect"
import { freshDatabase } from "#test/adapters/postgres/TestDatabase.ts"
import { wholeNumber } from "#test/CommandLineNumber.ts"
import { type FloodPlan, floodTable, HEAD, lineOf, shutOut } from "./FloodTable.ts"

const SIZES = { links: 200, requestsPerSecond: 1_200, guesses: 300, registrations: 10_000, documents: 20, rounds: 4 }

const USAGE = `Usage: npm run floods -- ${Object.entries(SIZES)
  .map(([name, size]) => `[--${name} ${size}]`)
  .join(" ")}`

const text = { type: "string" } as const

const planFrom = (args: ReadonlyArray<string>): FloodPlan | null => {
  const numbers = {
    links: text,
    requestsPerSecond: text,
    guesses: text,
    registrations: text,
    documents: text,
    rounds: text
  }
  const { values } = parseArgs({ args: [...args], options: { ...numbers, help: { type: "boolean", default: false } } })
  if (values.help) return null
  const size = (name: keyof typeof SIZES) => wholeNumber(values[name], name, { unless: SIZES[name], least: 1 })
  return {
    links: size("links"),
    requestsPerSecond: size("requestsPerSecond"),
    guesses: size("guesses"),
    registrations: size("registrations"),
    documents: size("documents"),
    rounds: Math.min(size("rounds"), 5)
  }
}

const newDatabase = async (): Promise<string> => Redacted.value(await Effect.runPromise(freshDatabase))

try {
  const plan = planFrom(process.argv.slice(2))
  if (plan === null) console.log(USAGE)
  else {
    console.log(HEAD)
    const rows = await floodTable(plan, newDatabase, (row) => console.log(lineOf(row)))
    const problems = rows.flatMap(shutOut)
    for (const problem of problems) console.error(problem)
    console.log(`${problems.length} shut out`)
    process.exit(problems.length === 0 ? 0 : 1)
  }
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  process.exit(1)
}
