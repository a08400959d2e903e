// What agents did, in PostgreSQL. Refusals have a table; the rest is found by the indexes of a key's usage, quotes and orders, none of which
// is there for it.
import { Effect } from "effect"
import { AgentRecords, REFUSALS_KEPT_DAYS, type RefusedAttempts } from "#core/domain/operations/AgentActivity.ts"
import { OrderStatus } from "#core/domain/ordering/Order.ts"
import { QuoteStatus } from "#core/domain/ordering/QuoteStatus.ts"
import { DAY_MS, idPrefixAt } from "#core/domain/shared/DecisionContext.ts"
import type { KeyId } from "#core/domain/shared/Ids.ts"
import { AgentActivity } from "#core/ports/operations/AgentActivity.ts"
import { overDatabase } from "../../database/Database.ts"
import { execute, NOW_MS, queryValues } from "../../database/Queries.ts"
import { linesOf, OPEN } from "../../rows/QuoteRows.ts"

/** In the order of their keys, so that instances which write the same ones wait for each other and do not deadlock. */
const note = `
INSERT INTO refused_attempts AS r (key_id, day, rule, count, last_at_ms, last_target, last_cents)
SELECT n.key_id, n.day, n.rule, n.count, n.last_at_ms, n.last_target, n.last_cents
FROM jsonb_to_recordset($1::jsonb) AS n (
  key_id text, day integer, rule text, count bigint, last_at_ms bigint, last_target text, last_cents bigint
) CROSS JOIN LATERAL (SELECT FROM keys k WHERE k.key_id = n.key_id OFFSET 0) known
ORDER BY n.key_id, n.day, n.rule
ON CONFLICT (key_id, day, rule) DO UPDATE SET
  count = r.count + EXCLUDED.count,
  last_at_ms = greatest(r.last_at_ms, EXCLUDED.last_at_ms),
  last_target = CASE WHEN EXCLUDED.last_at_ms >= r.last_at_ms THEN EXCLUDED.last_target ELSE r.last_target END,
  last_cents = CASE WHEN EXCLUDED.last_at_ms >= r.last_at_ms THEN EXCLUDED.last_cents ELSE r.last_cents END`

const listed = (values: ReadonlyArray<string>): string => values.map((value) => `'${value}'`).join(", ")

/** The condition of the index of quotes that waited for a payment or an approval. */
const WAITED = "(q.status <> 'paid' OR q.card_cents > 0 OR q.approved_at_ms IS NOT NULL)"

const DAY = `(q.created_at_ms / ${DAY_MS})::int`

const unpaid = (statuses: string, more = ""): string =>
  `FROM quotes q WHERE q.key_id = u.key_id AND q.status IN ${statuses} AND ${WAITED} ${more}`

/** The newest of each state by an index, and the newest of these. */
const last = `
  SELECT q.* FROM (
    SELECT waited.* FROM unnest(ARRAY[${listed(QuoteStatus.literals)}]) AS asked (status) CROSS JOIN LATERAL (
      SELECT q.* FROM quotes q WHERE q.key_id = u.key_id AND q.status = asked.status AND ${WAITED} ORDER BY q.quote_id DESC LIMIT 1
    ) waited
    UNION ALL
    SELECT bought.* FROM unnest(ARRAY[${listed(OrderStatus.literals)}]) AS asked (status) CROSS JOIN LATERAL (
      SELECT q.* FROM quotes q WHERE q.key_id = u.key_id AND q.order_status = asked.status AND q.order_id IS NOT NULL
      ORDER BY q.order_id DESC LIMIT 1
    ) bought
  ) q ORDER BY q.quote_id DESC LIMIT 1`

/** $2: the first day; $3: an id before those of its quotes. */
const recordsOf = `
SELECT json_build_object(
  'keyId', u.key_id,
  'usage', (
    SELECT coalesce(json_agg(json_build_object(
      'keyId', t.key_id, 'day', t.day, 'quotes', t.quotes, 'spentCents', t.spent_cents
    )), '[]') FROM tallies t WHERE t.key_id = u.key_id AND t.day >= $2
  ),
  'open', (
    SELECT coalesce(json_agg(json_build_object('day', o.day, 'status', o.status, 'count', o.count, 'cents', o.cents)), '[]')
    FROM (SELECT ${DAY} AS day, q.status, count(*), sum(q.total_cents) AS cents ${unpaid(OPEN)} GROUP BY 1, 2) o
  ),
  'abandoned', (
    SELECT coalesce(json_agg(json_build_object('day', a.day, 'count', a.count)), '[]')
    FROM (SELECT ${DAY} AS day, count(*) ${unpaid("('abandoned')", `AND q.quote_id > $3 AND ${DAY} >= $2`)} GROUP BY 1) a
  ),
  'last', (
    SELECT json_build_object(
      'quoteId', q.quote_id, 'status', q.status, 'atMs', q.created_at_ms, 'totalCents', q.total_cents,
      'orderId', q.order_id, 'abandonedBy', q.abandoned_by, 'declinedReason', q.declined_reason,
      'paymentPendingAtMs', q.payment_pending_at_ms,
      'targets', jsonb_path_query_array(${linesOf("q")}, '$[*].item.targetUrl')
    ) FROM (${last}) q
  ),
  'refused', (
    SELECT coalesce(json_agg(json_build_object(
      'keyId', r.key_id, 'day', r.day, 'rule', r.rule, 'count', r.count, 'lastAtMs', r.last_at_ms,
      'lastTarget', r.last_target, 'lastCents', r.last_cents
    )), '[]') FROM refused_attempts r WHERE r.key_id = u.key_id AND r.day >= $2
  )
) AS value
FROM unnest($1::text[]) AS u (key_id)`

const prune = `DELETE FROM refused_attempts WHERE day < (SELECT (${NOW_MS} / ${DAY_MS})::int - ${REFUSALS_KEPT_DAYS})`

const rowOf = ({ keyId, day, rule, count, lastAtMs, lastTarget, lastCents }: RefusedAttempts) => ({
  ...{ key_id: keyId, day, rule, count },
  ...{ last_at_ms: lastAtMs, last_target: lastTarget, last_cents: lastCents }
})

/** Clocks of instances differ by less. */
const idBefore = (day: number): string => `q_${idPrefixAt((day - 1) * DAY_MS)}`

export const layer = overDatabase(AgentActivity, ({ read, write }) => {
  const records = queryValues(read, AgentRecords, recordsOf)
  const add = execute(write, note)
  const pruned = execute(write, prune)

  return AgentActivity.of({
    noteRefused: (refused) => (refused.length === 0 ? Effect.void : add(JSON.stringify(refused.map(rowOf)))),
    of: (keyIds: ReadonlyArray<KeyId>, sinceDay) =>
      keyIds.length === 0 ? Effect.succeed([]) : records(keyIds, sinceDay, idBefore(sinceDay)),
    prune: Effect.suspend(pruned)
  })
})
