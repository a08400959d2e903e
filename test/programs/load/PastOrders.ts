// Orders of the past, inserted by SQL before a load begins. Only their number matters, not how they were placed.
import { Effect, type Redacted } from "effect"
import { execute } from "./DatabaseServer.ts"
import { ownPastOrders } from "./OwnPastOrders.ts"
import { pastView } from "./PastOrderRows.ts"
import { plainPastOrders } from "./PlainPastOrders.ts"
import { analyzeTables } from "./SeedData.ts"

/** Inserts `count` past orders, each from quote to binding, into the tables of the service or of its peers. */
export const insertPastOrders = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  count: number,
  tables: "own" | "plain" = "own"
) {
  if (count === 0) return
  const inserts = tables === "own" ? ownPastOrders : plainPastOrders
  // Skips the check of foreign keys, row by row, because every row here has its parent. Only a superuser can. How many rows
  // were inserted is known before the tables are vacuumed: otherwise autovacuum does it again, beside the load.
  yield* execute(
    url,
    "SET session_replication_role = replica",
    ...pastView(count, tables === "own" ? "account_no" : "NULL"),
    ...inserts,
    "SELECT pg_stat_force_next_flush()"
  )
  const filled = inserts.flatMap((statement) => /^INSERT INTO (\w+)/.exec(statement)?.[1] ?? [])
  yield* analyzeTables(url, ...new Set(filled))
})
