// A kind of import file: columns, required columns, key column and decoder, all derived from the schema of a row.
import { Result, Schema, type SchemaIssue } from "effect"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import type { Fields } from "./FileRow.ts"

export interface FileKind<Row> {
  /** In display order. */
  readonly columns: ReadonlyArray<string>
  readonly required: ReadonlyArray<string>
  /** The column that identifies a row; must be unique within a file. */
  readonly key: string
  readonly decode: (cells: Fields) => Result.Result<Row, SchemaIssue.Issue>
}

/** Every member of a row, an optional one too: `undefined` leaves it out. */
export type Complete<Row> = { readonly [Name in keyof Required<Row>]: Row[Name] }

/** The row without the members that are `undefined`. */
const withoutUndefined = <Row>(complete: Complete<Row>): Row =>
  // Only optional members may be undefined, and a row without them is complete.
  Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== undefined)) as Row

type RowSchema = Schema.Struct<Schema.Struct.Fields> & Schema.ConstraintDecoder<unknown>

export const fileKind = <S extends RowSchema, Row>(
  row: S,
  key: keyof S["fields"] & string,
  meaning: (row: S["Type"]) => Complete<NoInfer<Row>>
): FileKind<Row> => {
  const decodeRow = Schema.decodeUnknownResult(row, { errors: "all" })
  const decode = (cells: Fields) =>
    decodeRow(cells).pipe(
      Result.mapError(({ issue }) => issue),
      Result.map((cells) => withoutUndefined<Row>(meaning(cells)))
    )
  // The errors of an empty row name the required columns.
  const required = Result.match(decode({}), {
    onSuccess: () => [],
    onFailure: (issue) => fieldErrors(faultsOf(issue), "body").map(({ path }) => path)
  })
  return { columns: Object.keys(row.fields), required, key, decode }
}
