// Rows of a file in batches that a call can carry, and which lines of the file are where when one of them did not get through.
import { counted } from "#core/domain/Counted.ts"
import { MAX_ROWS } from "../calls/CatalogueCalls.ts"
import type { OperatorError } from "../OperatorError.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { failureText } from "./Failures.ts"
import { rowErrorText } from "./files/FileRow.ts"
import type { NumberedRow } from "./files/ReadRows.ts"

export type Batches<Row> = ReadonlyArray<ReadonlyArray<NumberedRow<Row>>>

/** Far below what a call may weigh, whatever alphabet the rows are written in. */
const MAX_BATCH_CHARACTERS = 1_000_000

/** As many rows to a batch as a call takes. */
export const toBatches = <Row>(rows: ReadonlyArray<NumberedRow<Row>>): Batches<Row> => {
  const batches: Array<Array<NumberedRow<Row>>> = []
  let [batch, characters]: [Array<NumberedRow<Row>>, number] = [[], 0]
  for (const one of rows) {
    const { length } = JSON.stringify(one.row)
    if (batch.length === 0 || batch.length === MAX_ROWS || characters + length > MAX_BATCH_CHARACTERS) {
      batch = []
      characters = 0
      batches.push(batch)
    }
    batch.push(one)
    characters += length
  }
  return batches
}

/** Rows of a batch that the service refused are counted from 0 in that batch; people count the lines of their file. */
const refusedRows = <Row>(error: OperatorError, batch: ReadonlyArray<NumberedRow<Row>>): ReadonlyArray<string> =>
  (error.errors ?? []).flatMap(({ path, message }) => {
    const [, index = "", field = ""] = /\[(\d+)\]\.?(.*)$/.exec(path) ?? []
    const row = batch[Number(index)]
    return row === undefined || index === "" ? [] : [rowErrorText({ line: row.line, column: field, message })]
  })

const range = <Row>(rows: ReadonlyArray<NumberedRow<Row>>): string => {
  const [first, last] = [rows[0], rows.at(-1)]
  return first === last ? `line ${first?.line}` : `lines ${first?.line} to ${last?.line}`
}

const rows = ({ length }: ReadonlyArray<unknown>): string => counted(length, "row")

/** What became of which lines when one batch did not get through. */
export const importStopped = <Row>(batches: Batches<Row>, at: number, error: OperatorError): CommandFailed => {
  const [before, batch = [], after] = [batches.slice(0, at).flat(), batches[at], batches.slice(at + 1).flat()]
  const sentences = [
    failureText(error),
    ...refusedRows(error, batch),
    ...(before.length === 0 ? [] : [`Imported: ${range(before)} (${rows(before)}).`]),
    // A call that got no answer may have been done all the same.
    ...(error.retryable ? [`Unknown: ${range(batch)} (${rows(batch)}).`] : []),
    ...(error.retryable ? [] : [`Not imported: ${range(batch)} (${rows(batch)}).`]),
    ...(after.length === 0 ? [] : [`Not imported: ${range(after)} (${rows(after)}).`]),
    "Import the whole file again: rows that are there already are replaced by themselves."
  ]
  return new CommandFailed({ sentence: sentences.join("\n") })
}
