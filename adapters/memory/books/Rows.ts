// Reads of the books in memory, each of which goes through a whole table: this store is for tests, the bench and demos.
import { HashMap } from "effect"

/** What rows are sorted by, the first member first. Each row of a table has a key of the same shape. */
export type SortKey = ReadonlyArray<number | string>

export interface Listing<A> {
  readonly by: (row: A) => SortKey
  readonly isDescending?: boolean
  /** Lists what follows this key. */
  readonly after?: SortKey | null
  readonly limit?: number
}

export interface Page<A> {
  readonly rows: ReadonlyArray<A>
  /** The last row where at least one more follows, otherwise `null`. */
  readonly next: A | null
}

const compareKeys = (a: SortKey, b: SortKey): number => {
  for (const [index, one] of a.entries()) {
    const other = b[index] ?? one
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

/**
 * Computes again only where the books, or a table of them, have changed. The bench needs this: its clock lets jobs look for work every few
 * seconds of days in which nothing is ordered. A soak of 300 orders takes 21 s of processor time with it, 36 s without.
 */
export const perVersion = <Version extends object, A>(compute: (version: Version) => A): ((version: Version) => A) => {
  let known: { readonly version: Version; readonly result: A } | undefined
  return (version) => {
    if (known?.version !== version) known = { version, result: compute(version) }
    return known.result
  }
}

/** The rows of a table that meet the condition. */
export const rowsWhere = <K, A>(table: HashMap.HashMap<K, A>, condition: (row: A) => boolean): ReadonlyArray<A> =>
  HashMap.toValues(table).filter(condition)

export const page = <A>(
  rows: ReadonlyArray<A>,
  { by, isDescending = false, after = null, limit = Number.POSITIVE_INFINITY }: Listing<A>
): Page<A> => {
  const compare = (a: SortKey, b: SortKey) => (isDescending ? compareKeys(b, a) : compareKeys(a, b))
  const found = rows
    .map((row) => ({ row, key: by(row) }))
    .filter(({ key }) => after === null || compare(key, after) > 0)
    .sort((a, b) => compare(a.key, b.key))
    .map(({ row }) => row)
  const shown = found.slice(0, limit)
  return { rows: shown, next: found.length > limit ? (shown.at(-1) ?? null) : null }
}

/** The rows in their order, and no more than the limit. */
export const sorted = <A>(rows: ReadonlyArray<A>, listing: Listing<A>): ReadonlyArray<A> => page(rows, listing).rows

/** Where a list by id begins; `null`: at its first row. */
export const afterId = (id: string | number | null): SortKey | null => (id === null ? null : [id])
