// A file of goods on its way into the shop: judged as a whole first, then what it refers to is looked up, and only then is it
// sent, in batches. A batch is put on offer whole or not at all, and putting the same goods on offer again changes nothing.
import { Effect, FileSystem, Schedule } from "effect"
import { counted } from "#core/domain/Counted.ts"
import type { OperatorClient } from "../OperatorClient.ts"
import type { OperatorError } from "../OperatorError.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { connect } from "./Connect.ts"
import type { FileKind } from "./files/FileKind.ts"
import { type RowError, rowErrorText } from "./files/FileRow.ts"
import { type FileFormat, type NumberedRow, readRows } from "./files/ReadRows.ts"
import { importStopped, toBatches } from "./ImportBatches.ts"
import { endProgress, progress } from "./Progress.ts"

type Goods = Parameters<OperatorClient["listGoods"]>[0]

export interface ImportKind<Row> {
  readonly noun: keyof Goods & string
  /** One of them. */
  readonly one: string
  readonly kind: FileKind<Row>
  readonly payload: (rows: ReadonlyArray<Row>) => Goods
  /** What of the shop the rows refer to that is not there. */
  readonly missing: (client: OperatorClient, rows: ReadonlyArray<Row>) => Effect.Effect<Missing<Row>, OperatorError>
}

/** The error about a row, if there is one. */
export type Missing<Row> = (row: Row) => Omit<RowError, "line"> | undefined

const MAX_SHOWN_ERRORS = 20

const refuse = (path: string, errors: ReadonlyArray<RowError>): CommandFailed => {
  const more = errors.length - MAX_SHOWN_ERRORS
  const sentences = [
    `Nothing was imported: ${path} has ${errors.length === 1 ? "a fault" : `${errors.length} faults`}.`,
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

/** Only what the service could not do just then is tried again. */
const patience = {
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
      Effect.retry(patience),
      Effect.mapError((error) => importStopped(batches, at, error))
    )
    imported += batch.length
  }
})

/** Puts all of a file on offer, or, where anything is wrong with the file, nothing. Answers how many rows it has. */
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
