// Splits the rows of a file into batches that fit a call, and reports the state of each line when a batch fails.
import { counted } from "#adapters/contract/shared/Counted.ts"
import { MAX_ROWS } from "#adapters/operator/calls/CatalogueCalls.ts"
import type { FileRow } from "#adapters/operator/records/CatalogueRecords.ts"
import { CommandFailed } from "./CommandFailed.ts"

type Rows = ReadonlyArray<FileRow>

export type Batches = ReadonlyArray<Rows>

/** Well below the size limit of a call, at up to three bytes per character. */
const MAX_BATCH_CHARACTERS = 1_000_000

/** Batches as large as a call accepts. */
export const toBatches = (rows: Rows): Batches => {
  const batches: Array<Array<FileRow>> = []
  let [batch, characters]: [Array<FileRow>, number] = [[], 0]
  for (const row of rows) {
    const { length } = JSON.stringify(row)
    if (batch.length === 0 || batch.length === MAX_ROWS || characters + length > MAX_BATCH_CHARACTERS) {
      batch = []
      characters = 0
      batches.push(batch)
    }
    batch.push(row)
    characters += length
  }
  return batches
}

const linesOf = (what: string, rows: Rows): ReadonlyArray<string> => {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return []
  const lines = first === last ? `line ${first.line}` : `lines ${first.line} to ${last.line}`
  return [`${what}: ${lines} (${counted(rows.length, "row")}).`]
}

/** Which lines were imported, which were not, and which are unknown after a batch failed. */
export const importStopped = (batches: Batches, at: number, reasons: ReadonlyArray<string>, isKnown: boolean) =>
  new CommandFailed({
    sentence: [
      ...reasons,
      ...linesOf("Imported", batches.slice(0, at).flat()),
      // A call without a response may have been executed.
      ...linesOf(isKnown ? "Not imported" : "Unknown", batches[at] ?? []),
      ...linesOf("Not imported", batches.slice(at + 1).flat()),
      "Import the whole file again: rows that are there already are replaced by themselves."
    ].join("\n")
  })
