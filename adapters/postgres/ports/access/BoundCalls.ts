// Calls that idempotency keys bind, in PostgreSQL. Each call of the port is one statement.
import { Effect } from "effect"
import { type BoundCall, CALL_BOUND_MS, CALL_SECRET_MS } from "#core/domain/access/BoundCall.ts"
import { BoundCalls } from "#core/ports/access/BoundCalls.ts"
import { overDatabase } from "../../database/Database.ts"
import { execute, NOW_MS, queryValues } from "../../database/Queries.ts"
import { boundCalls } from "../../rows/SignInRows.ts"
import { columnOf } from "../../rows/Table.ts"

const COLUMNS = boundCalls.names.map(columnOf)

/** Inserts the row, or writes it over the one of its hash if that is old or has no more than `open` says, and returns what is kept. */
const keepUnless = (open: string): string => {
  const isFree = `(c.bound_at_ms <= EXCLUDED.bound_at_ms - ${CALL_BOUND_MS} OR ${open})`
  const assignments = COLUMNS.map((name) => `${name} = CASE WHEN ${isFree} THEN EXCLUDED.${name} ELSE c.${name} END`)
  return `INSERT INTO bound_calls AS c SELECT * FROM jsonb_populate_record(NULL::bound_calls, $1::jsonb) ON CONFLICT (call_hash) DO UPDATE SET ${assignments.join(", ")}
    RETURNING ${boundCalls.list("c")} AS value`
}

const statements = {
  bind: keepUnless("false"),
  answer: keepUnless("c.answered_at_ms IS NULL"),
  release: "DELETE FROM bound_calls WHERE call_hash = $1 AND answered_at_ms IS NULL",
  prune: `WITH spent AS (
      UPDATE bound_calls SET sealed = NULL
      WHERE sealed IS NOT NULL AND answered_at_ms <= ${NOW_MS} - ${CALL_SECRET_MS} AND bound_at_ms > ${NOW_MS} - ${CALL_BOUND_MS}
    )
    DELETE FROM bound_calls WHERE bound_at_ms <= ${NOW_MS} - ${CALL_BOUND_MS}`
}

export const layer = overDatabase(BoundCalls, ({ write }) => {
  const kept = (sql: string) => {
    const rows = queryValues(write, boundCalls.schema, sql)
    return (call: BoundCall) => Effect.map(rows(JSON.stringify(boundCalls.row(call))), ([row]) => row ?? call)
  }
  const prune = execute(write, statements.prune)

  return BoundCalls.of({
    bind: kept(statements.bind),
    answer: kept(statements.answer),
    release: execute(write, statements.release),
    prune: Effect.suspend(prune)
  })
})
