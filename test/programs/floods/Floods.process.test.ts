// A small form of `npm run floods`: five floods, through a proxy that the service was told of and one that it was not, shut out no member.
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { freshDatabase } from "#test/adapters/postgres/TestDatabase.ts"
import { FLOODS } from "./Floods.ts"
import { floodTable, lineOf, shutOut } from "./FloodTable.ts"

const SMALL = { links: 80, requestsPerSecond: 60, guesses: 60, registrations: 100, documents: 20, rounds: 1 }

it("five floods of strangers shut out no member", async () => {
  const rows = await floodTable(SMALL, async () => Redacted.value(await Effect.runPromise(freshDatabase)))
  expect(rows.flatMap((row) => shutOut(row).map((problem) => `${lineOf(row)}: ${problem}`))).toEqual([])
  expect(rows).toHaveLength(2 * FLOODS.length)
  for (const row of rows) expect(row.answered, "strangers are answered, too").toBeGreaterThan(0)
  // It starts two services, and a busy machine serves their floods slowly.
}, 600_000)
