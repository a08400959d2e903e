// The rows of one table that a decision writes, as the SQL function `write_<table>` takes them.
import { idOf, type RowIn } from "#core/decisions/Books.ts"
import { type ChangedRow, newRows } from "#core/decisions/Difference.ts"
import type { StoredRows } from "../rows/StoredTable.ts"
import type { Values } from "../rows/Table.ts"
import type { RowSet } from "./Commits.ts"
import type { VersionedName, WriteContext } from "./LoadedBooks.ts"

/** New rows as lists of values, and changed ones by their key and the columns that differ. */
export const rowsOf = <Row extends Values>(
  table: StoredRows,
  rows: ReadonlyArray<ChangedRow<Row>>,
  columnsOf: (row: Row) => Values = (row) => row
): RowSet => ({
  [`new_${table.stored}`]: newRows(rows).map((row) => table.values(columnsOf(row))),
  [table.stored]: rows.flatMap(({ before, after }) =>
    before === undefined ? [] : (table.changes(columnsOf(before), columnsOf(after)) ?? [])
  )
})

/** Rows with the version of this decision, the changed ones over the version that it has read. */
export const rowsOver = <Name extends VersionedName | "promos">(
  { loaded, version }: WriteContext,
  name: Name,
  table: StoredRows,
  rows: ReadonlyArray<ChangedRow<RowIn<Name>>>,
  columnsOf: (row: RowIn<Name>) => Values = (row) => row
): RowSet => {
  // Versions of that table, by ids of its rows.
  const versions = loaded.versions[name] as ReadonlyMap<unknown, string>
  const id = idOf(name)
  const versioned = rows.map(({ before, after }) => ({
    before: before && { ...columnsOf(before), version: versions.get(id(before)) },
    after: { ...columnsOf(after), version }
  }))
  return rowsOf(table, versioned)
}
