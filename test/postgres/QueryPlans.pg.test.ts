// Nothing that the service asks for or writes goes through a growing table from end to end. The database counts it itself, also
// within its functions and for its foreign keys.
import { it } from "@effect/vitest"
import { Effect, Layer, type Redacted, Schedule, Schema } from "effect"
import { expect } from "vitest"
import { item } from "#test/core/Given.ts"
import { buyer, submitOrder } from "#test/ports/ShopSetup.ts"
import { buyAndCancel, manageKeysAndWebhooks, readEverything, searchCatalogue, unusedNumbers } from "./AllOperations.ts"
import { bulkInserts } from "./BulkRows.ts"
import { longWaits, storeInstance } from "./StoreInstances.ts"
import { execute, freshDatabase } from "./TestDatabase.ts"

const ROWS = 20_000

/** One row for the shop, and one for each step of the schema. */
const small = ["shop", "schema_steps"]

const counts = "SELECT relname AS name, seq_scan::int AS scans FROM pg_stat_user_tables ORDER BY relname"
const others =
  "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'backlinks' AND datname = current_database()"

const Counts = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ name: Schema.String, scans: Schema.Int })))

/** Connections report what they did when they end. */
const ended = (url: Redacted.Redacted) =>
  execute(url, others).pipe(
    Effect.repeat({ until: ([rows]) => rows?.[0]?.["count"] === 0, schedule: Schedule.spaced("20 millis") })
  )

const scansOf = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  yield* ended(url)
  const [rows] = yield* execute(url, counts)
  return Counts(rows).filter(({ name }) => !small.includes(name))
})

it.live("no table that grows is ever read from end to end", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const session = Layer.merge(storeInstance(url), unusedNumbers)
    const start = Effect.scoped(Layer.build(session))
    yield* start
    yield* execute(url, ...bulkInserts(ROWS))
    const before = yield* scansOf(url)
    // Also not when the service starts.
    yield* Effect.all([buyAndCancel, manageKeysAndWebhooks, searchCatalogue, readEverything]).pipe(
      Effect.provide(session)
    )
    expect(yield* scansOf(url)).toEqual(before)
  })
)

/** The backlog is counted whenever somebody asks how long it is. */
const rowsRead = `SELECT indexrelname AS name, idx_tup_read::int AS rows FROM pg_stat_user_indexes
  WHERE relname <> 'outbox' ORDER BY name`

const RowsRead = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ name: Schema.String, rows: Schema.Int })))

const ofEach = (deed: string): string =>
  `DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT relname FROM pg_stat_user_tables WHERE relname <> ALL ('{${small}}') LOOP EXECUTE format('${deed}', t); END LOOP;
  END $$`

/** Without triggers: the ledger is not to be emptied. */
const emptied = ["SET session_replication_role = replica", ofEach("DELETE FROM %I")]

/** Nobody tells the planner, not even the database by itself: it might come in the one moment in which the shop is empty. */
const untold = (rows: number) => bulkInserts(rows).filter((sql) => sql !== "VACUUM ANALYZE")
const unattended = ofEach("ALTER TABLE %I SET (autovacuum_enabled = off)")

/** A placement at a site that carries very many links. */
const BUSY_SITE = 7
const crowded = `UPDATE links SET site_id = ${BUSY_SITE}`
const orderThere = Effect.flatMap(buyer(), ({ caller }) =>
  submitOrder(caller, { items: [item({ siteId: BUSY_SITE })] })
)

// To the planner some tables are as well gone through from end to end while they have next to nothing, and of two indexes one is as
// good as the other while both fit on a page or two. Sessions keep their plans, and nobody tells the planner that the shop has grown.
it.live.each([0, 5, 200])("by plans that were made for %i rows, everything is still looked up one by one", (few) =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const read = Effect.map(execute(url, rowsRead), ([rows]) => RowsRead(rows))
    yield* Effect.scoped(Layer.build(storeInstance(url)))
    yield* execute(url, "VACUUM ANALYZE", unattended)
    const before = yield* Effect.scoped(
      Effect.gen(function* () {
        const session = yield* Layer.build(
          Layer.merge(storeInstance(url, { ...longWaits, connections: 3 }), Layer.fresh(unusedNumbers))
        )
        yield* execute(url, ...untold(few))
        yield* Effect.provide(Effect.all([buyAndCancel, manageKeysAndWebhooks]), session)
        yield* execute(url, ...emptied, ...untold(ROWS), crowded)
        const before = yield* read
        yield* Effect.provide(Effect.all([buyAndCancel, manageKeysAndWebhooks, orderThere]), session)
        return new Map(before.map(({ name, rows }) => [name, rows]))
      })
    )
    yield* ended(url)
    const much = (yield* read).filter(({ name, rows }) => rows - (before.get(name) ?? 0) > ROWS / 100)
    expect(much).toEqual([])
  })
)
