// Reads pages of a list up to a limit, and prints a remark when the list is longer.
import { Effect } from "effect"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import { printNote, printResult } from "./Output.ts"
import { type Column, table } from "./Table.ts"

export interface Page<Row, Cursor> {
  readonly rows: ReadonlyArray<Row>
  /** Cursor of the next page; `null` on the last. */
  readonly next: Cursor | null
}

/** The first `limit` rows for which `keep` returns true. */
export const readPages = Effect.fnUntraced(function* <Row, E, Cursor = string>(
  limit: number,
  read: (size: number, after: Cursor | null) => Effect.Effect<Page<Row, Cursor>, E>,
  keep?: (row: Row) => boolean
) {
  const size = keep === undefined ? Math.min(MAX_PAGE, limit) : MAX_PAGE
  const rows: Array<Row> = []
  let after: Cursor | null = null
  do {
    const page: Page<Row, Cursor> = yield* read(size, after)
    rows.push(...(keep === undefined ? page.rows : page.rows.filter(keep)))
    after = page.next
  } while (after !== null && rows.length < limit)
  if (after !== null || rows.length > limit) yield* printNote(`These are the first ${limit}; --limit shows more.`)
  return rows.slice(0, limit)
})

/** Prints the first `limit` rows as a table. */
export const printPages = <Row, E, Cursor = string>(
  columns: ReadonlyArray<Column<Row>>,
  limit: number,
  ...reading: readonly [
    read: (size: number, after: Cursor | null) => Effect.Effect<Page<Row, Cursor>, E>,
    keep?: (row: Row) => boolean
  ]
) => printResult(readPages(limit, ...reading), (rows, width) => table(columns, rows, width))
