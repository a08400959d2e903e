// The secondary indexes of the books: sorted sets of ids by key, updated with every commit, so that no look-up scans quotes,
// orders or ledger entries. Mutable; always equal to what `indexEntriesOf` derives from the current books.
import type { HashMap } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import { type IndexEntry, indexEntriesOf, type Row } from "./IndexEntries.ts"
import type { IndexKey } from "./IndexKeys.ts"
import { afterScore } from "./Paging.ts"
import { type ReadonlySortedSet, SortedSet } from "./SortedSet.ts"

export interface ReadonlyIndexes {
  /** The set under a key; empty where no row is indexed under it. */
  readonly get: <Id extends string>(key: IndexKey<Id>) => ReadonlySortedSet<Id>
}

const emptySet = new SortedSet()

const includes = (entries: ReadonlyArray<IndexEntry>, { key, score }: IndexEntry): boolean =>
  entries.some((other) => other.key === key && other.score === score)

/** Once this many sets were emptied, they are looked through together, and dropped if they still are empty. */
const MAX_EMPTIED = 1_000

export class Indexes implements ReadonlyIndexes {
  readonly #sets = new Map<string, SortedSet>()
  /**
   * Keys of sets that were emptied; some may have entries again. A set is not dropped at once, because a `Map` skips its deleted entries
   * one by one until it is rehashed: a key that comes and goes with every order would take longer to find each time.
   */
  readonly #emptied = new Set<string>()

  get<Id extends string>(key: IndexKey<Id>): ReadonlySortedSet<Id> {
    // The key says of which table the ids under it are.
    return (this.#sets.get(key) ?? emptySet) as ReadonlySortedSet as ReadonlySortedSet<Id>
  }

  /** Re-indexes the changed rows; each may be named more than once. */
  update(before: Books, after: Books, changed: Iterable<Row>): void {
    const rows = new Map(Array.from(changed, (row) => [`${row.table} ${row.id}`, row]))
    for (const row of rows.values()) {
      const { id } = row
      const old = indexEntriesOf(before, row)
      const current = indexEntriesOf(after, row)
      for (const entry of old) if (!includes(current, entry)) this.#remove(entry, id)
      for (const entry of current) if (!includes(old, entry)) this.#add(entry, id)
    }
  }

  #add({ key, score }: IndexEntry, id: string): void {
    const known = this.#sets.get(key)
    const set = known ?? new SortedSet()
    if (known === undefined) this.#sets.set(key, set)
    set.add({ score, id })
  }

  #remove({ key, score }: IndexEntry, id: string): void {
    const set = this.#sets.get(key)
    set?.remove({ score, id })
    if (set?.size === 0) this.#emptied.add(key)
    if (this.#emptied.size >= MAX_EMPTIED) this.#dropEmpty()
  }

  #dropEmpty(): void {
    for (const key of this.#emptied) if (this.#sets.get(key)?.size === 0) this.#sets.delete(key)
    this.#emptied.clear()
  }
}

/** The ids under a key, in the order of their scores. */
export const idsIn = <Id extends string>(indexes: ReadonlyIndexes, key: IndexKey<Id>): ReadonlyArray<Id> =>
  Array.from(indexes.get(key).after(null), ({ id }) => id)

/** The rows of a table that are indexed under a key, in the order of their scores. */
export const rowsIn = <Id extends string, A>(
  table: HashMap.HashMap<Id, A>,
  indexes: ReadonlyIndexes,
  key: IndexKey<NoInfer<Id>>
): ReadonlyArray<A> => idsIn(indexes, key).flatMap((id) => find(table, id) ?? [])

/** The distinct scores of an index; skips the other entries of a score. */
export const scoresIn = (indexes: ReadonlyIndexes, key: IndexKey<string>): ReadonlySet<number> => {
  const scores = new Set<number>()
  const entries = indexes.get(key)
  let next = entries.first()
  while (next !== undefined) {
    scores.add(next.score)
    const [higher] = entries.after(afterScore(next.score))
    next = higher
  }
  return scores
}
