// A file of goods on its way into the shop: judged as a whole first, then what it refers to is looked up, and only then is it
// sent, in batches. A batch is put on offer whole or not at all, and putting the same goods on offer again changes nothing.
import { Effect, FileSystem, Schedule } from "effect"
import { counted } from "#core/domain/Counted.ts"
import type { OperatorClient } from "../OperatorClient.ts"
import type { OperatorError } from "../OperatorError.ts"
import { inBatches, stopped } from "./Batches.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { openDesk } from "./Desk.ts"
import type { FileKind } from "./files/FileKind.ts"
import { type FileFormat, type GoodsRow, readGoods } from "./files/ReadGoods.ts"
import { type Complaint, complaintLine } from "./files/Sheet.ts"
import { endProgress, progress } from "./Progress.ts"

type Goods = Parameters<OperatorClient["listGoods"]>[0]

export interface Consignment<Row> {
  readonly noun: keyof Goods & string
  /** One of them. */
  readonly one: string
  readonly kind: FileKind<Row>
  readonly payload: (rows: ReadonlyArray<Row>) => Goods
  /** What of the shop the rows refer to that is not there. */
  readonly missing: (desk: OperatorClient, rows: ReadonlyArray<Row>) => Effect.Effect<Missing<Row>, OperatorError>
}

/** The complaint about a row, if there is one. */
export type Missing<Row> = (row: Row) => Omit<Complaint, "line"> | undefined

const MAX_COMPLAINTS = 20

const refuse = (path: string, complaints: ReadonlyArray<Complaint>): CommandFailed => {
  const more = complaints.length - MAX_COMPLAINTS
  const sentences = [
    `Nothing was imported: ${path} has ${complaints.length === 1 ? "a fault" : `${complaints.length} faults`}.`,
    ...complaints.slice(0, MAX_COMPLAINTS).map(complaintLine),
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
  desk: OperatorClient,
  { one, noun, payload }: Consignment<Row>,
  rows: ReadonlyArray<GoodsRow<Row>>
) {
  const batches = inBatches(rows)
  let imported = 0
  for (const [at, batch] of batches.entries()) {
    yield* progress(`${imported} of ${counted(rows.length, one, noun)} imported`)
    yield* desk.listGoods(payload(batch.map(({ row }) => row))).pipe(
      Effect.retry(patience),
      Effect.mapError((error) => stopped(batches, at, error))
    )
    imported += batch.length
  }
})

/** Puts all of a file on offer, or, where anything is wrong with the file, nothing. Answers how many rows it has. */
export const importFile = Effect.fnUntraced(function* <Row>(
  consignment: Consignment<Row>,
  path: string,
  format: FileFormat
) {
  const { kind, one, noun, missing } = consignment
  yield* progress(`reading ${path}`)
  const rows = yield* Effect.fromResult(readGoods(kind, format, yield* readFile(path))).pipe(
    Effect.mapError((complaints) => refuse(path, complaints))
  )
  const desk = yield* openDesk
  yield* progress(`checking what ${counted(rows.length, one, noun)} ${rows.length === 1 ? "refers" : "refer"} to`)
  const complaint = yield* missing(
    desk,
    rows.map(({ row }) => row)
  )
  const complaints = rows.flatMap(({ line, row }) => {
    const found = complaint(row)
    return found === undefined ? [] : [{ line, ...found }]
  })
  if (complaints.length > 0) return yield* refuse(path, complaints)
  yield* send(desk, consignment, rows)
  return rows.length
}, Effect.ensuring(endProgress))
