// Imports a file: validates all of it, looks up what its rows refer to, then sends the rows in batches. A batch is written
// completely or not at all, and importing the same file again changes nothing.
import { Effect, FileSystem, Schedule } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { OperatorError } from "#adapters/operator/OperatorError.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { connect } from "./Connect.ts"
import type { FileKind } from "./files/FileKind.ts"
import { type RowError, rowErrorText } from "./files/FileRow.ts"
import { type FileFormat, type NumberedRow, readRows } from "./files/ReadRows.ts"
import { importStopped, toBatches } from "./ImportBatches.ts"
import { endProgress, progress } from "./Progress.ts"

type CatalogueUpdate = Parameters<OperatorClient["listGoods"]>[0]

export interface ImportKind<Row> {
  readonly noun: keyof CatalogueUpdate & string
  /** Singular of `noun`. */
  readonly one: string
  readonly kind: FileKind<Row>
  readonly payload: (rows: ReadonlyArray<Row>) => CatalogueUpdate
  /** Looks up the records that rows refer to; returns the check of one row. */
  readonly missing: (client: OperatorClient, rows: ReadonlyArray<Row>) => Effect.Effect<Missing<Row>, OperatorError>
}

/** The error of a row that refers to a missing record. */
export type Missing<Row> = (row: Row) => Omit<RowError, "line"> | undefined

const MAX_SHOWN_ERRORS = 20

const refuse = (path: string, errors: ReadonlyArray<RowError>): CommandFailed => {
  const more = errors.length - MAX_SHOWN_ERRORS
  const sentences = [
    `Nothing was imported: ${path} has ${errors.length === 1 ? "an error" : `${errors.length} errors`}.`,
    ...errors.slice(0, MAX_SHOWN_ERRORS).map(rowErrorText),
    ...(more > 0 ? [`… and ${more} more.`] : [])
  ]
  return new CommandFailed({ sentence: sentences.join("\n") })
}

const readFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  return yield* files
    .readFile(path)
    .pipe(
      Effect.mapError(({ reason }) =>
        reason._tag === "NotFound"
          ? new CommandFailed({ sentence: `There is no file ${path}.` })
          : new CommandFailed({ sentence: `${path} cannot be read.` })
      )
    )
})

/** Repeats calls that failed with a retryable error. */
const retryPolicy = {
  while: ({ retryable }: OperatorError) => retryable,
  schedule: Schedule.exponential("200 millis"),
  times: 3
}

const send = Effect.fnUntraced(function* <Row>(
  client: OperatorClient,
  { one, noun, payload }: ImportKind<Row>,
  rows: ReadonlyArray<NumberedRow<Row>>
) {
  const batches = toBatches(rows)
  let imported = 0
  for (const [at, batch] of batches.entries()) {
    yield* progress(`${imported} of ${counted(rows.length, one, noun)} imported`)
    yield* client.listGoods(payload(batch.map(({ row }) => row))).pipe(
      Effect.retry(retryPolicy),
      Effect.mapError((error) => importStopped(batches, at, error))
    )
    imported += batch.length
  }
})

/** Imports all rows, or none if the file has an error. Returns the number of rows. */
export const importFile = Effect.fnUntraced(function* <Row>(
  importKind: ImportKind<Row>,
  path: string,
  format: FileFormat
) {
  const { kind, one, noun, missing } = importKind
  yield* progress(`reading ${path}`)
  const rows = yield* Effect.fromResult(readRows(kind, format, yield* readFile(path))).pipe(
    Effect.mapError((errors) => refuse(path, errors))
  )
  const client = yield* connect
  yield* progress(`checking what ${counted(rows.length, one, noun)} ${rows.length === 1 ? "refers" : "refer"} to`)
  const error = yield* missing(
    client,
    rows.map(({ row }) => row)
  )
  const errors = rows.flatMap(({ line, row }) => {
    const found = error(row)
    return found === undefined ? [] : [{ line, ...found }]
  })
  if (errors.length > 0) return yield* refuse(path, errors)
  yield* send(client, importKind, rows)
  return rows.length
}, Effect.ensuring(endProgress))
