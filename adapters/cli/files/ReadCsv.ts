// Reads CSV into rows: byte-order mark, both line endings, quoted fields, semicolons if the header has no comma. Checks the
// header and the number of fields of each row.
import { CsvError, parse } from "csv-parse/sync"
import { Result, Schema } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { FileRow, RowError } from "#adapters/operator/records/CatalogueRecords.ts"

const Records = Schema.Array(
  Schema.Struct({ record: Schema.Array(Schema.String), info: Schema.Struct({ lines: Schema.Int }) })
)
type Records = typeof Records.Type

const decodeRecords = Schema.decodeUnknownSync(Records)

/** Spreadsheets write semicolons in locales with a decimal comma. */
const delimiterOf = (text: string): string => {
  const [header = ""] = text.split(/[\r\n]/, 1)
  return header.includes(",") || !header.includes(";") ? "," : ";"
}

/** The parser counts CRLF inside a quoted field as two lines. */
const withUnixEnds = (text: string): string => text.replaceAll("\r\n", "\n")

const records = (text: string): Result.Result<Records, ReadonlyArray<RowError>> =>
  Result.try({
    try: () =>
      decodeRecords(
        parse(text, {
          bom: true,
          delimiter: delimiterOf(text),
          info: true,
          relax_column_count: true,
          skip_empty_lines: true,
          trim: true
        })
      ),
    catch: (error) => [
      // Other errors carry no line.
      error instanceof CsvError
        ? { line: Number(error["lines"]), message: `This is not CSV: ${error.message}.` }
        : { line: 1, message: "This is not CSV." }
    ]
  })

const headerErrors = (header: ReadonlyArray<string>, columns: ReadonlyArray<string>): ReadonlyArray<RowError> => {
  const allowed = `The columns of this file are: ${columns.join(", ")}.`
  return header.flatMap((name, index) => {
    if (!columns.includes(name)) {
      return [{ line: 1, column: name === "" ? String(index + 1) : name, message: `Is not a column. ${allowed}` }]
    }
    return header.indexOf(name) < index ? [{ line: 1, column: name, message: "Is there twice." }] : []
  })
}

/** The rows, or all errors in the shape of the file. `required` columns must be in the header. */
export const readCsv = (
  text: string,
  columns: ReadonlyArray<string>,
  required: ReadonlyArray<string>
): Result.Result<ReadonlyArray<FileRow>, ReadonlyArray<RowError>> =>
  Result.flatMap(records(withUnixEnds(text)), (found) => {
    const [first, ...rest] = found
    if (first === undefined) return Result.fail([{ line: 1, message: "The file is empty: it needs a header line." }])
    const header = first.record
    const errors: Array<RowError> = [...headerErrors(header, columns)]
    for (const column of required) {
      if (!header.includes(column)) errors.push({ line: 1, column, message: "Is missing from the header." })
    }
    const rows: Array<FileRow> = []
    rest.forEach(({ record, info }) => {
      const line = firstLine(record, info.lines)
      if (record.length !== header.length) {
        errors.push({
          line,
          message: `Has ${counted(record.length, "cell")} where the header has ${header.length}.`
        })
      }
      const cells = header.flatMap((name, column) => {
        const cell = record[column] ?? ""
        return cell === "" ? [] : [[name, cell] as const]
      })
      rows.push({ line, cells: Object.fromEntries(cells) })
    })
    return errors.length > 0 ? Result.fail(errors) : Result.succeed(rows)
  })

/** The parser reports the last line of a record; line breaks inside quoted fields are subtracted. */
const firstLine = (record: ReadonlyArray<string>, lastLine: number): number =>
  lastLine - record.reduce((breaks, cell) => breaks + (cell.match(/[\r\n]/g)?.length ?? 0), 0)
