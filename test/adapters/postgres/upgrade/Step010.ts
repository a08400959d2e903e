// A database as the version with steps 001 to 010 left it, with rows in every table. `Step010.jsonl` holds rows that this version wrote:
// an order paid by credit with a promotion code and a link cancelled afterwards, an order paid by card, an expired quote that still
// holds credit, and a webhook with a failed delivery.
import { readFileSync } from "node:fs"
import { Effect, type Redacted, Schema } from "effect"
import { readStep, STEPS } from "#adapters/postgres/database/MigrationSteps.ts"
import { execute, freshDatabase } from "../TestDatabase.ts"

const [first = "", ...lines] = readFileSync(new URL("./Step010.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")

/** What the rows are known by. The keys open nothing but these rows. */
export const known = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      paidOrderId: Schema.String,
      openQuoteId: Schema.String,
      paidQuoteId: Schema.String,
      articleId: Schema.Int,
      siteId: Schema.Int,
      credit: Schema.String,
      card: Schema.String
    })
  )
)(first)

/** The key that sealed the webhook's secret. */
export const ENCRYPTION_KEY = Buffer.alloc(32, "upgrade").toString("base64")

const tables = Schema.decodeUnknownSync(
  Schema.Array(Schema.fromJsonString(Schema.Struct({ table: Schema.String, rows: Schema.Array(Schema.Unknown) })))
)(lines)

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const OLD_STEPS = STEPS.filter((step) => step <= "010_locality").map(readStep)

/** Brings an empty database into that state. */
export const writeStep010 = (url: Redacted.Redacted) =>
  execute(
    url,
    // Rows come in the order of the tables' names, and not in that of their foreign keys.
    "SET session_replication_role = replica",
    "CREATE TABLE schema_steps (step text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    ...OLD_STEPS.map(({ script }) => `DO $step$ BEGIN EXECUTE ${quoted(script)}; END $step$`),
    "DELETE FROM shop",
    ...tables.map(
      ({ table, rows }) =>
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, ${quoted(JSON.stringify(rows))})`
    )
  )

/** The address of a new database in that state. */
export const databaseOfStep010 = Effect.gen(function* () {
  const url = yield* freshDatabase
  yield* writeStep010(url)
  return { url, emptyTables: tables.filter(({ rows }) => rows.length === 0).map(({ table }) => table) }
})
