// Reads an import file into rows of cells, or says what is wrong with its shape. The service judges the cells.
import { Result } from "effect"
import type { ImportKind } from "#adapters/operator/imports/ImportKinds.ts"
import type { FileRow, RowError } from "#adapters/operator/records/CatalogueRecords.ts"
import { readCsv } from "./ReadCsv.ts"
import { readJson } from "./ReadJson.ts"

export type FileFormat = "csv" | "json"

type RowErrors = ReadonlyArray<RowError>

const MAX_FOUND = 60

const shown = (found: string): string =>
  JSON.stringify(found.length > MAX_FOUND ? `${found.slice(0, MAX_FOUND)}…` : found)

/** `line 3, column tf: "abc": Must be …` */
export const rowErrorText = ({ line, column, found, message }: RowError): string =>
  `line ${line}${column === undefined ? "" : `, column ${column}`}${found === undefined ? "" : `, ${shown(found)}`}: ${message}`

const decodeText = (bytes: Uint8Array): Result.Result<string, RowErrors> =>
  Result.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => [{ line: 1, message: "The file is not UTF-8 text; save it as UTF-8 and try again." }]
  })

/** Rows whose key repeats that of an earlier row: the service sees them only if they are in one batch. */
const duplicates = (key: string, rows: ReadonlyArray<FileRow>): RowErrors => {
  const firstLines = new Map<string, number>()
  return rows.flatMap(({ line, cells }) => {
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

export interface FileRows {
  readonly rows: ReadonlyArray<FileRow>
  /** Rows that repeat another one. */
  readonly repeated: RowErrors
}

export const readRows = (
  { columns, required, key }: Pick<ImportKind<unknown>, "columns" | "required" | "key">,
  format: FileFormat,
  bytes: Uint8Array
): Result.Result<FileRows, RowErrors> =>
  Result.gen(function* () {
    const text = yield* decodeText(bytes)
    const rows = yield* format === "csv" ? readCsv(text, columns, required) : readJson(text, columns)
    if (rows.length === 0) return yield* Result.fail([{ line: 1, message: "The file has no rows." }])
    return { rows, repeated: duplicates(key, rows) }
  })
