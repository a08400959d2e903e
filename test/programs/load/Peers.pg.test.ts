// The peers do the same work as the service: their orders leave the same rows and keep its invariants, and their pages have the same
// content.
import { readFile } from "node:fs/promises"
import { it } from "@effect/vitest"
import { Effect, Layer, type Redacted } from "effect"
import { expect } from "vitest"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { storeInstance } from "#test/adapters/postgres/StoreInstances.ts"
import { execute, freshDatabase } from "#test/adapters/postgres/TestDatabase.ts"
import { type Page, pagesOf } from "./CataloguePages.ts"
import { type Call, HttpConnection } from "./HttpConnection.ts"
import { order } from "./OrderComparison.ts"
import { peerKey, seedCatalogue, seedOrders, seedPeers } from "./SeedData.ts"
import { instances, peer, type Server } from "./Servers.ts"

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
  "deliveries"
]

/** What is in the peers' tables and in tables of the service, each after those that it refers to. The service raises an event only where a webhook receives it. */
const PEER_TABLES = [
  ...["accounts", "keys", "sites", "promos"],
  ...TABLES.filter((table) => !["accounts", "deliveries", "holds", "orders", "bindings", "promo_uses"].includes(table)),
  "events"
]

/** The columns that two orders of the same link have in common: amounts and states. */
const isAlike = (column: string): boolean => /cents$|^(status|state|kind|mode|format|type|answer_status)$/.test(column)

const masked = (row: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, isAlike(column) || value === null ? value : "something"])
  )

/** Every row of every table that an order writes, and the violations that reconciliation finds. */
const booksOf = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const statements = TABLES.map((table) => `SELECT * FROM ${table} t ORDER BY to_jsonb(t) ->> 'kind'`)
  const rows = yield* execute(url, ...statements)
  const { violations } = yield* Effect.flatMap(Reconciliation, ({ reconcile }) => reconcile(1)).pipe(
    Effect.provide(storeInstance(url))
  )
  return { violations, tables: TABLES.map((table, index) => [table, rows[index]?.map(masked)]) }
})

const sendTo = ({ baseUrl }: Server, call: Call) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new HttpConnection(baseUrl)),
    (connection) => Effect.promise(() => connection.send(call)),
    (connection) => Effect.sync(() => connection.close())
  )

/** The peers keep the service's invariants: their rows, copied into its tables, are reconciled there. */
const booksOfPeer = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  yield* Effect.scoped(Layer.build(storeInstance(url)))
  yield* execute(
    url,
    `DO $$
     DECLARE
       name text;
       columns text;
     BEGIN
       FOREACH name IN ARRAY ARRAY[${PEER_TABLES.map((table) => `'${table}'`).join(", ")}] LOOP
         -- What an order writes names its account by a number, which is 1: there is one account.
         IF EXISTS (
           SELECT FROM information_schema.columns
           WHERE table_schema = 'public' AND table_name = name AND column_name = 'account_no' AND is_identity = 'NO'
         ) THEN EXECUTE format('ALTER TABLE public.%I ALTER account_no SET DEFAULT 1', name); END IF;
         SELECT string_agg(format('%I', column_name), ', ' ORDER BY ordinal_position) INTO columns
         FROM information_schema.columns WHERE table_schema = 'plain' AND table_name = name AND column_name IN (
           SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = name
         );
         -- The service has bindings, orders and uses of codes as columns of the quote.
         IF name = 'quotes' THEN
           EXECUTE format('INSERT INTO public.quotes (%s, fingerprint, answer_status, answer_body, ordered_at_ms, order_status,
               promo_code)
             SELECT %s, b.fingerprint, b.answer_status, b.answer_body, o.created_at_ms, o.status, u.code
             FROM plain.quotes q LEFT JOIN plain.bindings b ON b.quote_id = q.quote_id
             LEFT JOIN plain.orders o ON o.quote_id = q.quote_id LEFT JOIN plain.promo_uses u ON u.quote_id = q.quote_id',
             columns, 'q.' || replace(columns, ', ', ', q.'));
         ELSE
           EXECUTE format('INSERT INTO public.%I (%s) SELECT %s FROM plain.%I', name, columns, columns, name);
         END IF;
       END LOOP;
       -- The service does not store the version that an account had before.
       UPDATE public.accounts SET previous = NULL;
     END $$`,
    // The peers have no members.
    `INSERT INTO members SELECT replace(account_id, 'acc_', 'mem_'), account_id, email, 'owner', created_at_ms FROM accounts`
  )
  return yield* booksOf(url)
})

const placeAt = (server: Server, key: string) => sendTo(server, order(key, 0, 0))

const byService = Effect.gen(function* () {
  const url = yield* freshDatabase
  const [key = ""] = yield* seedOrders(url, 1)
  const [server] = yield* instances(1, url)
  expect(server && (yield* placeAt(server, key)).status).toBe(201)
  return yield* booksOf(url)
})

const byHand = Effect.gen(function* () {
  const url = yield* freshDatabase
  const { status, body } = yield* placeAt(yield* peer("Handwritten", yield* seedPeers(url, 1)), peerKey(1))
  expect([status, body]).toEqual([201, expect.stringContaining('"order_status":"paid"')])
  return yield* booksOfPeer(url)
})

const asOneStatement = Effect.gen(function* () {
  const url = yield* freshDatabase
  const script = yield* Effect.promise(() => readFile(new URL("./peers/Order.sql", import.meta.url), "utf8"))
  const statement = script.replaceAll(/^\\set.*$/gm, "").replaceAll(/(?<!:):(account|site|order)\b/g, "1")
  const [rows] = yield* execute(yield* seedPeers(url, 1), statement)
  expect(rows).toEqual([{ body: expect.stringContaining('"order_status" : "paid"') }])
  return yield* booksOfPeer(url)
})

it.live("an order by hand, and one as a statement, leave the same rows as the service's order", () =>
  Effect.gen(function* () {
    const books = yield* byService
    expect(books.violations).toEqual([])
    expect(yield* byHand).toEqual(books)
    expect(yield* asOneStatement).toEqual(books)
  })
)

/** A page without the cursor, which is only an id in the handwritten peer. */
const shownBy = Effect.fnUntraced(function* (server: Server, call: Call) {
  const { status, body } = yield* sendTo(server, call)
  const { next_cursor: _, ...page } = JSON.parse(body)
  return { status, page }
})

it.live("a page of the catalogue by hand has the same content as the service's", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const key = yield* seedCatalogue(url, 60)
    const [service = yield* Effect.die("no service")] = yield* instances(1, url)
    const byHand = yield* peer("CataloguePage", url)
    const list = { filter: {}, query: {}, sort: "-tf" } as const
    const { first, middle, last } = yield* Effect.promise(() => pagesOf(service.baseUrl, key, list))
    const compared = ({ service: asked, handwritten }: Page) =>
      Effect.all([shownBy(service, asked), shownBy(byHand, handwritten)])
    for (const page of [first, middle, last]) {
      const [expected, found] = yield* compared(page)
      expect(expected).toMatchObject({ status: 200, page: { count: 20, total: 60 } })
      expect(found).toEqual(expected)
    }
  }).pipe(Effect.scoped)
)
