// What the stores that only look have in common: statements whose rows are of one shape, and one page cut out of more.
import { Effect, Schema } from "effect"
import type { StoreUnavailable } from "#core/ports/Faults.ts"
import type { Run } from "./Connections.ts"

/** Rows that are not of the shape are a mistake of the service's own: it dies of them. */
export const rowsOf = <Row extends Schema.ConstraintDecoder<unknown>>(row: Row) =>
  Schema.decodeUnknownSync(Schema.Array(row))

export type Reader<Row> = (...params: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

/** A statement that is always the same, with other parameters. */
export const reader = <Row extends Schema.ConstraintDecoder<unknown>>(
  run: Run<StoreUnavailable>,
  row: Row,
  sql: string
): Reader<Row["Type"]> => {
  const decode = rowsOf(row)
  return (...params) => Effect.map(run(sql, params), decode)
}

/** An array of numbers for a statement to take as `bigint[]`, whatever their size and even if there are none. */
export const numbers = (values: ReadonlyArray<number>): string => `{${values.join(",")}}`

/** Ids before and behind all others: a page from the very beginning or end is then asked for like any other. */
export const FIRST_ID = ""
export const LAST_ID = "~"

export interface Cut<A> {
  readonly rows: ReadonlyArray<A>
  /** Whether at least one more row would have followed. */
  readonly more: boolean
}

/** The first `limit` of rows that were asked for with one to spare. */
export const cut = <A>(rows: ReadonlyArray<A>, limit: number): Cut<A> => ({
  rows: rows.slice(0, limit),
  more: rows.length > limit
})
