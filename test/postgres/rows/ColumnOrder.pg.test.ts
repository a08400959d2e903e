// Rows that are written as lists of values: the columns must be in the order of the table.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { accountWrites, dailyUsage } from "#adapters/postgres/rows/AccountRows.ts"
import { events, ledgerRows, links } from "#adapters/postgres/rows/OrderRows.ts"
import { quotes } from "#adapters/postgres/rows/QuoteRows.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"

const listTables = {
  accounts: accountWrites,
  tallies: dailyUsage,
  quotes,
  links,
  ledger_rows: ledgerRows,
  events
}

it.live("every list has the table's columns in their order, and leaves out only nullable ones at the end", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.scoped(Layer.build(storeInstance(url)))
    for (const [name, { columns }] of Object.entries(listTables)) {
      const [columnsInDatabase = []] = yield* execute(
        url,
        `SELECT column_name AS name, is_nullable AS nullable FROM information_schema.columns
         WHERE table_name = '${name}' ORDER BY ordinal_position`
      )
      expect(columnsInDatabase.map((column) => column["name"]).slice(0, columns.length), name).toEqual(columns)
      expect(
        columnsInDatabase.slice(columns.length).filter(({ nullable }) => nullable === "NO"),
        name
      ).toEqual([])
    }
  })
)
