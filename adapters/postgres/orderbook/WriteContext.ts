// What a decision writes: the books before and after it, which rows it changed, and how a row replaces the version that was loaded.
import { HashMap } from "effect"
import { apply } from "#core/decisions/Apply.ts"
import { type Books, find } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { type ChangedRows, changedRowsOf } from "./ChangedRows.ts"
import type { LoadedBooks } from "./LoadedBooks.ts"

export interface WriteContext {
  readonly loaded: LoadedBooks
  readonly after: Books
  readonly changed: ChangedRows
  /** The id prefix of the decision, which becomes the version of every row that it writes. */
  readonly version: string
}

/** `after` are the loaded books with the changes applied. */
export const makeWriteContext = (
  loaded: LoadedBooks,
  changes: ReadonlyArray<Change>,
  version: string,
  after: Books = changes.reduce(apply, loaded.books)
): WriteContext => ({ loaded, after, changed: changedRowsOf(changes), version })

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

/** The entries of the table with these ids. */
export const rowsFor = <Id, A>(table: HashMap.HashMap<Id, A>, ids: Iterable<Id>): ReadonlyArray<A> =>
  Array.from(ids).flatMap((id) => find(table, id) ?? [])

/** A row with the version that it replaces, or `null` if it is new. */
export const versioned = <Id, Row extends object>(
  { version }: WriteContext,
  versions: ReadonlyMap<Id, string>,
  id: Id,
  row: Row
) => ({
  ...row,
  version,
  previous: versions.get(id) ?? null
})

/** The versioned rows of the table's entries with these ids. */
export const versionedRows = <Id, A, Row extends object>(
  write: WriteContext,
  table: HashMap.HashMap<Id, A>,
  versions: ReadonlyMap<Id, string>,
  ids: Iterable<Id>,
  row: (entry: A) => Row
) =>
  Array.from(ids).flatMap((id) => {
    const entry = find(table, id)
    return entry === undefined ? [] : [versioned(write, versions, id, row(entry))]
  })

type TableOf<Id, A> = (books: Books) => HashMap.HashMap<Id, A>

export const existedBefore = <Id, A>({ loaded }: WriteContext, table: TableOf<Id, A>, id: Id): boolean =>
  HashMap.has(table(loaded.books), id)

export const splitNewAndChanged = <Id, A>(
  write: WriteContext,
  table: TableOf<Id, A>,
  ids: Iterable<Id>
): { readonly fresh: ReadonlyArray<A>; readonly changed: ReadonlyArray<A> } => {
  const after = table(write.after)
  const fresh: Array<A> = []
  const changed: Array<A> = []
  for (const id of ids) {
    const one = find(after, id)
    if (one !== undefined) (existedBefore(write, table, id) ? changed : fresh).push(one)
  }
  return { fresh, changed }
}
