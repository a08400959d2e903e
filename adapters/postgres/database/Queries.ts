// Prepared queries with decoded rows, and pages of their results.
import { Effect, Schema } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import type { RunSql } from "./Connections.ts"

/** Throws on JSON of another shape: that is a defect of the service. Compiled to JavaScript, which is faster than the interpreted schema. */
export const decoderOf = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  SchemaJITCompiler.enable(schema.ast)
  return Schema.decodeUnknownSync(schema)
}

export const decodeRows = <Row extends Schema.ConstraintDecoder<unknown>>(row: Row) => decoderOf(Schema.Array(row))

export type Query<Row> = (...params: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

/** A fixed statement that takes parameters. */
export const query = <Row extends Schema.ConstraintDecoder<unknown>>(
  run: RunSql<StoreUnavailable>,
  row: Row,
  sql: string
): Query<Row["Type"]> => {
  const decode = decodeRows(row)
  return (...params) => Effect.map(run(sql, params), decode)
}

/** A fixed statement whose only column, `row`, has rows of one table. */
export const queryRows = <Row extends Schema.ConstraintDecoder<unknown>>(
  run: RunSql<StoreUnavailable>,
  { schema }: { readonly schema: Row },
  sql: string
): Query<Row["Type"]> => {
  const decode = decodeRows(schema)
  return (...params) => Effect.map(run(sql, params), (rows) => decode(rows.map(({ row }) => row)))
}

/** A parameter of type `bigint[]`; the driver would guess another type for small numbers and for an empty array. */
export const bigintArray = (values: ReadonlyArray<number>): string => `{${values.join(",")}}`

/** Ids before and after all others, so that a first page is queried like any other. */
export const FIRST_ID = ""
export const LAST_ID = "~"

export interface Page<A, Cursor> {
  readonly rows: ReadonlyArray<A>
  /** Where the next page begins; `null` on the last. */
  readonly next: Cursor | null
}

/** The first `limit` of rows that were queried with `limit + 1`. */
export const takePage = <A, Cursor>(
  found: ReadonlyArray<A>,
  limit: number,
  cursorOf: (last: A) => Cursor
): Page<A, Cursor> => {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last !== undefined && found.length > limit ? cursorOf(last) : null }
}
