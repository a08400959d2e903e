// Reads CSV into the rows of an import: checks the header and the number of fields of each row.
import { Result } from "effect"
import { counted } from "#adapters/contract/shared/Counted.ts"
import { csvRecords } from "#adapters/contract/shared/CsvRecords.ts"
import type { FileRow, RowError } from "#adapters/operator/records/CatalogueRecords.ts"

const headerErrors = (header: ReadonlyArray<string>, columns: ReadonlyArray<string>): ReadonlyArray<RowError> => {
  const allowed = `The columns of this file are: ${columns.join(", ")}.`
  return header.flatMap((name, index) => {
    if (!columns.includes(name)) {
      return [{ line: 1, column: name === "" ? String(index + 1) : name, message: `Is not a column. ${allowed}` }]
    }
    return header.indexOf(name) < index ? [{ line: 1, column: name, message: "Is there twice." }] : []
  })
}

/** The rows, or all errors in the shape of the file. `required` columns must be in the header. */
export const readCsv = (
  text: string,
  columns: ReadonlyArray<string>,
  required: ReadonlyArray<string>
): Result.Result<ReadonlyArray<FileRow>, ReadonlyArray<RowError>> =>
  Result.flatMap(
    Result.mapError(csvRecords(text), (error) => [error]),
    (found): Result.Result<ReadonlyArray<FileRow>, ReadonlyArray<RowError>> => {
      const [first, ...rest] = found
      if (first === undefined) return Result.fail([{ line: 1, message: "The file is empty: it needs a header line." }])
      const header = first.cells
      const errors: Array<RowError> = [...headerErrors(header, columns)]
      for (const column of required) {
        if (!header.includes(column)) errors.push({ line: 1, column, message: "Is missing from the header." })
      }
      const rows: Array<FileRow> = []
      for (const { cells: record, line } of rest) {
        if (record.length !== header.length) {
          errors.push({
            line,
            message: `Has ${counted(record.length, "cell")} where the header has ${header.length}.`
          })
        }
        const cells = header.flatMap((name, column) => {
          const cell = record[column] ?? ""
          return cell === "" ? [] : [[name, cell] as const]
        })
        rows.push({ line, cells: Object.fromEntries(cells) })
      }
      return errors.length > 0 ? Result.fail(errors) : Result.succeed(rows)
    }
  )
