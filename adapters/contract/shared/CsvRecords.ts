// Reads CSV into records: byte-order mark, both line endings, quoted fields, and the delimiters that spreadsheets write and copy.
import { CsvError, parse } from "csv-parse/sync"
import { Result, Schema } from "effect"

export interface CsvRecord {
  readonly cells: ReadonlyArray<string>
  /** Where it begins, from 1. */
  readonly line: number
}

const Records = Schema.Array(
  Schema.Struct({ record: Schema.Array(Schema.String), info: Schema.Struct({ lines: Schema.Int }) })
)

const decodeRecords = Schema.decodeUnknownSync(Records)

/** Spreadsheets write semicolons in locales with a decimal comma, and copy tabs. */
const delimiterOf = (text: string): string => {
  const [header = ""] = text.split(/[\r\n]/, 1)
  return [",", ";", "\t"].find((delimiter) => header.includes(delimiter)) ?? ","
}

/** The parser counts CRLF inside a quoted field as two lines. */
const withUnixEnds = (text: string): string => text.replaceAll("\r\n", "\n")

/** The parser reports the last line of a record; line breaks inside quoted fields are subtracted. */
const firstLine = (record: ReadonlyArray<string>, lastLine: number): number =>
  lastLine - record.reduce((breaks, cell) => breaks + (cell.match(/[\r\n]/g)?.length ?? 0), 0)

const AFTER_END = 'Text follows the " that ends a cell. Write "" for each " inside a cell.'

/** The parser's codes; its own messages are for programmers. */
const FAULTS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A cell begins with " and does not end. End it with ", and write "" for each " inside it.',
  INVALID_OPENING_QUOTE:
    'A " stands inside a cell. Put the whole cell between " and ", and write "" for each " inside it.',
  CSV_INVALID_CLOSING_QUOTE: AFTER_END,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: AFTER_END
}

const NOT_CSV = "This is not CSV. Save the sheet as CSV, and choose that file."

/** `maxRecords`: no more are read. */
export const csvRecords = (
  sent: string,
  maxRecords = Number.POSITIVE_INFINITY
): Result.Result<ReadonlyArray<CsvRecord>, { readonly line: number; readonly message: string }> => {
  const text = withUnixEnds(sent)
  const options = {
    bom: true,
    delimiter: delimiterOf(text),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    ...(Number.isFinite(maxRecords) ? { to: maxRecords } : {})
  }
  return Result.try({
    try: () =>
      decodeRecords(parse(text, options)).map(({ record, info }) => ({
        cells: record,
        line: firstLine(record, info.lines)
      })),
    catch: (error) =>
      // Other errors carry no line.
      error instanceof CsvError
        ? { line: Number(error["lines"]), message: FAULTS[error.code] ?? NOT_CSV }
        : { line: 1, message: NOT_CSV }
  })
}
