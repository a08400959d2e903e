// A connection beside the pools for one long read of a single snapshot, so that no order waits for it.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import { type DatabaseOptions, sessionOf } from "./Database.ts"

/** `settings` are the session's own. */
export const openSnapshotSession = (options: DatabaseOptions, settings: Readonly<Record<string, string>>) =>
  PgConnection.make({
    ...sessionOf(options),
    startupParameters: {
      ...settings,
      default_transaction_isolation: "repeatable read",
      default_transaction_read_only: "on",
      jit: "off"
    }
  })

/** Not prepared: each statement runs once, or with another text each time. */
export const run = (connection: PgConnection.PgConnection, sql: string, params: ReadonlyArray<unknown> = []) =>
  Effect.map(connection.query(sql, params, false), ({ rows }) => rows)
