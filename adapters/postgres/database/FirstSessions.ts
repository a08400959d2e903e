// The first sessions of a start: whether the database answers, and whether each connection has a session of it to itself. A pooler that
// shares sessions between transactions breaks prepared statements, notifications and settings, and two thirds of orders with them.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { reasonOf } from "./SqlErrors.ts"

/** `server`: its host and port. */
export class DatabaseRefuses extends Schema.TaggedError<DatabaseRefuses>()("DatabaseRefuses", {
  server: Schema.String,
  reason: Schema.String
}) {}

/** A pooler is in between that gives a session to each transaction. */
export class SessionsNotKept extends Schema.TaggedError<SessionsNotKept>()("SessionsNotKept", {}) {}

/** A pooler that gives sessions away in turn may return the same one by chance. */
const ROUNDS = 3

const DEFAULT_PORT = "5432"

const serverOf = (url: Redacted.Redacted): string => {
  const named = URL.parse(Redacted.value(url))
  return `${named?.hostname || "localhost"}:${named?.port || DEFAULT_PORT}`
}

/** A pooler that knows none of a session's settings is one that shares sessions. */
const isRefusedSetting = (error: SqlError): boolean => /unsupported startup parameter/i.test(reasonOf(error))

const sessionId = (connection: PgConnection.PgConnection) =>
  Effect.map(connection.query("SELECT pg_backend_pid() AS id", []), ({ rows: [row] }) => row?.["id"])

/**
 * Opens two connections, and closes them again. While the second is within a transaction, the first must still have the session that it
 * had before, and not the second's.
 */
export const checkSessions = (
  config: PgConnection.Config & { readonly url: Redacted.Redacted }
): Effect.Effect<void, DatabaseRefuses | SessionsNotKept> =>
  Effect.gen(function* () {
    const first = yield* PgConnection.make(config)
    const second = yield* PgConnection.make(config)
    for (let round = 0; round < ROUNDS; round++) {
      const before = yield* sessionId(first)
      yield* second.query("BEGIN", [])
      const other = yield* sessionId(second)
      const after = yield* sessionId(first)
      yield* second.query("ROLLBACK", [])
      if (before !== after || before === other) return yield* new SessionsNotKept()
    }
  }).pipe(
    Effect.scoped,
    Effect.catchTag("SqlError", (error) =>
      Effect.fail(
        isRefusedSetting(error)
          ? new SessionsNotKept()
          : new DatabaseRefuses({ server: serverOf(config.url), reason: reasonOf(error) })
      )
    )
  )
