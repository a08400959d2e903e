// Reads a JSON list of objects into rows, each with the line on which its object begins. Numbers and booleans become text, so
// that the same field schemas apply as for CSV.
import { Predicate, Result } from "effect"
import type { FileRow, RowError } from "#adapters/operator/records/CatalogueRecords.ts"

/** Line on which each element of the outermost list begins. `text` must be a valid JSON list. */
const elementLines = (text: string): ReadonlyArray<number> => {
  const lines: Array<number> = []
  let [line, depth, inString, awaited] = [1, 0, false, false]
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ""
    if (character === "\n") line++
    if (inString) {
      if (character === "\\") index++
      else if (character === '"') inString = false
      continue
    }
    if (/\s/.test(character)) continue
    if (awaited && character !== "]") lines.push(line)
    awaited = depth === 1 ? character === "," : depth === 0
    if (character === '"') inString = true
    else if (character === "[" || character === "{") depth++
    else if (character === "]" || character === "}") depth--
  }
  return lines
}

const cellsOf = (row: Readonly<Record<string, unknown>>): FileRow["cells"] =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (value === null || value === "") return []
      return [[name, typeof value === "object" ? value : String(value).trim()] as const]
    })
  )

const parse = (text: string): Result.Result<unknown, ReadonlyArray<RowError>> =>
  Result.try({
    try: (): unknown => JSON.parse(text.replace(/^\uFEFF/, "")),
    catch: (error) => {
      const message = error instanceof SyntaxError ? error.message : ""
      const line = Number(/\(line (\d+) column \d+\)$/.exec(message)?.[1] ?? 1)
      // Some messages of the parser quote the file; the line is enough.
      const what = message.replace(/,? ?(\.\.\.)?"[\s\S]*"(\.\.\.)? is not valid JSON$/, "").replace(/ \(line.*$/, "")
      return [{ line, message: `This is not JSON: ${what}.` }]
    }
  })

export const readJson = (
  text: string,
  columns: ReadonlyArray<string>
): Result.Result<ReadonlyArray<FileRow>, ReadonlyArray<RowError>> =>
  Result.flatMap(parse(text), (value) => {
    if (!Array.isArray(value)) return Result.fail([{ line: 1, message: "Must be a list of objects: [{ … }, { … }]." }])
    const elements: ReadonlyArray<unknown> = value
    const lines = elementLines(text)
    const errors: Array<RowError> = []
    const rows: Array<FileRow> = []
    elements.forEach((element, index) => {
      const line = lines[index] ?? 1
      if (!Predicate.isObject(element)) {
        errors.push({ line, message: "Must be an object." })
        return
      }
      for (const column of Object.keys(element)) {
        if (columns.includes(column)) continue
        errors.push({ line, column, message: `Is not a field. The fields are: ${columns.join(", ")}.` })
      }
      rows.push({ line, cells: cellsOf(element) })
    })
    return errors.length > 0 ? Result.fail(errors) : Result.succeed(rows)
  })
