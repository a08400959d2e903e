// Rows that are written as lists of values: the columns must be in the order of the table.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { accountWrites, dailyUsage } from "#adapters/postgres/rows/AccountRows.ts"
import { events, ledger, links } from "#adapters/postgres/rows/OrderRows.ts"
import { quotes } from "#adapters/postgres/rows/QuoteRows.ts"
import { migratedDatabase } from "../MigratedDatabase.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"

/** Rows are written with the account's id, from which the database takes its number. */
const ownerInDatabase = (column: string): string => (column === "account_id" ? "account_no" : column)

const listTables = {
  accounts: accountWrites,
  tallies: dailyUsage,
  quotes,
  links,
  ledger,
  events
}

it.live(
  "every list has the table's columns in their order, and leaves out at the end only what is nullable or known by the database",
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.scoped(Layer.build(storeInstance(url)))
      for (const [name, { columns }] of Object.entries(listTables)) {
        const [columnsInDatabase = []] = yield* execute(
          url,
          `SELECT column_name AS name, is_nullable AS nullable FROM information_schema.columns
         WHERE table_name = '${name}' ORDER BY ordinal_position`
        )
        const names = columnsInDatabase.map((column) => column["name"]).slice(0, columns.length)
        expect(names, name).toEqual(name === "accounts" ? columns : columns.map(ownerInDatabase))
        expect(
          columnsInDatabase
            .slice(columns.length)
            .filter((column) => column["nullable"] === "NO" && column["name"] !== "account_no"),
          name
        ).toEqual([])
      }
    })
)
