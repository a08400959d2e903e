// Imports a file: the service judges all of its rows, batch by batch, and then writes them. A batch is written completely or not at
// all, and importing the same file again changes nothing.
import { Effect, FileSystem, Result, Schedule } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { type ImportKindName, importKinds } from "#adapters/operator/imports/ImportKinds.ts"
import type { OperatorError } from "#adapters/operator/OperatorError.ts"
import type { RowError } from "#adapters/operator/records/CatalogueRecords.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { connect } from "./Connect.ts"
import { failureText } from "./Failures.ts"
import { type FileFormat, readRows, rowErrorText } from "./files/ReadRows.ts"
import { type Batches, importStopped, toBatches } from "./ImportBatches.ts"
import { endProgress, progress } from "./Progress.ts"

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

/** Imports all rows, or none if the file has an error. Returns the number of rows. */
export const importFile = Effect.fnUntraced(function* (
  kind: ImportKindName,
  path: string,
  format: FileFormat,
  changeDomain = false
) {
  yield* progress(`reading ${path}`)
  const { rows, repeated } = yield* Effect.fromResult(
    Result.mapError(readRows(importKinds[kind], format, yield* readFile(path)), (errors) => refuse(path, errors))
  )
  const client = yield* connect
  const batches = toBatches(rows)
  const all = counted(rows.length, importKinds[kind].one, kind)
  const call = (batch: Batches[number], dryRun: boolean) =>
    Effect.retry(
      client.importRows({ kind, rows: batch, dryRun, ...(changeDomain ? { changeDomain } : {}) }),
      retryPolicy
    )

  const errors = [...repeated]
  for (const [at, batch] of batches.entries()) {
    yield* progress(`${batches.slice(0, at).flat().length} of ${all} checked`)
    const found = (yield* call(batch, true)).errors
    // A key that repeats one of the same batch is told by both.
    errors.push(
      ...found.filter(({ line, column }) => !repeated.some((one) => one.line === line && one.column === column))
    )
  }
  if (errors.length > 0)
    return yield* refuse(
      path,
      errors.sort((one, other) => one.line - other.line)
    )

  let imported = 0
  for (const [at, batch] of batches.entries()) {
    yield* progress(`${imported} of ${all} imported`)
    const answer = yield* Effect.mapError(call(batch, false), (error) =>
      importStopped(batches, at, [failureText(error)], !error.retryable)
    )
    // Something changed since all of it was right.
    if (answer.errors.length > 0) return yield* importStopped(batches, at, answer.errors.map(rowErrorText), true)
    imported += batch.length
  }
  return imported
}, Effect.ensuring(endProgress))
