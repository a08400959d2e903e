// Builds statements that select books: each table's rows as JSON, with the time of the snapshot.
import { versionedSubscriptions } from "../rows/DeliveryRows.ts"

/** A table of the books, by name, and an SQL expression for its rows as JSON. */
export type TableSelect = readonly [name: string, rows: string]

/** Rows as an array; `json` is an SQL expression for one row. */
export const jsonRows = (json: string, from: string): string => `(SELECT json_agg(${json}) FROM ${from})`

/** The alias of the table that a FROM clause begins with, as in `orders o WHERE …`. */
export const aliasIn = (from: string): string => /^\w+ (\w+)/.exec(from)?.[1] ?? ""

/** Rows of a table; `from` begins with its name and an alias. */
export const tableRows = (
  name: string,
  { list }: { readonly list: (alias: string) => string },
  from: string
): TableSelect => [name, jsonRows(list(aliasIn(from)), from)]

/** The time is taken after the snapshot, so no row is newer than it. */
export const selectBooks = (tables: ReadonlyArray<TableSelect>, from = "snapshot"): string => `
WITH snapshot AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms)
SELECT json_build_object(
  'nowMs', snapshot.now_ms,
  'shop', (SELECT json_build_object('version', version, 'fulfilment', fulfilment) FROM shop),
  ${tables.map(([name, rows]) => `'${name}', ${rows}`).join(",\n  ")}
) AS books FROM ${from}`

export const subscriptionsWhere = (condition: string): TableSelect =>
  tableRows("subscriptions", versionedSubscriptions, `subscriptions s WHERE ${condition}`)

/** Where events of the key's orders are sent. */
export const activeSubscriptions = (key: string): TableSelect =>
  subscriptionsWhere(`s.key_id ${key} AND s.revoked_at_ms IS NULL`)

export interface BooksQuery {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}
