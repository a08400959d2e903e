// Looks at what goes on by looking at what is written: every instance sees what any of them wrote. Ids begin with the time of
// their decision, so what is new stands at the end of each table's own index.
import { Effect, Layer, Schema } from "effect"
import { type ActivityEvent, positionAt, positionOfAbandonment, positionOfId } from "#core/domain/ActivityEvent.ts"
import { idTimeMs } from "#core/domain/DecisionContext.ts"
import { EventType } from "#core/domain/Event.ts"
import { ActivityLog } from "#core/ports/ActivityLog.ts"
import { Database } from "./database/Database.ts"
import { query } from "./database/Queries.ts"
import { audit } from "./rows/AccountRows.ts"
import { entryOf, ledger } from "./rows/OrderRows.ts"
import { Integer, Mode, Text, table, textOrNull } from "./rows/Table.ts"

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
const raised = table({
  eventId: Text,
  type: EventType,
  mode: Mode,
  accountId: Text,
  orderId: Text,
  linkId: textOrNull,
  atMs: Integer
})

/** Ids of the sandbox continue with `test_`, behind all those that continue with a time. */
const RANGES = [
  ["", "t"],
  ["test_", "test_~"]
] as const

/** The first of a table's rows behind a place, by an id with this prefix; no more of each range than are wanted of all. */
const behindPlace = (json: string, from: string, id: string, prefix: string, condition = "true"): string =>
  RANGES.map(
    ([start, end]) =>
      `(SELECT ${json} AS row FROM ${from} WHERE ${id} > '${prefix}${start}' || $1 AND ${id} < '${prefix}${end}' AND ${condition}
        ORDER BY ${id} LIMIT $2)`
  ).join(" UNION ALL ")

const rows = (source: string): string => `(SELECT json_agg(row) FROM (${source}) found)`

const CREDITS = "l.kind IN ('top_up', 'late_payment', 'recredit')"

const looking = `
SELECT json_build_object(
  'opened', ${rows(behindPlace(opened.list("q"), "quotes q", "q.quote_id", "q_"))},
  'abandoned', ${rows(
    `(SELECT ${abandoned.list("q")} AS row FROM quotes q
      WHERE q.abandoned_at_ms >= $3::bigint AND q.status = 'abandoned' ORDER BY q.abandoned_at_ms, q.quote_id LIMIT $2)`
  )},
  'raised', ${rows(behindPlace(raised.list("e"), "events e", "e.event_id", "evt_"))},
  'credited', ${rows(behindPlace(ledger.list("l"), "ledger l", "l.entry_id", "led_", CREDITS))},
  'acted', ${rows(behindPlace(audit.list("r"), "audit r", "r.audit_id", "aud_"))}
) AS seen`

const some = <Row extends Schema.Top>(row: Row) => Schema.NullOr(Schema.Array(row))

const Seen = Schema.Struct({
  seen: Schema.Struct({
    opened: some(opened.schema),
    abandoned: some(abandoned.schema),
    raised: some(raised.schema),
    credited: some(ledger.schema),
    acted: some(audit.schema)
  })
})

const happeningsOf = ({ seen }: typeof Seen.Type): ReadonlyArray<ActivityEvent> => [
  ...(seen.opened ?? []).map(({ createdAtMs: atMs, ...quote }) => ({
    _tag: "QuoteOpened" as const,
    position: positionOfId(quote.quoteId),
    atMs,
    ...quote
  })),
  ...(seen.abandoned ?? []).map(({ abandonedAtMs: atMs, abandonedBy: by, ...quote }) => ({
    _tag: "QuoteAbandoned" as const,
    position: positionOfAbandonment(quote.quoteId, atMs),
    atMs,
    ...quote,
    by
  })),
  ...(seen.raised ?? []).map((event) => ({
    _tag: "OrderEvent" as const,
    position: positionOfId(event.eventId),
    ...event
  })),
  ...(seen.credited ?? []).map((row) => ({
    _tag: "WalletCredited" as const,
    position: positionOfId(row.entryId),
    atMs: row.atMs,
    entry: entryOf(row)
  })),
  ...(seen.acted ?? []).map((record) => ({
    _tag: "OperatorActed" as const,
    position: positionOfId(record.auditId),
    atMs: record.atMs,
    record
  }))
]

const time = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS "nowMs"'

export const layer: Layer.Layer<ActivityLog, never, Database> = Layer.effect(
  ActivityLog,
  Effect.gen(function* () {
    const database = yield* Database
    const look = query(database.read, Seen, looking)
    const clock = query(database.read, Schema.Struct({ nowMs: Schema.NumberFromString }), time)

    return ActivityLog.of({
      now: Effect.map(clock(), ([row]) => positionAt(row?.nowMs ?? 0)),
      after: ({ position: place, limit }) =>
        Effect.map(look(place, limit, idTimeMs(place) ?? 0), (found) =>
          found
            .flatMap(happeningsOf)
            .filter((one) => one.position > place)
            .sort((a, b) => (a.position < b.position ? -1 : 1))
            .slice(0, limit)
        )
    })
  })
)
