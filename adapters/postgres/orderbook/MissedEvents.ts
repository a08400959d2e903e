// The tables that a replay reads beside its account: the events that the webhook missed, with those of its deliveries that were given up.
import type { Reads } from "#core/decisions/Reads.ts"
import { idPrefixAt } from "#core/domain/shared/DecisionContext.ts"
import { bookTables, type TableSelect, tableRows } from "../rows/BookTables.ts"

/** Ids begin with their time, which is never before that of the event. */
const missedBy = (columns: string): string => `
  SELECT ${columns} FROM subscriptions s
  CROSS JOIN LATERAL (
    SELECT s.key_id UNION
    SELECT k.key_id FROM keys k WHERE s.scope = 'account' AND k.account_id = s.account_id AND k.mode = s.mode
  ) placed (key_id)
  JOIN events e ON e.key_id = placed.key_id
  WHERE s.webhook_id = $1 AND e.event_id >= CASE s.mode WHEN 'sandbox' THEN 'evt_test_' ELSE 'evt_' END || $3::text
    AND e.at_ms >= greatest(
      $2::bigint, s.created_at_ms, (SELECT before_ms FROM freed_rows WHERE table_name = 'deliveries')
    )
    AND e.body IS NOT NULL AND (e.type = ANY (s.events) OR s.later_events && ARRAY[e.type, '*'])
    AND NOT EXISTS (
      SELECT FROM deliveries d WHERE d.webhook_id = s.webhook_id AND d.event_id = e.event_id AND d.state IN ('pending', 'delivered')
    )
  ORDER BY e.event_id LIMIT $4`

export const missedEvents: ReadonlyArray<TableSelect> = [
  ["events", `(SELECT json_agg(m.event) FROM (${missedBy(`${bookTables.events.list("e")} AS event`)}) m)`],
  tableRows(
    "deliveries",
    `deliveries d WHERE d.webhook_id = $1 AND d.event_id IN (SELECT m.event_id FROM (${missedBy("e.event_id")}) m)`
  )
]

export const missedParams = (
  reads: Extract<Reads, { readonly _tag: "ForReplay" }>
): readonly [webhookId: string, fromMs: number, prefix: string, limit: number] => [
  reads.webhookId,
  reads.fromMs,
  idPrefixAt(reads.fromMs),
  reads.limit
]
