// What the writers of rows share: the books before and after a decision, which rows it touched, and how a row is written over
// the version that was loaded.
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
  /** The stem of the decision's moment: the version of every row that it writes. */
  readonly version: string
}

/** `after` are the loaded books with the changes folded in. */
export const writeContext = (
  loaded: LoadedBooks,
  changes: ReadonlyArray<Change>,
  stem: string,
  after: Books = changes.reduce(apply, loaded.books)
): WriteContext => ({ loaded, after, changed: changedRowsOf(changes), version: stem })

/** Rows, or more of the same, by the names that the database's functions know. */
export type RowSet = Readonly<Record<string, unknown>>

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** Without what there is nothing of: what is not named costs the database nothing. */
export const omitEmpty = (part: RowSet): RowSet =>
  Object.fromEntries(Object.entries(part).filter(([, rows]) => !isEmpty(rows)))

/** With the stem, which some of the part's rows get that are not named in it. */
export const withVersion = (part: RowSet, stem: string): RowSet => (isEmpty(part) ? part : { ...part, stem })

/** What stands on the shelf under these ids. */
export const rowsFor = <Id, A>(shelf: HashMap.HashMap<Id, A>, ids: Iterable<Id>): ReadonlyArray<A> =>
  Array.from(ids).flatMap((id) => find(shelf, id) ?? [])

/** To be written over the version that was loaded, or where there was none. */
export const versioned = <Id, Row extends object>(
  { version: stem }: WriteContext,
  versions: ReadonlyMap<Id, string>,
  id: Id,
  row: Row
) => ({
  ...row,
  version: stem,
  previous: versions.get(id) ?? null
})

type OnShelf<Id, A> = (books: Books) => HashMap.HashMap<Id, A>

/** Whether it stood on the shelf before. */
export const existedBefore = <Id, A>({ loaded }: WriteContext, shelf: OnShelf<Id, A>, id: Id): boolean =>
  HashMap.has(shelf(loaded.books), id)

/** What stands on the shelf under these ids, that which was not there before apart from that which was. */
export const splitNewAndChanged = <Id, A>(
  writing: WriteContext,
  shelf: OnShelf<Id, A>,
  ids: Iterable<Id>
): { readonly fresh: ReadonlyArray<A>; readonly changed: ReadonlyArray<A> } => {
  const now = shelf(writing.after)
  const fresh: Array<A> = []
  const changed: Array<A> = []
  for (const id of ids) {
    const one = find(now, id)
    if (one !== undefined) (existedBefore(writing, shelf, id) ? changed : fresh).push(one)
  }
  return { fresh, changed }
}
