// One page of an ordered index. Costs as much as the page, wherever it begins.
import type { Entry } from "./SortedSet.ts"

export interface Page<A, Id> {
  readonly rows: ReadonlyArray<A>
  /** The id of the last row where at least one more row follows, otherwise `null`. */
  readonly nextId: Id | null
}

/** The first `limit` rows; entries without a row are skipped. */
export const page = <A, Id extends string>(
  entries: Iterable<Entry<Id>>,
  limit: number,
  rowOf: (id: Id) => A | undefined
): Page<A, Id> => {
  const rows: Array<A> = []
  let lastId: Id | null = null
  for (const { id } of entries) {
    const row = rowOf(id)
    if (row === undefined) continue
    if (rows.length === limit) return { rows, nextId: lastId }
    rows.push(row)
    lastId = id
  }
  return { rows, nextId: null }
}

/** The entry of an id in an index that gives every row the same score. */
export const unscored = (id: string | null): Entry | null => (id === null ? null : { score: 0, id })

/** Sorts after every entry with this score. */
export const afterScore = (score: number): Entry => ({ score, id: "\uffff" })
