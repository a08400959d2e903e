// What a file of one kind of goods looks like: its columns, which of them must be filled, what tells two rows apart, and what a
// row means. Built from the schema of a row, so that none of it can drift from what is accepted.
import { Result, Schema, type SchemaIssue } from "effect"
import { fieldErrors } from "#adapters/contract/schema/SchemaIssues.ts"
import type { Fields } from "./FileRow.ts"

export interface FileKind<Row> {
  /** In the order in which people are told of them. */
  readonly columns: ReadonlyArray<string>
  readonly required: ReadonlyArray<string>
  /** The column that names the thing: the same text there twice is a mistake. */
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
  // What an empty row lacks is what every row needs.
  const required = Result.match(decode({}), {
    onSuccess: () => [],
    onFailure: (issue) => fieldErrors(issue, "body").map(({ path }) => path)
  })
  return { columns: Object.keys(row.fields), required, key, decode }
}
