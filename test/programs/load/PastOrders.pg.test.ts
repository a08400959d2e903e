// Past orders are inserted by SQL. They must keep the service's invariants, have the size and shape of its responses, and have ids that
// sort before new ones.
import { it } from "@effect/vitest"
import { Effect, type Redacted, Schema } from "effect"
import { expect } from "vitest"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { storeInstance } from "#test/adapters/postgres/StoreInstances.ts"
import { execute, freshDatabase } from "#test/adapters/postgres/TestDatabase.ts"
import { insertPastOrders } from "./PastOrders.ts"
import { seedOrders } from "./SeedData.ts"

const ACCOUNTS = 3
const ORDERS = 1_000

const parsed = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

const rowsOf = Effect.fnUntraced(function* (url: Redacted.Redacted, sql: string) {
  const [rows = []] = yield* execute(url, sql)
  return rows
})

const counts = (tables: ReadonlyArray<string>): string =>
  `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(", ")}`

it.live("past orders keep every invariant of the service's books", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    yield* seedOrders(url, ACCOUNTS)
    yield* insertPastOrders(url, ORDERS)
    const tables = ["quotes", "promo_uses", "orders", "links", "bindings", "invoices"]
    const [count] = yield* rowsOf(url, counts([...tables, "holds"]))
    expect(count).toEqual({ ...Object.fromEntries(tables.map((table) => [table, ORDERS])), holds: 0 })
    const { checked, violations } = yield* Effect.flatMap(Reconciliation, ({ reconcile }) => reconcile(1)).pipe(
      Effect.provide(storeInstance(url))
    )
    expect(checked.ledgerEntries).toBe(2 * ACCOUNTS + ORDERS)
    expect(violations).toEqual([])
  })
)

it.live("past orders leave nothing to do for the jobs that invoice them and write mails of them", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    yield* seedOrders(url, ACCOUNTS)
    yield* insertPastOrders(url, ORDERS)
    const marks = yield* rowsOf(
      url,
      `SELECT (SELECT orders_to FROM invoice_progress) = max(order_id) AS invoiced,
         (SELECT examined_to FROM purchase_mail_progress) = max(order_id) AS mailed FROM orders`
    )
    expect(marks).toEqual([{ invoiced: true, mailed: true }])
  })
)

it.live("past orders are spread over the accounts, and sort before everything new", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    yield* seedOrders(url, ACCOUNTS)
    yield* insertPastOrders(url, ORDERS)
    const shares = yield* rowsOf(url, "SELECT count(*)::int AS orders FROM orders GROUP BY account_no ORDER BY 1")
    expect(shares).toEqual([333, 333, 334].map((orders) => ({ orders })))
    const [ages] = yield* rowsOf(
      url,
      `SELECT max(substr(order_id, 5)) < min(substr(key_id, 5)) AS before, min(length(order_id)) AS length,
         (SELECT max(length(key_id)) FROM keys) AS today FROM orders JOIN keys USING (key_id)`
    )
    expect(ages).toEqual({ before: true, length: 32, today: 32 })
    const [texts] = yield* rowsOf(url, "SELECT answer_body AS answer FROM bindings")
    expect(parsed(texts?.["answer"])).toMatchObject({ ok: true, order_id: expect.stringMatching(/^ord_00/) })
  })
)

it.live("no past orders change nothing", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    // There are no tables.
    yield* insertPastOrders(url, 0)
  })
)
