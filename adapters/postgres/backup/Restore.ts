// Writes the rows of a backup into an empty database of this version's schema, all of them in one transaction or none.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Schema, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import {
  addPart,
  type BackupPart,
  type BackupUnreadable,
  type SchemaStep,
  sameTotals,
  type TableTotal,
  type TableTotals
} from "#core/domain/operations/Backup.ts"
import { type DatabaseOptions, layer as database, sessionOf } from "../database/Database.ts"
import { BASELINE, readStep, STEPS, sinceBaseline } from "../database/MigrationSteps.ts"
import { type MigrationFault, migrate } from "../database/Migrations.ts"
import { decodeRows } from "../database/Queries.ts"
import { run } from "../database/SnapshotSession.ts"
import { reasonOf } from "../database/SqlErrors.ts"
import { Text } from "../rows/Table.ts"
import { quoted, rowColumns, sessionDefaults, storedTables } from "./StoredTables.ts"

/** Nothing was written. The reason is a sentence for the operator. */
export class RestoreRefused extends Schema.TaggedError<RestoreRefused>()("RestoreRefused", { reason: Schema.String }) {}

const refused = (reason: string) => Effect.fail(new RestoreRefused({ reason }))

const APPLICATION_NAME = "backlinks restore"

/** The migration steps fill it; the backup's row takes the place of theirs. */
const SEEDED_TABLE = "shop"

const otherSessions = `
SELECT FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'backlinks'`

/** The backup's rows fit the schema with exactly these steps; those before the baseline made what it is. */
const checkSteps = (all: ReadonlyArray<SchemaStep>) => {
  const own: ReadonlyMap<string, string> = new Map(
    [BASELINE, ...STEPS.map(readStep)].map(({ step, sha256 }) => [step, sha256])
  )
  const steps = sinceBaseline(all)
  const unknown = steps.find(({ step }) => !own.has(step))
  const other = steps.find(({ step, sha256 }) => own.has(step) && own.get(step) !== sha256)
  const missing = [...own.keys()].find((known) => !steps.some(({ step }) => step === known))
  const difference =
    unknown !== undefined
      ? `it has the step ${unknown.step}, which this version does not know`
      : other !== undefined
        ? `its step ${other.step} has another text`
        : missing !== undefined
          ? `it lacks the step ${missing}`
          : null
  return difference === null
    ? Effect.void
    : refused(
        `The backup was made by another version: ${difference}. Restore it with the version that made it, and upgrade afterwards.`
      )
}

const checkEmpty = Effect.fnUntraced(function* (connection: PgConnection.PgConnection) {
  for (const table of yield* storedTables(connection)) {
    if (table === SEEDED_TABLE) continue
    const found = yield* run(connection, `SELECT FROM ${quoted(table)} LIMIT 1`)
    if (found.length > 0) return yield* refused(`The database is not empty: the table ${table} has rows.`)
  }
})

const insertRows = (connection: PgConnection.PgConnection, table: string, json: string) => {
  const name = quoted(table)
  const rows = `SELECT * FROM json_populate_recordset(NULL::${name}, $1::json)`
  return run(connection, `INSERT INTO ${name} ${rows}`, [json])
}

const storedTotals = decodeRows(Schema.Struct({ rows: Text, digest: Text }))

/** What the tables come to now that they are filled, as the backup's own totals were computed. */
const totalsIn = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, tables: ReadonlyArray<string>) {
  const totals = new Map<string, TableTotal>()
  for (const table of tables) {
    const sums = `SELECT count(*)::text AS rows, coalesce(sum(digest::bigint), 0)::text AS digest FROM (${rowColumns(table)}) found`
    for (const { rows, digest } of storedTotals(yield* run(connection, sums))) {
      totals.set(table, { rows: Number(rows), digest: BigInt(digest) })
    }
  }
  return totals
})

/** The next account gets a number that none has. */
const setNextAccountNo =
  "SELECT setval(pg_get_serial_sequence('accounts', 'account_no'), max(account_no)) FROM accounts HAVING count(*) > 0"

const switchTriggers = (
  connection: PgConnection.PgConnection,
  tables: ReadonlyArray<string>,
  to: "ENABLE" | "DISABLE"
) =>
  Effect.forEach(tables, (table) => run(connection, `ALTER TABLE ${quoted(table)} ${to} TRIGGER USER`), {
    discard: true
  })

const fill = Effect.fnUntraced(function* (
  connection: PgConnection.PgConnection,
  parts: Stream.Stream<BackupPart, BackupUnreadable>
): Effect.fn.Return<TableTotals, BackupUnreadable | RestoreRefused | SqlError> {
  const tables = yield* storedTables(connection)
  yield* run(connection, "BEGIN")
  yield* run(connection, `LOCK TABLE ${tables.map(quoted).join(", ")} IN SHARE ROW EXCLUSIVE MODE`)
  yield* checkEmpty(connection)
  // What triggers wrote is in the backup.
  yield* switchTriggers(connection, tables, "DISABLE")
  yield* run(connection, `DELETE FROM ${quoted(SEEDED_TABLE)}`)
  let totals: TableTotals = new Map()
  yield* Stream.runForEach(parts, (part): Effect.Effect<unknown, RestoreRefused | SqlError> => {
    totals = addPart(totals, part)
    if (part._tag === "Schema" || part.count === 0) return Effect.void
    return tables.includes(part.table)
      ? insertRows(connection, part.table, part.json)
      : refused(`The backup has the table ${part.table}, which the database does not have.`)
  })
  yield* run(connection, setNextAccountNo)
  if (!sameTotals(totals, yield* totalsIn(connection, tables)))
    return yield* refused("The rows in the database are not those of the backup.")
  yield* switchTriggers(connection, tables, "ENABLE")
  yield* run(connection, "COMMIT")
  return totals
})

/**
 * `parts` has to fail at its end if what it read was incomplete or altered: then nothing is committed. The database is created or
 * migrated if it has no rows; one with rows is left as it is.
 */
export const restore = Effect.fnUntraced(function* (
  address: Pick<DatabaseOptions, "url" | "tls">,
  steps: ReadonlyArray<SchemaStep>,
  parts: Stream.Stream<BackupPart, BackupUnreadable>
): Effect.fn.Return<TableTotals, BackupUnreadable | MigrationFault | RestoreRefused> {
  yield* checkSteps(steps)
  const options = { ...address, applicationName: APPLICATION_NAME }
  const session = { ...sessionOf(options), startupParameters: sessionDefaults }
  const connected = Effect.gen(function* () {
    const connection = yield* PgConnection.make(session)
    if ((yield* run(connection, otherSessions)).length > 0)
      return yield* refused("A service uses this database. Stop every instance first.")
    yield* checkEmpty(connection)
    const migrated = migrate([]).pipe(Effect.provide(database({ ...options, connections: 3 })))
    yield* migrated
    const totals = yield* fill(connection, parts).pipe(
      Effect.catchTag("SqlError", (error) =>
        refused(`The database refused the rows of the backup: ${reasonOf(error)}.`)
      )
    )
    // The planner's statistics, before the first order.
    yield* run(connection, "ANALYZE")
    return totals
  })
  return yield* Effect.scoped(connected)
})
