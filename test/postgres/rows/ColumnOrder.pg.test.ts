// Rows that are written as lists: the database reads them by place alone, so that a table's columns here and there must agree.
import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { accountWrites, tallies } from "#adapters/postgres/rows/AccountRows.ts"
import {
  bindings,
  events,
  holds,
  indexedLinks,
  ledgerEntriesWithHold,
  ordersWithStatus,
  promoUses,
  quotes
} from "#adapters/postgres/rows/OrderRows.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute, freshDatabase } from "../TestDatabase.ts"

const written = {
  accounts: accountWrites,
  tallies,
  quotes,
  promo_uses: promoUses,
  holds,
  orders: ordersWithStatus,
  links: indexedLinks,
  ledger: ledgerEntriesWithHold,
  bindings,
  events
}

it.live(
  "every list has the table's columns in their order, and leaves out only what the database fills in by itself",
  () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* Effect.scoped(Layer.build(storeInstance(url)))
      for (const [name, { columns }] of Object.entries(written)) {
        const [there = []] = yield* execute(
          url,
          `SELECT column_name AS name, is_nullable AS nullable FROM information_schema.columns
         WHERE table_name = '${name}' ORDER BY ordinal_position`
        )
        expect(there.map((column) => column["name"]).slice(0, columns.length), name).toEqual(columns)
        expect(
          there.slice(columns.length).filter(({ nullable }) => nullable === "NO"),
          name
        ).toEqual([])
      }
    })
)
