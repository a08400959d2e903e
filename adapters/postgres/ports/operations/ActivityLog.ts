// Activity read from the rows that any instance writes. Ids begin with the time of their decision, so new rows are at the end of each
// table's primary key.
import { Effect, Schema } from "effect"
import {
  type ActivityEvent,
  positionAt,
  positionOfAbandonment,
  positionOfId
} from "#core/domain/operations/ActivityEvent.ts"
import { Order } from "#core/domain/ordering/Order.ts"
import { AbandonedBy, Quote } from "#core/domain/ordering/Quote.ts"
import { idTimeMs, Millis } from "#core/domain/shared/DecisionContext.ts"
import { OrderEvent } from "#core/domain/webhooks/Event.ts"
import { ActivityLog } from "#core/ports/operations/ActivityLog.ts"
import { overDatabase } from "../../database/Database.ts"
import { aliasIn, decoderOf, NOW_MS, only, query, queryValues } from "../../database/Queries.ts"
import { audit, byAccountNo } from "../../rows/AccountRows.ts"
import { CREDITS, ledger } from "../../rows/OrderRows.ts"
import { Integer, Text, table } from "../../rows/Table.ts"

interface Rows<Row> {
  readonly list: (alias: string) => string
  readonly schema: Schema.Decoder<Row>
}

/** Which rows tell of one kind of activity, and how. */
interface Kind {
  /** The first rows after the position `$1`, at most `$2` in each range. */
  readonly sql: string
  readonly eventOf: (row: unknown) => ActivityEvent
}

const kind = <Row>({ schema }: Rows<Row>, sql: string, eventOf: (row: Row) => ActivityEvent): Kind => {
  const decode = decoderOf(schema)
  return { sql, eventOf: (row) => eventOf(decode(row)) }
}

/** After the prefix, live ids have a time; ids of the sandbox have `test_`, which sorts after every time. */
const RANGES = [
  ["", "t"],
  ["test_", "test_~"]
] as const

/** Rows of the table that the FROM clause begins with, in the order of an id with this prefix. */
const kindById = <Row>(
  rows: Rows<Row>,
  from: string,
  { id, prefix, condition = "true" }: { readonly id: string; readonly prefix: string; readonly condition?: string },
  eventOf: (row: Row) => ActivityEvent
): Kind => {
  const json = rows.list(aliasIn(from))
  const selects = RANGES.map(
    ([start, end]) =>
      `(SELECT ${json} AS row FROM ${from} WHERE ${id} > '${prefix}${start}' || $1 AND ${id} < '${prefix}${end}' AND ${condition}
        ORDER BY ${id} LIMIT $2)`
  )
  return kind(rows, selects.join(" UNION ALL "), eventOf)
}

const { quoteId, accountId, mode, totalCents, creditCents, cardCents, createdAtMs } = Quote.fields
const { eventId, type, orderId, linkId, atMs } = OrderEvent.fields

const opened = table(
  { quoteId, accountId, mode, totalCents, creditCents, cardCents, createdAtMs },
  { derived: byAccountNo }
)
const abandoned = table(
  { quoteId, accountId, mode, abandonedBy: AbandonedBy, abandonedAtMs: Millis },
  { derived: byAccountNo }
)
const accepted = table({ orderId: Order.fields.orderId, mode, accountId, createdAtMs }, { derived: byAccountNo })
const raised = table({ eventId, type, mode, accountId, orderId, linkId, atMs }, { derived: byAccountNo })

const kinds: Readonly<Record<string, Kind>> = {
  opened: kindById(opened, "quotes q", { id: "q.quote_id", prefix: "q_" }, ({ createdAtMs: atMs, ...quote }) => ({
    _tag: "QuoteOpened",
    position: positionOfId(quote.quoteId),
    atMs,
    ...quote
  })),
  // From the time `$3` on.
  abandoned: kind(
    abandoned,
    `SELECT ${abandoned.list("q")} AS row FROM quotes q
      WHERE q.abandoned_at_ms >= $3::bigint AND q.status = 'abandoned' ORDER BY q.abandoned_at_ms, q.quote_id LIMIT $2`,
    ({ abandonedAtMs: atMs, abandonedBy: by, ...quote }) => ({
      _tag: "QuoteAbandoned",
      position: positionOfAbandonment(quote.quoteId, atMs),
      atMs,
      ...quote,
      by
    })
  ),
  accepted: kindById(accepted, "orders o", { id: "o.order_id", prefix: "ord_" }, ({ createdAtMs: atMs, ...order }) => ({
    _tag: "OrderEvent",
    position: positionOfId(order.orderId),
    atMs,
    type: "order.accepted",
    ...order,
    linkId: null
  })),
  // Orders tell of their acceptance, and quotes of what becomes of them. Of other steps only what webhooks are told is told here.
  raised: kindById(
    raised,
    "events e",
    {
      id: "e.event_id",
      prefix: "evt_",
      condition: "e.type <> 'order.accepted' AND e.order_id IS NOT NULL AND e.body IS NOT NULL"
    },
    ({ eventId, ...event }) => ({ _tag: "OrderEvent", position: positionOfId(eventId), ...event })
  ),
  credited: kindById(
    ledger,
    "ledger l",
    { id: "l.entry_id", prefix: "led_", condition: `l.kind IN ${CREDITS}` },
    (entry) => ({ _tag: "WalletCredited", position: positionOfId(entry.entryId), atMs: entry.atMs, entry })
  ),
  acted: kindById(audit, "audit r", { id: "r.audit_id", prefix: "aud_" }, (record) => ({
    _tag: "OperatorActed",
    position: positionOfId(record.auditId),
    atMs: record.atMs,
    record
  }))
}

const newRows = Object.entries(kinds)
  .map(([name, { sql }]) => `SELECT '${name}' AS kind, row FROM (${sql}) ${name}`)
  .join("\nUNION ALL\n")

const time = `SELECT to_json(${NOW_MS}) AS value`

export const layer = overDatabase(ActivityLog, ({ read }) => {
  const rowsSince = query(read, Schema.Struct({ kind: Text, row: Schema.Unknown }), newRows)
  const clock = only(queryValues(read, Integer, time))

  return ActivityLog.of({
    now: Effect.map(clock(), positionAt),
    after: ({ position, limit }) =>
      Effect.map(rowsSince(position, limit, idTimeMs(position) ?? 0), (rows) =>
        rows
          .flatMap(({ kind, row }) => kinds[kind]?.eventOf(row) ?? [])
          .filter((one) => one.position > position)
          .sort((a, b) => (a.position < b.position ? -1 : 1))
          .slice(0, limit)
      )
  })
})
