// Statements as functions of their parameters, with decoded rows, and pages of their results.
import { Effect, Schema } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import type { RunSql } from "./Connections.ts"

/** Throws on JSON of another shape: that is a defect of the service. Compiled to JavaScript, which is faster than the interpreted schema. */
export const decoderOf = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  SchemaJITCompiler.enable(schema.ast)
  return Schema.decodeUnknownSync(schema)
}

export const decodeRows = <Row extends Schema.ConstraintDecoder<unknown>>(row: Row) => decoderOf(Schema.Array(row))

/** A fixed statement, which takes its parameters in their order. */
export type Query<A> = (...params: ReadonlyArray<unknown>) => Effect.Effect<A, StoreUnavailable>

export const query = <Row extends Schema.ConstraintDecoder<unknown>>(
  run: RunSql<StoreUnavailable>,
  row: Row,
  sql: string
): Query<ReadonlyArray<Row["Type"]>> => {
  const decode = decodeRows(row)
  return (...params) => Effect.map(run(sql, params), decode)
}

/** A statement with one column, `value`. */
export const queryValues = <Value extends Schema.ConstraintDecoder<unknown>>(
  run: RunSql<StoreUnavailable>,
  value: Value,
  sql: string
): Query<ReadonlyArray<Value["Type"]>> => {
  const decode = decodeRows(value)
  return (...params) => Effect.map(run(sql, params), (rows) => decode(rows.map(({ value }) => value)))
}

/** The alias of the table that a FROM clause begins with, as in `orders o WHERE …`. */
export const aliasIn = (from: string): string => /^\w+ (\w+)/.exec(from)?.[1] ?? ""

/** Selects rows of the table that the FROM clause begins with. */
export const select = <Row extends Schema.ConstraintDecoder<unknown>>(
  run: RunSql<StoreUnavailable>,
  { list, schema }: { readonly list: (alias: string) => string; readonly schema: Row },
  from: string
): Query<ReadonlyArray<Row["Type"]>> => queryValues(run, schema, `SELECT ${list(aliasIn(from))} AS value FROM ${from}`)

/** The first of the rows, or `null`. */
export const first =
  <Row>(rows: Query<ReadonlyArray<Row>>): Query<Row | null> =>
  (...params) =>
    Effect.map(rows(...params), ([row]) => row ?? null)

/** The row of a statement that always has one, such as an aggregate. */
export const only =
  <Row>(rows: Query<ReadonlyArray<Row>>): Query<Row> =>
  (...params) =>
    Effect.flatMap(rows(...params), ([row]) =>
      row === undefined ? Effect.die(new Error("The statement returned no row.")) : Effect.succeed(row)
    )

/** Whether the statement returns a row. */
export const hasRows =
  (run: RunSql<StoreUnavailable>, sql: string): Query<boolean> =>
  (...params) =>
    Effect.map(run(sql, params), ({ length }) => length > 0)

/** A statement of which no row matters. */
export const execute =
  (run: RunSql<StoreUnavailable>, sql: string): Query<void> =>
  (...params) =>
    Effect.asVoid(run(sql, params))

/** SQL that inserts a row, which it takes as JSON by column names. */
export const insertInto = (table: string): string =>
  `INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`

/** SQL for the database's time, in milliseconds. It advances within a transaction. */
export const NOW_MS = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

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
