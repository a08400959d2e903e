// A database's complete contents as `Books`, for checks that do not depend on the store. For small databases: every read loads all rows.
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, HashMap, HashSet, type Redacted, Schema } from "effect"
import { loadedBooks } from "#adapters/postgres/orderbook/LoadedBooks.ts"
import { audit, byAccountNo } from "#adapters/postgres/rows/AccountRows.ts"
import { type BookTable, bookTables } from "#adapters/postgres/rows/BookTables.ts"
import { promoOf, promos } from "#adapters/postgres/rows/CatalogueRows.ts"
import { billingIdentityRows, invoices } from "#adapters/postgres/rows/InvoiceRows.ts"
import { raisedEvents } from "#adapters/postgres/rows/OrderRows.ts"
import { sessions } from "#adapters/postgres/rows/SignInRows.ts"
import { integerOrNull, Text, table } from "#adapters/postgres/rows/Table.ts"
import type { Books } from "#core/decisions/Books.ts"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { Event } from "#core/domain/webhooks/Event.ts"

/** Derived from quotes. */
const promoUses = table(
  { code: Text, quoteId: QuoteId, accountId: AccountId, untilMs: integerOrNull },
  { derived: byAccountNo }
)

/** The names in the database of tables that the books name otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  bindings: "(SELECT * FROM quotes WHERE idempotency_key IS NOT NULL)",
  topUps: "top_ups",
  topUpReversals: "top_up_reversals",
  dailyUsage: "tallies",
  setAside: "payments_set_aside",
  welcomeUses: "welcome_uses"
}

/** Tables and rows, under the names that `LoadedBooks` gives them. */
const tables: ReadonlyArray<readonly [name: string, from: string, rows: Pick<BookTable, "list">]> = [
  ...Object.entries<BookTable>(bookTables).map(([name, rows]) => [name, NAMES[name] ?? name, rows] as const),
  // The complete rows of tables that `LoadedBooks` decodes only for one account, or not at all.
  ["allPromos", "promos", promos],
  ["promoUses", "promo_uses", promoUses],
  ["audit", "audit", audit],
  ["invoices", "invoices", invoices],
  ["sessions", "sessions", sessions],
  ["billingIdentities", "billing_identities", billingIdentityRows]
]

const SHOP = "(SELECT json_build_object('version', version, 'fulfilment', fulfilment) FROM shop)"

/** Ordered, so that the same rows give the same text. */
const tableSql = ([name, from, { list }]: (typeof tables)[number]): string =>
  `'${name}', (SELECT json_agg(row ORDER BY row::text) FROM (SELECT ${list("r")} AS row FROM ${from} r) every)`

/** One statement, and so one snapshot. No decision uses these books, so their time does not matter. */
const ALL = `SELECT json_build_object('nowMs', 0, 'shop', ${SHOP}, 'invoicedTo', (SELECT orders_to FROM invoice_progress),
  ${tables.map(tableSql).join(",\n  ")})::text AS text`

const optionalRows = <Row extends Schema.Top>(row: Row) => Schema.NullOr(Schema.Array(row))

const Rest = Schema.Struct({
  allPromos: optionalRows(promos.schema),
  promoUses: optionalRows(promoUses.schema),
  events: optionalRows(raisedEvents.schema),
  audit: optionalRows(audit.schema),
  invoices: optionalRows(invoices.schema),
  sessions: optionalRows(sessions.schema),
  billingIdentities: optionalRows(billingIdentityRows.schema),
  invoicedTo: Schema.NullOr(Schema.String)
})

const decodeRest = Schema.decodeUnknownSync(Rest)
const decodeSnapshot = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ snapshot: Schema.String })]))
const decodeText = Schema.decodeUnknownSync(Schema.Tuple([Schema.Struct({ text: Schema.String })]))

type Rows<Row> = ReadonlyArray<Row> | null

const byId = <Id, Row>(rows: Rows<Row>, idOf: (row: Row) => Id): HashMap.HashMap<Id, Row> =>
  HashMap.fromIterable((rows ?? []).map((row) => [idOf(row), row] as const))

/** A promotion with the uses of all accounts. The table counts redemptions only if they are limited. */
const completePromo = (promo: typeof promos.schema.Type, uses: Rows<typeof promoUses.schema.Type>): Promo => {
  const ofCode = (uses ?? []).filter(({ code }) => code === promo.code)
  const spent = ofCode.filter(({ untilMs }) => untilMs === null)
  const reservations = ofCode.flatMap(({ quoteId, accountId, untilMs }) =>
    untilMs === null ? [] : [{ quoteId, accountId, untilMs }]
  )
  const redeemed = promo.maxRedemptions === null ? spent.length : promo.redeemed
  return {
    ...promoOf({
      promo: { ...promo, redeemed },
      version: "",
      accountId: AccountId.make(""),
      redeemedBy: null,
      reservations,
      reservedByOthers: 0
    }),
    redeemedBy: HashSet.fromIterable(spent.map(({ accountId }) => accountId))
  }
}

const booksIn = (text: string): Books => {
  const rows: unknown = JSON.parse(text)
  const { allPromos, promoUses, events, audit, invoices, sessions, billingIdentities, invoicedTo } = decodeRest(rows)
  return {
    ...loadedBooks({ books: rows }).books,
    promos: HashMap.map(
      byId(allPromos, ({ code }) => code),
      (promo) => completePromo(promo, promoUses)
    ),
    // A row is an event of an order or of a quote, which the types of its columns do not say.
    events: byId(events as ReadonlyArray<Event>, ({ eventId }) => eventId),
    audit: byId(audit, ({ auditId }) => auditId),
    invoices: byId(invoices, ({ invoiceId }) => invoiceId),
    sessions: byId(sessions, ({ sessionId }) => sessionId),
    billingIdentities: byId(billingIdentities, ({ accountId }) => accountId),
    invoicedTo: invoicedTo ?? ""
  }
}

/** Statements with the same snapshot find the same rows. */
const SNAPSHOT = "SELECT pg_current_snapshot()::text AS snapshot"

/** Reads the books over a separate connection. As long as nothing is written, the value is the same object. */
export const booksReader = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const connection = yield* PgConnection.make({ url })
  const ask = (sql: string) => Effect.map(Effect.orDie(connection.query(sql, [])), ({ rows }) => rows)
  let last: { readonly snapshot: string; readonly text: string; readonly books: Books } | undefined
  return Effect.gen(function* () {
    const [{ snapshot }] = decodeSnapshot(yield* ask(SNAPSHOT))
    if (last?.snapshot === snapshot) return last.books
    const [{ text }] = decodeText(yield* ask(ALL))
    last = { snapshot, text, books: last?.text === text ? last.books : booksIn(text) }
    return last.books
  })
})
