// A comparison is worth what is compared: the peers' orders are held to the rows that the service leaves for the same order, and to
// the laws of its books.
import { readFile } from "node:fs/promises"
import { it } from "@effect/vitest"
import { Effect, type Redacted } from "effect"
import { expect } from "vitest"
import { Reconciliation } from "#core/ports/Reconciliation.ts"
import { instance } from "#test/postgres/Fleet.ts"
import { execute, freshDatabase } from "#test/postgres/Server.ts"
import { Line } from "./Line.ts"
import { order } from "./OrderContest.ts"
import { instances, peer, type Server } from "./Servers.ts"
import { peerKey, stockOrders, stockPeers } from "./Stock.ts"

const TABLES = [
  "accounts",
  "tallies",
  "quotes",
  "promo_uses",
  "holds",
  "orders",
  "links",
  "ledger",
  "bindings",
  "events",
  "deliveries",
  "audit"
]

/** What two orders of the same link must have in common: amounts, and what became of them. */
const isAlike = (column: string): boolean => /cents$|^(status|state|kind|mode|format|type|answer_status)$/.test(column)

const masked = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, isAlike(column) || value === null ? value : "something"])
  )

/** Every row of every table that an order writes to, and what reconciliation says of them. */
const booksOf = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const statements = TABLES.map((table) => `SELECT * FROM ${table} t ORDER BY to_jsonb(t) ->> 'kind'`)
  const rows = yield* execute(url, ...statements)
  const { findings } = yield* Effect.flatMap(Reconciliation, ({ prove }) => prove(1)).pipe(
    Effect.provide(instance(url))
  )
  return { findings, tables: TABLES.map((table, index) => [table, rows[index]?.map(masked)]) }
})

const placeAt = ({ baseUrl }: Server, key: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Line(baseUrl)),
    (line) => Effect.promise(() => line.send(order(key, 0, 0))),
    (line) => Effect.sync(() => line.close())
  )

const byService = Effect.gen(function* () {
  const url = yield* freshDatabase
  const [key = ""] = yield* stockOrders(url, 1)
  const [server] = yield* instances(1, url)
  expect(server && (yield* placeAt(server, key)).status).toBe(201)
  return yield* booksOf(url)
})

const byHand = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* stockPeers(url, 1)
  const { status, body } = yield* placeAt(yield* peer("Handwritten", url), peerKey(1))
  expect([status, body]).toEqual([201, expect.stringContaining('"order_status":"paid"')])
  return yield* booksOf(url)
})

const asOneStatement = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* stockPeers(url, 1)
  const script = yield* Effect.promise(() => readFile(new URL("./peers/Order.sql", import.meta.url), "utf8"))
  const statement = script.replaceAll(/^\\set.*$/gm, "").replaceAll(/(?<!:):(account|site|order)\b/g, "1")
  const [rows] = yield* execute(url, statement)
  expect(rows).toEqual([{ body: expect.stringContaining('"order_status" : "paid"') }])
  return yield* booksOf(url)
})

it.live("an order by hand, and one as a statement, leave what the service's order leaves", () =>
  Effect.gen(function* () {
    const books = yield* byService
    expect(books.findings).toEqual([])
    expect(yield* byHand).toEqual(books)
    expect(yield* asOneStatement).toEqual(books)
  })
)
