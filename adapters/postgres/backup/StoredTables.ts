// The tables of the store, in an order in which their rows can be inserted, and the form in which a backup has their rows.
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Schema } from "effect"
import { decodeRows } from "../database/Queries.ts"
import { run } from "../database/SnapshotSession.ts"
import { Text } from "../rows/Table.ts"

export const STEPS_TABLE = "schema_steps"

/** Migration steps are compared, and never restored; definitions are those of the version that restores. */
const BOOKKEEPING = `('${STEPS_TABLE}', 'schema_steps_ahead', 'schema_definitions')`

const selectTables = `
SELECT c.relname::text AS "name", (
  SELECT coalesce(array_agg(DISTINCT r.relname::text), '{}') FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
  WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
) AS "references"
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname NOT IN ${BOOKKEEPING}
ORDER BY c.relname`

const tablesOf = decodeRows(Schema.Struct({ name: Text, references: Schema.Array(Text) }))

type StoredTable = ReturnType<typeof tablesOf>[number]

/** Every table after those that it refers to. */
const inOrderOfReferences = (tables: ReadonlyArray<StoredTable>): ReadonlyArray<string> => {
  const ordered: Array<string> = []
  for (let rest = tables; rest.length > 0; ) {
    const ready = rest.filter(({ references }) => references.every((one) => ordered.includes(one)))
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${rest.map(({ name }) => name)}`)
    ordered.push(...ready.map(({ name }) => name))
    rest = rest.filter(({ name }) => !ordered.includes(name))
  }
  return ordered
}

export const storedTables = (connection: PgConnection.PgConnection) =>
  Effect.map(run(connection, selectTables), (rows) => inOrderOfReferences(tablesOf(rows)))

/** The name of a table as an identifier. */
export const quoted = (table: string): string => `"${table.replaceAll('"', '""')}"`

/** A row of `t` as JSON, and the first 56 bits of the SHA-256 of that text. */
export const rowColumns = (table: string): string =>
  `SELECT line, ('x' || encode(substr(sha256(convert_to(line, 'UTF8')), 1, 7), 'hex'))::bit(56)::bigint::text AS digest
   FROM (SELECT row_to_json(t)::text AS line FROM ${quoted(table)} t OFFSET 0) lines`

/** Settings that the text of a row depends on, and no limit on the time of a statement over a whole table. */
export const sessionDefaults = {
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "2min",
  timezone: "UTC",
  extra_float_digits: "1",
  bytea_output: "hex",
  jit: "off"
}
