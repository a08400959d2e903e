// Events by their ids, which begin with their time: those that were raised, and those that follow from an order without having been. The
// latter are of orders since step 065; of the time before only what was raised is listed.
import { Effect, Schema } from "effect"
import { MAX_COUNTED } from "#core/domain/access/ListScope.ts"
import { idPrefixAt, type Mode } from "#core/domain/shared/DecisionContext.ts"
import { EventId, OrderId } from "#core/domain/shared/Ids.ts"
import { EventFacts, EventType } from "#core/domain/webhooks/Event.ts"
import { EVENT_CODES } from "#core/domain/webhooks/EventIds.ts"
import { Events, type ListedEvent } from "#core/ports/webhooks/Events.ts"
import { overDatabase } from "../../database/Database.ts"
import { first, query, queryValues, takePage } from "../../database/Queries.ts"
import { links, orders } from "../../rows/OrderRows.ts"
import { quotes } from "../../rows/QuoteRows.ts"
import { Integer, textOrNull } from "../../rows/Table.ts"

/** $1 keys, $2 the id that a page begins before, $3 the first id of the time that is listed, $4 type, $5 order, $6 quote, $7 limit. */
const stored = `
SELECT e.event_id, e.type, e.at_ms, e.body, e.facts, e.order_id
FROM unnest($1::text[]) AS key (key_id) CROSS JOIN LATERAL (
  SELECT one.* FROM events one
  WHERE one.key_id = key.key_id AND one.event_id < $2 AND one.event_id >= $3
    AND ($4::text IS NULL OR one.type = $4) AND ($5::text IS NULL OR one.order_id = $5) AND ($6::text IS NULL OR one.quote_id = $6)
  ORDER BY one.event_id DESC LIMIT $7
) e`

const newest = `
SELECT one.order_id, one.quote_id, one.created_at_ms, one.mode
FROM unnest($1::text[]) AS key (key_id), unnest('{paid,in_progress,completed,cancelled}'::text[]) AS asked (status) CROSS JOIN LATERAL (
  SELECT o.* FROM orders o
  WHERE o.key_id = key.key_id AND o.status = asked.status
    AND o.order_id <= regexp_replace($2, '^evt_', 'ord_') AND o.order_id >= regexp_replace($3, '^evt_', 'ord_')
    AND ($5::text IS NULL OR o.order_id = $5) AND ($6::text IS NULL OR o.quote_id = $6)
    AND o.key_id BETWEEN key.key_id AND key.key_id AND o.status BETWEEN asked.status AND asked.status
  ORDER BY o.order_id DESC LIMIT $7
) one ORDER BY one.order_id DESC LIMIT $7`

/**
 * The ids have the prefix of the order's own, which ends with two more characters. Each order that is looked at has such events, stored or
 * not: as many orders as the page has events are enough.
 */
const derived = `
SELECT regexp_replace(left(o.order_id, -2), '^ord_', 'evt_') || t.code AS event_id, t.type, o.created_at_ms AS at_ms,
  NULL::text AS body, NULL::jsonb AS facts, o.order_id
FROM (${newest}) o
CROSS JOIN (VALUES ('order.accepted', '${EVENT_CODES["order.accepted"]}'), ('quote.paid', '${EVENT_CODES["quote.paid"]}')) t (type, code)
WHERE ($4::text IS NULL OR t.type = $4) AND (t.type <> 'order.accepted' OR $6::text IS NULL) AND (t.type <> 'quote.paid' OR $5::text IS NULL)
  AND o.created_at_ms >= coalesce((SELECT events_since_ms FROM shop), 0)
  AND NOT EXISTS (
    SELECT FROM events e WHERE t.type = 'order.accepted' AND e.order_id = o.order_id AND e.type = t.type
      OR t.type = 'quote.paid' AND e.quote_id = o.quote_id AND e.type = t.type
  )`

const found = `
SELECT * FROM (${stored} UNION ALL SELECT * FROM (${derived}) d WHERE d.event_id < $2) f
WHERE f.at_ms >= $8::bigint ORDER BY f.event_id COLLATE "C" DESC LIMIT $7`

const listed = `
SELECT f.event_id AS "eventId", f.type, to_json(f.at_ms) AS "atMs", f.body, f.facts, f.order_id AS "orderId" FROM (${found}) f`

const count = `SELECT count(*)::int AS value FROM (${found}) f`

const sources = `
SELECT ${orders.list("o")} AS "order", ${quotes.list("q")} AS quote, (
  SELECT coalesce(json_agg(${links.list("l")} ORDER BY l.index), '[]') FROM links l WHERE l.order_id = o.order_id
) AS links
FROM orders o JOIN quotes q ON q.quote_id = o.quote_id WHERE o.order_id = ANY ($1::text[])`

const Found = Schema.Struct({
  eventId: EventId,
  type: EventType,
  atMs: Integer,
  body: textOrNull,
  facts: Schema.NullOr(EventFacts),
  orderId: Schema.NullOr(OrderId)
})

const Source = Schema.Struct({ order: orders.schema, quote: quotes.schema, links: Schema.Array(links.schema) })

/** Before every id, and behind every id, of events of that mode. */
const idsOf = (mode: Mode) => (mode === "sandbox" ? "evt_test_" : "evt_")

export const layer = overDatabase(Events, ({ search }) => {
  const page = query(search, Found, listed)
  const others = first(queryValues(search, Integer, count))
  const sourcesOf = query(search, Source, sources)

  const contents = Effect.fnUntraced(function* (rows: ReadonlyArray<typeof Found.Type>) {
    const needed = new Set(rows.flatMap(({ body, orderId }) => (body === null && orderId !== null ? [orderId] : [])))
    const loaded = needed.size === 0 ? [] : yield* sourcesOf([...needed])
    const byId = new Map(loaded.map((source) => [source.order.orderId, source]))
    return rows.flatMap(({ eventId, type, atMs, body, facts, orderId }): ReadonlyArray<ListedEvent> => {
      if (body !== null) return [{ eventId, type, atMs, content: { body } }]
      const source = orderId === null ? undefined : byId.get(orderId)
      return source === undefined ? [] : [{ eventId, type, atMs, content: { ...source, facts } }]
    })
  })

  return Events.of({
    listed: Effect.fnUntraced(function* ({ shown, leftOut, mode, type, orderId, quoteId, fromMs, limit, beforeId }) {
      const ids = idsOf(mode)
      const conditions = [type ?? null, orderId ?? null, quoteId ?? null]
      const params = (keyIds: ReadonlyArray<string>, before: string, most: number) => [
        ...[keyIds, before, `${ids}${idPrefixAt(fromMs)}`, ...conditions, most, fromMs]
      ]
      const [rows, leftOutCount] = yield* Effect.all(
        [
          page(...params(shown, beforeId ?? `${ids}~`, limit + 1)),
          leftOut.length === 0 ? Effect.succeed(0) : others(...params(leftOut, `${ids}~`, MAX_COUNTED))
        ],
        { concurrency: 2 }
      )
      const { rows: shownRows, next } = takePage(rows, limit, ({ eventId }) => eventId)
      return { events: yield* contents(shownRows), nextBeforeId: next, leftOutCount: leftOutCount ?? 0 }
    })
  })
})
