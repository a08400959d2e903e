// The tables from which books are loaded, by the names that the books give them, and statements that select their rows as JSON, with the
// time of the snapshot.
import { Schema } from "effect"
import type { TableName } from "#core/decisions/Books.ts"
import { aliasIn, decodeRows, NOW_MS } from "../database/Queries.ts"
import { accounts, dailyUsage, invitations, keys, members, topUpReversals, topUps } from "./AccountRows.ts"
import { articles, opportunities, projects, sites } from "./CatalogueRows.ts"
import { deliveries, subscriptions } from "./DeliveryRows.ts"
import {
  bindings,
  holds,
  ledger,
  links,
  orders,
  payments,
  raisedEvents,
  reversals,
  setAside,
  welcomeUses
} from "./OrderRows.ts"
import { quotes } from "./QuoteRows.ts"
import { Text } from "./Table.ts"

/** A row with its version, and of a subscription with that of its endpoint's health. */
type LoadedRow = readonly [row: unknown, version?: string, healthVersion?: string]

export interface BookTable {
  /** SQL for a row as JSON. */
  readonly list: (alias: string) => string
  /** Throws on rows of another shape. */
  readonly decode: (rows: unknown) => ReadonlyArray<LoadedRow>
}

interface Rows<Row> {
  readonly list: (alias: string) => string
  readonly schema: Schema.Decoder<Row>
}

const plain = <Row>({ list, schema }: Rows<Row>): BookTable => {
  const decode = decodeRows(schema)
  return { list, decode: (rows) => decode(rows).map((row) => [row]) }
}

/**
 * Reads the version of each row, too: the id prefix of the decision that wrote it last. Commits compare the versions of rows that other
 * decisions write.
 */
const versioned = <Row>({ list, schema }: Rows<Row>): BookTable => ({
  list: (alias) => `json_build_array(${list(alias)}, ${alias}.version)`,
  decode: decodeRows(Schema.Tuple([schema, Text]))
})

export const versionedTables = {
  accounts: versioned(accounts),
  sites: versioned(sites),
  articles: versioned(articles),
  projects: versioned(projects),
  opportunities: versioned(opportunities),
  deliveries: versioned(deliveries),
  /** The health has a separate version: it changes with every delivery, and decisions on orders do not depend on it. */
  subscriptions: {
    list: (alias: string) =>
      `json_build_array(${subscriptions.list(alias)}, ${alias}.version, ${alias}.health_version)`,
    decode: decodeRows(Schema.Tuple([subscriptions.schema, Text, Text]))
  }
} satisfies Partial<Record<TableName, BookTable>>

export const bookTables = {
  ...versionedTables,
  members: plain(members),
  invitations: plain(invitations),
  topUps: plain(topUps),
  topUpReversals: plain(topUpReversals),
  keys: plain(keys),
  dailyUsage: plain(dailyUsage),
  welcomeUses: plain(welcomeUses),
  quotes: plain(quotes),
  holds: plain(holds),
  ledger: plain(ledger),
  payments: plain(payments),
  setAside: plain(setAside),
  reversals: plain(reversals),
  orders: plain(orders),
  links: plain(links),
  events: plain(raisedEvents),
  bindings: plain(bindings)
} satisfies Partial<Record<TableName, BookTable>>

/** A table of the books, by name, and an SQL expression for its rows as JSON. */
export type TableSelect = readonly [name: string, rows: string]

/** Rows as an array; `json` is an SQL expression for one row. */
export const jsonRows = (json: string, from: string): string => `(SELECT json_agg(${json}) FROM ${from})`

/** Rows of a table; `from` begins with its name and an alias. */
export const tableRows = (name: keyof typeof bookTables, from: string): TableSelect => [
  name,
  jsonRows(bookTables[name].list(aliasIn(from)), from)
]

/** The time is taken after the snapshot, so no row is newer than it. */
export const selectBooks = (tables: ReadonlyArray<TableSelect>, from = "snapshot"): string => `
WITH snapshot AS MATERIALIZED (SELECT ${NOW_MS} AS now_ms)
SELECT json_build_object(
  'nowMs', snapshot.now_ms,
  'shop', (SELECT json_build_object('version', version, 'fulfilment', fulfilment) FROM shop),
  ${tables.map(([name, rows]) => `'${name}', ${rows}`).join(",\n  ")}
) AS books FROM ${from}`

export const subscriptionsWhere = (condition: string): TableSelect =>
  tableRows("subscriptions", `subscriptions s WHERE ${condition}`)

/** Where events of what a key places are sent, by SQL conditions for the key and its account, whose active webhooks are few. */
export const activeSubscriptions = (key: string, account: string): TableSelect =>
  subscriptionsWhere(`s.account_id ${account} AND s.revoked_at_ms IS NULL AND (s.key_id ${key} OR s.scope = 'account')`)

export interface BooksQuery {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}
