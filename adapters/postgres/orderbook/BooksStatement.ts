// How a statement brings books: shelf by shelf, each with its rows as JSON, from one snapshot and with the time at which it was
// taken. Which shelves a decision wants is `BookQueries`' and `PlacementQuery`'s.
import { versionedSubscriptions } from "../rows/DeliveryRows.ts"

/** A shelf of the books, by name, and SQL for its rows. */
export type TableSelect = readonly [name: string, rows: string]

export const jsonRows = (json: string, from: string): string => `(SELECT json_agg(${json}) FROM ${from})`

/** The snapshot is taken when the statement begins, and the time right after it: nothing seen is of a later time. */
export const selectBooks = (shelves: ReadonlyArray<TableSelect>, from = "moment"): string => `
WITH moment AS MATERIALIZED (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms)
SELECT json_build_object(
  'nowMs', moment.now_ms,
  'shop', (SELECT json_build_object('version', version, 'fulfilment', fulfilment) FROM shop),
  ${shelves.map(([name, rows]) => `'${name}', ${rows}`).join(",\n  ")}
) AS books FROM ${from}`

export const subscriptionsWhere = (condition: string): TableSelect => [
  "subscriptions",
  jsonRows(versionedSubscriptions.list("s"), `subscriptions s WHERE ${condition}`)
]

/** Where events of the key's orders may be sent: revoked subscriptions hear nothing any more. */
export const activeSubscriptions = (key: string): TableSelect =>
  subscriptionsWhere(`s.key_id ${key} AND s.revoked_at_ms IS NULL`)

export interface BooksQuery {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}
