// No statement of the service scans a growing table, not even inside the database's functions or for foreign keys: the database's own
// statistics show it.
import { it } from "@effect/vitest"
import { Effect, Layer, type Redacted, Schedule, Schema } from "effect"
import { expect } from "vitest"
import { item } from "#test/core/Given.ts"
import { buyer, submitOrder } from "#test/core/ports/ShopSetup.ts"
import { buyAndCancel, manageKeysAndWebhooks, unusedNumbers } from "./AllOperations.ts"
import { readEverything, searchCatalogue } from "./AllReads.ts"
import { bulkInserts } from "./BulkRows.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { longWaits, storeInstance } from "./StoreInstances.ts"
import { execute } from "./TestDatabase.ts"

const ROWS = 6_000
/** More rows than all operations together read by the right indexes; one read by a wrong one reads most of a table. */
const MANY = 200
/** Nearly every operation looks its account up, and every row that it writes. */
const LOOKED_UP: Readonly<Record<string, number>> = { accounts_pkey: 2 * MANY }

/** One row for the shop, and one for each step of the schema. */
const small = ["shop", "schema_steps", "schema_steps_ahead", "schema_definitions"]

const counts = "SELECT relname AS name, seq_scan::int AS scans FROM pg_stat_user_tables ORDER BY relname"
const others =
  "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'backlinks' AND datname = current_database()"

const Counts = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ name: Schema.String, scans: Schema.Int })))

/** Sessions report their statistics when they end. */
const ended = (url: Redacted.Redacted) =>
  execute(url, others).pipe(
    Effect.repeat({ until: ([rows]) => rows?.[0]?.["count"] === 0, schedule: Schedule.spaced("20 millis") })
  )

const scansOf = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  yield* ended(url)
  const [rows] = yield* execute(url, counts)
  return Counts(rows).filter(({ name }) => !small.includes(name))
})

it.live("no growing table is scanned sequentially", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const session = Layer.merge(storeInstance(url), unusedNumbers)
    const start = Effect.scoped(Layer.build(session))
    yield* start
    yield* execute(url, ...bulkInserts(ROWS))
    const before = yield* scansOf(url)
    // The start of the service is measured, too.
    yield* Effect.all([buyAndCancel, manageKeysAndWebhooks, searchCatalogue, readEverything]).pipe(
      Effect.provide(session)
    )
    expect(yield* scansOf(url)).toEqual(before)
  })
)

/** Leaves out the outbox, whose backlog is counted by every query for it. */
const rowsRead = `SELECT indexrelname AS name, idx_tup_read::int AS rows FROM pg_stat_user_indexes
  WHERE relname <> 'outbox' ORDER BY name`

const RowsRead = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ name: Schema.String, rows: Schema.Int })))

const forEachTable = (statement: string): string =>
  `DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT relname FROM pg_stat_user_tables WHERE relname <> ALL ('{${small}}') LOOP EXECUTE format('${statement}', t); END LOOP;
  END $$`

/** Turns off triggers, which forbid deletions from the ledger, and empties the tables. */
const emptied = ["SET session_replication_role = replica", forEachTable("DELETE FROM %I")]

/** The planner's statistics must not change, not even by autovacuum. */
const withoutAnalyze = (rows: number) => bulkInserts(rows).filter((sql) => sql !== "VACUUM ANALYZE")
const withoutAutovacuum = forEachTable("ALTER TABLE %I SET (autovacuum_enabled = off)")

/** An order at a site with very many links. */
const BUSY_SITE = 7
const crowded = `UPDATE links SET site_id = ${BUSY_SITE}`
const orderThere = Effect.flatMap(buyer(), ({ caller }) =>
  submitOrder(caller, { items: [item({ siteId: BUSY_SITE })] })
)

// The planner might prefer a scan for few rows, or the wrong one of two small indexes. Sessions keep such plans while the tables grow and
// the statistics stay the same.
it.live.each([0, 5, 200])("plans made for %i rows still use the right indexes for many", (few) =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const read = Effect.map(execute(url, rowsRead), ([rows]) => RowsRead(rows))
    yield* Effect.scoped(Layer.build(storeInstance(url)))
    yield* execute(url, "VACUUM ANALYZE", withoutAutovacuum)
    const before = yield* Effect.scoped(
      Effect.gen(function* () {
        const session = yield* Layer.build(
          Layer.merge(storeInstance(url, { ...longWaits, connections: 3 }), Layer.fresh(unusedNumbers))
        )
        yield* execute(url, ...withoutAnalyze(few))
        yield* Effect.provide(Effect.all([buyAndCancel, manageKeysAndWebhooks]), session)
        yield* execute(url, ...emptied, ...withoutAnalyze(ROWS), crowded)
        const before = yield* read
        yield* Effect.provide(Effect.all([buyAndCancel, manageKeysAndWebhooks, orderThere]), session)
        return new Map(before.map(({ name, rows }) => [name, rows]))
      })
    )
    yield* ended(url)
    const much = (yield* read).filter(({ name, rows }) => rows - (before.get(name) ?? 0) > (LOOKED_UP[name] ?? MANY))
    expect(much).toEqual([])
  })
)
