// What a decision writes: the difference of the books before and after it, and how a row replaces the version that was loaded.

import { type Books, idOf, type RowIn } from "#core/decisions/Books.ts"
import { type Difference, difference } from "#core/decisions/Difference.ts"
import type { versionedTables } from "../rows/BookTables.ts"
import type { WrittenRow } from "../rows/Table.ts"
import type { LoadedBooks } from "./LoadedBooks.ts"

export interface WriteContext {
  readonly loaded: LoadedBooks
  readonly after: Books
  readonly changed: Difference
  /** The id prefix of the decision, which becomes the version of every row that it writes. */
  readonly version: string
}

/** `after` are the loaded books with the decision's changes applied. */
export const makeWriteContext = (loaded: LoadedBooks, after: Books, version: string): WriteContext => ({
  loaded,
  after,
  changed: difference(loaded.books, after),
  version
})

/** Rows, or further row sets, under the names that the SQL function `commit_changes` gives them. */
export type RowSet = Readonly<Record<string, unknown>>

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** A name that is missing costs the database nothing. */
export const omitEmpty = (rows: RowSet): RowSet =>
  Object.fromEntries(Object.entries(rows).filter(([, value]) => !isEmpty(value)))

/** Adds the version, which the database sets in rows that the service does not write itself. */
export const withVersion = (rows: RowSet, version: string): RowSet =>
  isEmpty(rows) ? rows : { ...rows, stem: version }

type VersionedName = keyof typeof versionedTables

/** Rows with the version that they replace, or `null` if they are new. */
export const rowsOver = <Name extends VersionedName | "promos">(
  { loaded, version }: WriteContext,
  name: Name,
  rows: ReadonlyArray<RowIn<Name>>,
  toRow: (row: RowIn<Name>) => WrittenRow
): ReadonlyArray<WrittenRow> => {
  const id = idOf(name)
  // Versions of that table, by ids of its rows.
  const versions = loaded.versions[name] as ReadonlyMap<unknown, string>
  return rows.map((row) => ({ ...toRow(row), version, previous: versions.get(id(row)) ?? null }))
}
