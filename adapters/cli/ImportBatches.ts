// Splits the rows of a file into batches that fit a call, and reports the state of each line when a batch fails.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { MAX_ROWS } from "#adapters/operator/calls/CatalogueCalls.ts"
import type { OperatorError } from "#adapters/operator/OperatorError.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { failureText } from "./Failures.ts"
import { rowErrorText } from "./files/FileRow.ts"
import type { NumberedRow } from "./files/ReadRows.ts"

export type Batches<Row> = ReadonlyArray<ReadonlyArray<NumberedRow<Row>>>

/** Well below the size limit of a call, at up to three bytes per character. */
const MAX_BATCH_CHARACTERS = 1_000_000

/** Batches as large as a call accepts. */
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

/** Maps row indexes of the refused batch to lines of the file. */
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

/** Which lines were imported, which were not, and which are unknown after a failed batch. */
export const importStopped = <Row>(batches: Batches<Row>, at: number, error: OperatorError): CommandFailed => {
  const [before, batch = [], after] = [batches.slice(0, at).flat(), batches[at], batches.slice(at + 1).flat()]
  const sentences = [
    failureText(error),
    ...refusedRows(error, batch),
    ...(before.length === 0 ? [] : [`Imported: ${range(before)} (${rows(before)}).`]),
    // A call without a response may have been executed.
    ...(error.retryable ? [`Unknown: ${range(batch)} (${rows(batch)}).`] : []),
    ...(error.retryable ? [] : [`Not imported: ${range(batch)} (${rows(batch)}).`]),
    ...(after.length === 0 ? [] : [`Not imported: ${range(after)} (${rows(after)}).`]),
    "Import the whole file again: rows that are there already are replaced by themselves."
  ]
  return new CommandFailed({ sentence: sentences.join("\n") })
}
