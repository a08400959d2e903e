// Reads every table for a backup, in one snapshot and through a cursor: a slow reader costs no memory.
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { BackupPart } from "#core/domain/operations/Backup.ts"
import { Backup } from "#core/ports/operations/Backup.ts"
import { quoted, rowColumns, STEPS_TABLE, sessionDefaults, storedTables } from "../../backup/StoredTables.ts"
import { classified } from "../../database/Connections.ts"
import type { DatabaseOptions } from "../../database/Database.ts"
import { decodeRows } from "../../database/Queries.ts"
import { openSnapshotSession, run } from "../../database/SnapshotSession.ts"
import { conflictAsUnavailable, unavailable } from "../../database/SqlErrors.ts"
import { Text } from "../../rows/Table.ts"

/** Rows in a part: a few megabytes of the longest rows. */
const PART_ROWS = 200

/** A migration that runs holds its locks until it ends. */
const settings = { ...sessionDefaults, lock_timeout: "10s" }

const stepsOf = decodeRows(Schema.Struct({ step: Text, sha256: Text }))

const linesOf = decodeRows(Schema.Struct({ line: Text, digest: Text }))

const partOf = (table: string, lines: ReturnType<typeof linesOf>): BackupPart => ({
  _tag: "Rows",
  table,
  count: lines.length,
  digest: lines.reduce((sum, { digest }) => sum + BigInt(digest), 0n),
  json: `[${lines.map(({ line }) => line).join(",")}]`
})

/** The parts of a table; an empty table has one. */
const tableParts = (connection: PgConnection.PgConnection, table: string): Stream.Stream<BackupPart, SqlError> => {
  const declared = run(connection, `DECLARE table_rows NO SCROLL CURSOR FOR ${rowColumns(table)}`)
  const next = Effect.map(run(connection, `FETCH ${PART_ROWS} FROM table_rows`), linesOf)
  const parts = Stream.paginate(0, (fetched) =>
    Effect.gen(function* () {
      const lines = yield* next
      const isLast = lines.length < PART_ROWS
      if (isLast) yield* run(connection, "CLOSE table_rows")
      const found = lines.length > 0 || fetched === 0 ? [partOf(table, lines)] : []
      return [found, isLast ? Option.none() : Option.some(fetched + lines.length)]
    })
  )
  return Stream.unwrap(Effect.as(declared, parts))
}

const snapshot = Effect.fnUntraced(function* (options: DatabaseOptions) {
  const connection = yield* openSnapshotSession(options, settings)
  const tables = yield* storedTables(connection)
  yield* run(connection, "BEGIN")
  // Before the first query takes the snapshot: rows of a table that a migration rewrites later would not be in it.
  const names = [STEPS_TABLE, ...tables].map(quoted).join(", ")
  yield* run(connection, `LOCK TABLE ${names} IN ACCESS SHARE MODE`)
  // Another step was applied between the two: the caller takes the next backup.
  if ((yield* storedTables(connection)).join() !== tables.join()) return yield* unavailable
  const steps = stepsOf(yield* run(connection, `SELECT step, sha256 FROM ${STEPS_TABLE} ORDER BY step`))
  return Stream.make<[BackupPart]>({ _tag: "Schema", steps }).pipe(
    Stream.concat(Stream.flatMap(Stream.fromIterable(tables), (table) => tableParts(connection, table)))
  )
})

export const layer = (options: DatabaseOptions): Layer.Layer<Backup> =>
  Layer.succeed(
    Backup,
    Backup.of({
      read: Effect.succeed(
        Stream.unwrap(snapshot(options)).pipe(
          Stream.catchTag("SqlError", (error) =>
            Stream.fromEffect(conflictAsUnavailable(classified(Effect.fail(error))))
          )
        )
      )
    })
  )
