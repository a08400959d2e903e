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

type RowSchema = Schema.Struct<Schema.Struct.Fields> & Schema.ConstraintDecoder<unknown>

export const fileKind = <S extends RowSchema, Row>(
  row: S,
  key: keyof S["fields"] & string,
  meaning: (row: S["Type"]) => Row
): FileKind<Row> => {
  const decodeRow = Schema.decodeUnknownResult(row, { errors: "all" })
  const decode = (cells: Fields) =>
    decodeRow(cells).pipe(
      Result.mapError(({ issue }) => issue),
      Result.map(meaning)
    )
  // The errors of an empty row name the required columns.
  const required = Result.match(decode({}), {
    onSuccess: () => [],
    onFailure: (issue) => fieldErrors(faultsOf(issue), "body").map(({ path }) => path)
  })
  return { columns: Object.keys(row.fields), required, key, decode }
}
