// Reads and validates a whole import file: its rows, or all of its errors.
import { Result } from "effect"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import type { FileKind } from "./FileKind.ts"
import type { FileRow, RowError } from "./FileRow.ts"
import { readCsv } from "./ReadCsv.ts"
import { readJson } from "./ReadJson.ts"

export type FileFormat = "csv" | "json"

type RowErrors = ReadonlyArray<RowError>

const decodeText = (bytes: Uint8Array): Result.Result<string, RowErrors> =>
  Result.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => [{ line: 1, message: "The file is not UTF-8 text; save it as UTF-8 and try again." }]
  })

/** The column of a path such as `keywords[1].position`. */
const columnOf = (path: string): string => path.split(/[.[]/, 1)[0] ?? path

const decodeRow = <Row>(kind: FileKind<Row>, { line, fields: cells }: FileRow): Result.Result<Row, RowErrors> =>
  Result.mapError(kind.decode(cells), (issue) =>
    fieldErrors(faultsOf(issue), "body").map(({ path, message }) => {
      const cell = cells[columnOf(path)]
      return { line, column: path, ...(typeof cell === "string" ? { found: cell } : {}), message }
    })
  )

/** Rows whose key repeats that of an earlier row. */
const duplicates = ({ key }: { readonly key: string }, rows: ReadonlyArray<FileRow>): RowErrors => {
  const firstLines = new Map<string, number>()
  return rows.flatMap(({ line, fields: cells }) => {
    const cell = cells[key]
    if (cell === undefined) return []
    // Compared as the service does: codes ignore case, numbers ignore leading zeros.
    const name = String(cell)
      .toUpperCase()
      .replace(/^0+(?=\d)/, "")
    const earlier = firstLines.get(name)
    if (earlier === undefined) firstLines.set(name, line)
    return earlier === undefined
      ? []
      : [{ line, column: key, found: String(cell), message: `Is on line ${earlier} already.` }]
  })
}

export interface NumberedRow<Row> {
  readonly line: number
  readonly row: Row
}

export const readRows = <Row>(
  kind: FileKind<Row>,
  format: FileFormat,
  bytes: Uint8Array
): Result.Result<ReadonlyArray<NumberedRow<Row>>, RowErrors> =>
  Result.gen(function* () {
    const text = yield* decodeText(bytes)
    const found = yield* format === "csv" ? readCsv(text, kind.columns, kind.required) : readJson(text, kind.columns)
    if (found.length === 0) return yield* Result.fail([{ line: 1, message: "The file has no rows." }])
    const errors: Array<RowError> = [...duplicates(kind, found)]
    const rows: Array<NumberedRow<Row>> = []
    for (const row of found) {
      const decoded = decodeRow(kind, row)
      if (Result.isSuccess(decoded)) rows.push({ line: row.line, row: decoded.success })
      else errors.push(...decoded.failure)
    }
    return errors.length === 0 ? rows : yield* Result.fail(errors.toSorted((one, other) => one.line - other.line))
  })
