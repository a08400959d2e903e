// Judges the rows of an import file, and writes them if none has an error. The operator's file is judged here alone.
import { Effect, Result } from "effect"
import { faultsOf, fieldErrors } from "#adapters/contract/decoding/SchemaIssues.ts"
import { rowFaultText } from "#adapters/contract/errors/CatalogueErrors.ts"
import type { RowFault } from "#core/domain/catalogue/CatalogueRefusal.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type { UpdateCatalogue } from "#core/usecases/catalogue/UpdateCatalogue.ts"
import type { FileRow, RowError } from "../records/CatalogueRecords.ts"
import { type ImportKind, type ImportKindName, importKinds } from "./ImportKinds.ts"

interface Judged<Row> {
  readonly rows: ReadonlyArray<Row>
  /** What each of `rows` was read from. */
  readonly read: ReadonlyArray<FileRow>
  readonly errors: ReadonlyArray<RowError>
}

/** The column of a path such as `keywords[1].position`. */
const columnIn = (path: string): string => path.split(/[.[]/, 1)[0] ?? path

const rowError = ({ line, cells }: FileRow, column: string, message: string): RowError => {
  const cell = cells[columnIn(column)]
  return { line, column, ...(typeof cell === "string" ? { found: cell } : {}), message }
}

/** Rows of which each cell is right, and all errors of the others. */
export const readCells = <Row>({ decode }: ImportKind<Row>, file: ReadonlyArray<FileRow>): Judged<Row> => {
  const [rows, read, errors]: [Array<Row>, Array<FileRow>, Array<RowError>] = [[], [], []]
  for (const fileRow of file) {
    const decoded = decode(fileRow.cells)
    if (Result.isSuccess(decoded)) {
      rows.push(decoded.success)
      read.push(fileRow)
    } else {
      const found = fieldErrors(faultsOf(decoded.failure), "body")
      errors.push(...found.map(({ path, message }) => rowError(fileRow, path, message)))
    }
  }
  return { rows, read, errors }
}

interface File {
  readonly kind: ImportKindName
  readonly rows: ReadonlyArray<FileRow>
  readonly dryRun?: boolean
  readonly changeDomain?: boolean
}

type Updates = typeof UpdateCatalogue.Service

export const importRows = Effect.fnUntraced(function* (
  updates: Updates,
  { kind, rows: file, dryRun, changeDomain }: File,
  by: Actor
) {
  const { columnOf } = importKinds[kind]
  const { rows, read, errors } = readCells<unknown>(importKinds[kind], file)
  // The rows are those of this kind.
  const listing = { [kind]: rows } as Parameters<Updates["update"]>[0]
  const isWritten = dryRun !== true && errors.length === 0
  const faults = yield* isWritten
    ? updates.update(listing, by, changeDomain).pipe(
        Effect.as<ReadonlyArray<RowFault>>([]),
        Effect.catchTag("ListingRefused", ({ faults }) => Effect.succeed(faults))
      )
    : updates.judge(listing, changeDomain)
  const inBooks = faults.flatMap((fault) => {
    const row = read[fault.index]
    if (row === undefined) return []
    const message = rowFaultText(fault, (index) => `Is on line ${read[index]?.line} already.`)
    return [rowError(row, columnOf(fault.member), message)]
  })
  return { written: isWritten && inBooks.length === 0 ? rows.length : 0, errors: [...errors, ...inBooks] }
})
