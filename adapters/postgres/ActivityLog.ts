// Activity read from the rows that any instance writes. Ids begin with the time of their decision, so new rows are at the end of each
// table's primary key.
import { Effect, Layer, Schema } from "effect"
import { type ActivityEvent, positionAt, positionOfAbandonment, positionOfId } from "#core/domain/ActivityEvent.ts"
import { idTimeMs, Mode } from "#core/domain/DecisionContext.ts"
import { OrderEventType } from "#core/domain/Event.ts"
import { ActivityLog } from "#core/ports/ActivityLog.ts"
import { Database } from "./database/Database.ts"
import { first, NOW_MS, query, queryValues } from "./database/Queries.ts"
import { audit } from "./rows/AccountRows.ts"
import { CREDITS, ledger } from "./rows/OrderRows.ts"
import { Integer, Text, table, textOrNull } from "./rows/Table.ts"

const quoteFields = { quoteId: Text, accountId: Text, mode: Mode }

const opened = table({
  ...quoteFields,
  totalCents: Integer,
  creditCents: Integer,
  cardCents: Integer,
  createdAtMs: Integer
})
const abandoned = table({
  ...quoteFields,
  abandonedBy: Schema.Literals(["human", "agent", "expiry"]),
  abandonedAtMs: Integer
})
const accepted = table({ orderId: Text, mode: Mode, accountId: Text, createdAtMs: Integer })
const raised = table({
  eventId: Text,
  type: OrderEventType,
  mode: Mode,
  accountId: Text,
  orderId: Text,
  linkId: textOrNull,
  atMs: Integer
})

/** After the prefix, live ids have a time; ids of the sandbox have `test_`, which sorts after every time. */
const RANGES = [
  ["", "t"],
  ["test_", "test_~"]
] as const

/** The first rows after a position, in the order of an id with this prefix. The limit holds for each range. */
const rowsAfter = (json: string, from: string, id: string, prefix: string, condition = "true"): string =>
  RANGES.map(
    ([start, end]) =>
      `(SELECT ${json} AS row FROM ${from} WHERE ${id} > '${prefix}${start}' || $1 AND ${id} < '${prefix}${end}' AND ${condition}
        ORDER BY ${id} LIMIT $2)`
  ).join(" UNION ALL ")

const jsonArray = (source: string): string => `(SELECT json_agg(row) FROM (${source}) found)`

/** Orders tell of their acceptance, and quotes of what becomes of them. */
const OTHER_EVENTS = "e.type <> 'order.accepted' AND e.order_id IS NOT NULL"

const newRows = `
SELECT json_build_object(
  'opened', ${jsonArray(rowsAfter(opened.list("q"), "quotes q", "q.quote_id", "q_"))},
  'abandoned', ${jsonArray(
    `(SELECT ${abandoned.list("q")} AS row FROM quotes q
      WHERE q.abandoned_at_ms >= $3::bigint AND q.status = 'abandoned' ORDER BY q.abandoned_at_ms, q.quote_id LIMIT $2)`
  )},
  'accepted', ${jsonArray(rowsAfter(accepted.list("o"), "orders o", "o.order_id", "ord_"))},
  'raised', ${jsonArray(rowsAfter(raised.list("e"), "events e", "e.event_id", "evt_", OTHER_EVENTS))},
  'credited', ${jsonArray(rowsAfter(ledger.list("l"), "ledger_rows l", "l.entry_id", "led_", `l.kind IN ${CREDITS}`))},
  'acted', ${jsonArray(rowsAfter(audit.list("r"), "audit r", "r.audit_id", "aud_"))}
) AS found`

const optionalRows = <Row extends Schema.Top>(row: Row) => Schema.NullOr(Schema.Array(row))

const Found = Schema.Struct({
  found: Schema.Struct({
    opened: optionalRows(opened.schema),
    abandoned: optionalRows(abandoned.schema),
    accepted: optionalRows(accepted.schema),
    raised: optionalRows(raised.schema),
    credited: optionalRows(ledger.schema),
    acted: optionalRows(audit.schema)
  })
})

const eventsOf = ({ found }: typeof Found.Type): ReadonlyArray<ActivityEvent> => [
  ...(found.opened ?? []).map(({ createdAtMs: atMs, ...quote }) => ({
    _tag: "QuoteOpened" as const,
    position: positionOfId(quote.quoteId),
    atMs,
    ...quote
  })),
  ...(found.abandoned ?? []).map(({ abandonedAtMs: atMs, abandonedBy: by, ...quote }) => ({
    _tag: "QuoteAbandoned" as const,
    position: positionOfAbandonment(quote.quoteId, atMs),
    atMs,
    ...quote,
    by
  })),
  ...(found.accepted ?? []).map(({ createdAtMs: atMs, ...order }) => ({
    _tag: "OrderEvent" as const,
    position: positionOfId(order.orderId),
    atMs,
    type: "order.accepted" as const,
    ...order,
    linkId: null
  })),
  ...(found.raised ?? []).map(({ eventId, ...event }) => ({
    _tag: "OrderEvent" as const,
    position: positionOfId(eventId),
    ...event
  })),
  ...(found.credited ?? []).map((row) => ({
    _tag: "WalletCredited" as const,
    position: positionOfId(row.entryId),
    atMs: row.atMs,
    entry: row
  })),
  ...(found.acted ?? []).map((record) => ({
    _tag: "OperatorActed" as const,
    position: positionOfId(record.auditId),
    atMs: record.atMs,
    record
  }))
]

const time = `SELECT to_json(${NOW_MS}) AS value`

export const layer: Layer.Layer<ActivityLog, never, Database> = Layer.effect(
  ActivityLog,
  Effect.gen(function* () {
    const database = yield* Database
    const rowsSince = query(database.read, Found, newRows)
    const clock = first(queryValues(database.read, Integer, time))

    return ActivityLog.of({
      now: Effect.map(clock(), (nowMs) => positionAt(nowMs ?? 0)),
      after: ({ position, limit }) =>
        Effect.map(rowsSince(position, limit, idTimeMs(position) ?? 0), (rows) =>
          rows
            .flatMap(eventsOf)
            .filter((one) => one.position > position)
            .sort((a, b) => (a.position < b.position ? -1 : 1))
            .slice(0, limit)
        )
    })
  })
)
