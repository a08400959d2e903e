// Frees finished records, a bounded number in each transaction. Ids begin with their time, so that old records are found by the primary
// key; no index is written for retention but that of stored answers. One instance at a time frees records, and it never waits for a row:
// what another transaction has locked is left for a later pass.
import { Effect, Schema } from "effect"
import { FREED_TABLES, type FreedRows, type RetentionKind } from "#core/domain/operations/Retention.ts"
import { idPrefixAt } from "#core/domain/shared/DecisionContext.ts"
import { Retention, type RetentionStep } from "#core/ports/operations/Retention.ts"
import { tryLock } from "../../database/AdvisoryLocks.ts"
import type { RunWrite } from "../../database/Connections.ts"
import { overDatabase } from "../../database/Database.ts"
import { decodeRows, NOW_MS, query } from "../../database/Queries.ts"
import { Integer, Text, textOrNull } from "../../rows/Table.ts"

/** The next `$3` ids of a table after `$1` whose time is before `$2`, live ones before those of the sandbox. */
const examine = (table: string, id: string, prefix: string, condition = "true"): string => `
SELECT ${id} FROM (
  (SELECT ${id} FROM ${table} WHERE ${id} > $1 AND ${id} >= '${prefix}' AND ${id} < '${prefix}' || $2 AND ${condition}
    ORDER BY ${id} LIMIT $3)
  UNION ALL
  (SELECT ${id} FROM ${table} WHERE ${id} > $1 AND ${id} >= '${prefix}test_' AND ${id} < '${prefix}test_' || $2 AND ${condition}
    ORDER BY ${id} LIMIT $3)
) one ORDER BY ${id} LIMIT $3`

const examinedCount = (id: string): string =>
  `(SELECT count(*) FROM examined)::int AS examined, (SELECT max(${id}) FROM examined) AS last`

/** The state is compared again under the row's lock, so that a redelivery that was quicker keeps it. */
const freeDeliveries = `
WITH examined AS MATERIALIZED (${examine("deliveries", "delivery_id", "dlv_")}),
ended AS MATERIALIZED (
  SELECT d.delivery_id FROM deliveries d
  WHERE d.delivery_id IN (SELECT delivery_id FROM examined) AND d.state <> 'pending' AND d.created_at_ms < $4::bigint
    AND coalesce((d.attempts -> -1 ->> 'atMs')::numeric + (d.attempts -> -1 ->> 'durationMs')::numeric, 0) < $4::bigint
  FOR UPDATE SKIP LOCKED
),
gone AS (
  DELETE FROM deliveries d USING ended WHERE d.delivery_id = ended.delivery_id
  RETURNING d.webhook_id, d.state, d.attempts, d.attempts_in_run
),
interrupted AS (
  INSERT INTO freed_interruptions
  SELECT DISTINCT webhook_id FROM gone
  WHERE state IN ('failed', 'dropped') OR attempts_in_run <> jsonb_array_length(attempts)
  ON CONFLICT DO NOTHING
)
SELECT ${examinedCount("delivery_id")}, json_build_object('deliveries', (SELECT count(*) FROM gone)) AS freed`

/** See `quoteEndedAtMs`: of a quote `q` that is not open. */
const endedAt = `CASE q.status WHEN 'abandoned' THEN q.expires_at_ms ELSE (
  SELECT greatest(q.created_at_ms, max((entry ->> 'atMs')::bigint))
  FROM links l CROSS JOIN LATERAL jsonb_array_elements(l.history) entry WHERE l.order_id = q.order_id
) END`

/** Condition of quotes whose answers may be freed; their index has the same. */
const isAnswered = "answer_body IS NOT NULL AND (status = 'abandoned' OR order_status IN ('completed', 'cancelled'))"

const freeAnswers = `
WITH examined AS MATERIALIZED (${examine("quotes", "quote_id", "q_", isAnswered)}),
gone AS (
  UPDATE quotes q SET answer_status = NULL, answer_body = NULL, answer_freed_at_ms = ${NOW_MS}
  WHERE q.quote_id IN (SELECT quote_id FROM examined) AND ${isAnswered} AND ${endedAt} < $4::bigint
  RETURNING 1
)
SELECT ${examinedCount("quote_id")}, json_build_object('answers', (SELECT count(*) FROM gone)) AS freed`

/** From the locks on, no payment, order, event or move of a link of these quotes is written. */
const examineSandbox = `
WITH examined AS MATERIALIZED (
  SELECT quote_id FROM quotes WHERE quote_id > $1 AND quote_id >= 'q_test_' AND quote_id < 'q_test_' || $2
  ORDER BY quote_id LIMIT $3
)
SELECT ${examinedCount("quote_id")}, ARRAY(
  SELECT q.quote_id::text FROM quotes q
  WHERE q.quote_id IN (SELECT quote_id FROM examined) AND q.mode = 'sandbox' AND q.status IN ('paid', 'abandoned')
  FOR UPDATE SKIP LOCKED
) AS quotes`

/** A statement after the locks sees all that was written before them. */
const freeSandbox = `
WITH ended AS MATERIALIZED (
  SELECT q.quote_id, q.order_id FROM quotes q
  WHERE q.quote_id = ANY ($1::text[]) AND ${endedAt} < $2::bigint
    AND NOT EXISTS (SELECT FROM payments_set_aside s WHERE s.quote_id = q.quote_id)
    AND NOT EXISTS (SELECT FROM reversals r WHERE r.quote_id = q.quote_id)
    AND NOT EXISTS (
      SELECT FROM events e JOIN accounts a ON a.account_no = q.account_no JOIN subscriptions s ON s.account_id = a.account_id
      JOIN deliveries d ON d.webhook_id = s.webhook_id AND d.event_id = e.event_id
      WHERE e.order_id = q.order_id OR e.quote_id = q.quote_id
    )
),
no_events AS (
  DELETE FROM events WHERE order_id IN (SELECT order_id FROM ended) OR quote_id IN (SELECT quote_id FROM ended)
  RETURNING 1
),
no_links AS (DELETE FROM links WHERE order_id IN (SELECT order_id FROM ended) RETURNING 1),
no_payments AS (DELETE FROM payments WHERE quote_id IN (SELECT quote_id FROM ended) RETURNING 1),
no_quotes AS (
  DELETE FROM quotes WHERE quote_id IN (SELECT quote_id FROM ended) RETURNING order_id, idempotency_key
)
SELECT json_build_object(
  'events', (SELECT count(*) FROM no_events), 'links', (SELECT count(*) FROM no_links),
  'orders', (SELECT count(order_id) FROM no_quotes), 'bindings', (SELECT count(idempotency_key) FROM no_quotes),
  'payments', (SELECT count(*) FROM no_payments), 'quotes', (SELECT count(*) FROM no_quotes)
) AS freed`

const record = `
INSERT INTO freed_rows SELECT name, rows::bigint, $2::bigint, $3::bigint FROM json_each_text($1::json) AS freed (name, rows)
ON CONFLICT (table_name) DO UPDATE SET
  rows = freed_rows.rows + EXCLUDED.rows, before_ms = greatest(freed_rows.before_ms, EXCLUDED.before_ms),
  last_at_ms = EXCLUDED.last_at_ms`

const totals = `
SELECT table_name AS "table", to_json(rows) AS rows, to_json(last_at_ms) AS "lastAtMs" FROM freed_rows`

/** What the background job runs from its first second on. */
export const retentionStatements = [freeDeliveries, freeAnswers, examineSandbox, freeSandbox, record] as const

const Freed = Schema.Record(Schema.String, Integer)
const examinedOf = decodeRows(Schema.Struct({ examined: Integer, last: textOrNull, freed: Schema.optionalKey(Freed) }))
const quotesOf = decodeRows(Schema.Struct({ quotes: Schema.Array(Text) }))
const freedOf = decodeRows(Schema.Struct({ freed: Freed }))

const rowsOf = (counts: typeof Freed.Type): FreedRows =>
  Object.fromEntries(
    FREED_TABLES.flatMap((table) => {
      const rows = counts[table] ?? 0
      return rows === 0 ? [] : [[table, rows] as const]
    })
  )

const freeInOneStatement = (sql: string) =>
  Effect.fnUntraced(function* (run: RunWrite, { after, limit }: RetentionStep, beforeMs: number) {
    const [found] = examinedOf(yield* run(sql, [after ?? "", idPrefixAt(beforeMs), limit, beforeMs]))
    return { examined: found?.examined ?? 0, last: found?.last ?? null, freed: rowsOf(found?.freed ?? {}) }
  })

const freeSandboxQuotes = Effect.fnUntraced(function* (
  run: RunWrite,
  { after, limit }: RetentionStep,
  beforeMs: number
) {
  const rows = yield* run(examineSandbox, [after ?? "", idPrefixAt(beforeMs), limit])
  const [found] = examinedOf(rows)
  const [{ quotes } = { quotes: [] }] = quotesOf(rows)
  const [gone] = freedOf(yield* run(freeSandbox, [quotes, beforeMs]))
  return { examined: found?.examined ?? 0, last: found?.last ?? null, freed: rowsOf(gone?.freed ?? {}) }
})

const steps: Readonly<Record<RetentionKind, ReturnType<typeof freeInOneStatement>>> = {
  deliveries: freeInOneStatement(freeDeliveries),
  answers: freeInOneStatement(freeAnswers),
  sandbox: freeSandboxQuotes
}

const isNothing = (freed: FreedRows): boolean => Object.keys(freed).length === 0

const Total = Schema.Struct({ table: Schema.Literals(FREED_TABLES), rows: Integer, lastAtMs: Integer })

export const layer = overDatabase(Retention, ({ read, transaction }) => {
  const freedRows = query(read, Total, totals)

  return Retention.of({
    free: (step) =>
      transaction(
        Effect.fnUntraced(function* (run) {
          const nowMs = yield* tryLock(run, "retention")
          if (nowMs === null) return { freed: {}, next: null }
          const beforeMs = nowMs - step.spanMs
          const { examined, last, freed } = yield* steps[step.kind](run, step, beforeMs)
          if (!isNothing(freed)) yield* run(record, [JSON.stringify(freed), beforeMs, nowMs])
          return { freed, next: examined < step.limit ? null : last }
        })
      ),
    freed: () =>
      Effect.map(freedRows(), (rows) => FREED_TABLES.flatMap((table) => rows.find((row) => row.table === table) ?? []))
  })
})
