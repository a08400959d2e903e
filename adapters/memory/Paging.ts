// Cutting one page out of an ordered drawer. Costs what the page costs, wherever it begins.
import type { Entry } from "./Sorted.ts"

export interface Cut<A> {
  readonly rows: ReadonlyArray<A>
  /** Whether at least one more row would have followed. */
  readonly more: boolean
}

/** The first `limit` entries that are found to be rows; those that are not are passed over. */
export const cut = <A>(entries: Iterable<Entry>, limit: number, rowOf: (entry: Entry) => A | undefined): Cut<A> => {
  const rows: Array<A> = []
  for (const entry of entries) {
    const row = rowOf(entry)
    if (row === undefined) continue
    if (rows.length === limit) return { rows, more: true }
    rows.push(row)
  }
  return { rows, more: false }
}

/** The place of an id in a drawer whose ranks are all alike. */
export const placeOf = (id: string | null): Entry | null => (id === null ? null : { rank: 0, id })
