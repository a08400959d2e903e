// What the stores that only look have in common: statements whose rows are of one shape, and one page cut out of more.
import { Effect, Schema } from "effect"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import type { RunSql } from "./Connections.ts"

/** Rows that are not of the shape are a mistake of the service's own: it dies of them. */
export const decodeRows = <Row extends Schema.ConstraintDecoder<unknown>>(row: Row) =>
  Schema.decodeUnknownSync(Schema.Array(row))

export type Query<Row> = (...params: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

/** A statement that is always the same, with other parameters. */
export const query = <Row extends Schema.ConstraintDecoder<unknown>>(
  run: RunSql<StoreUnavailable>,
  row: Row,
  sql: string
): Query<Row["Type"]> => {
  const decode = decodeRows(row)
  return (...params) => Effect.map(run(sql, params), decode)
}

/** An array of numbers for a statement to take as `bigint[]`, whatever their size and even if there are none. */
export const bigintArray = (values: ReadonlyArray<number>): string => `{${values.join(",")}}`

/** Ids before and behind all others: a page from the very beginning or end is then asked for like any other. */
export const FIRST_ID = ""
export const LAST_ID = "~"

export interface Page<A> {
  readonly rows: ReadonlyArray<A>
  /** Whether at least one more row would have followed. */
  readonly hasMore: boolean
}

/** The first `limit` of rows that were asked for with one to spare. */
export const takePage = <A>(rows: ReadonlyArray<A>, limit: number): Page<A> => ({
  rows: rows.slice(0, limit),
  hasMore: rows.length > limit
})
