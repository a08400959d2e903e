// A sorted set kept as a list of short sorted runs, so that adding, removing and seeking stay cheap among hundreds of
// thousands of entries.

/** Sorted by ascending score, then by id. */
export interface Entry<Id extends string = string> {
  readonly score: number
  readonly id: Id
}

export const compareEntries = (a: Entry, b: Entry): number =>
  a.score - b.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

export interface ReadonlySortedSet<Id extends string = string> {
  readonly size: number
  readonly first: () => Entry<Id> | undefined
  readonly last: () => Entry<Id> | undefined
  /** The entry at this position from 0. */
  readonly at: (position: number) => Entry<Id> | undefined
  /** Ascending, strictly after `entry`, or from the first. The set must not change during the iteration. */
  readonly after: (entry: Entry | null) => Iterable<Entry<Id>>
  /** Descending, strictly before `entry`, or from the last. */
  readonly before: (entry: Entry | null) => Iterable<Entry<Id>>
}

const MAX_RUN_LENGTH = 512

/** Binary search: the first index from 0 to `length` that is not `tooLow`. */
const firstNot = (length: number, tooLow: (index: number) => boolean): number => {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (tooLow(middle)) low = middle + 1
    else high = middle
  }
  return low
}

const isBefore = (a: Entry | undefined, b: Entry): boolean => a !== undefined && compareEntries(a, b) < 0

export class SortedSet implements ReadonlySortedSet {
  /** No run is empty or longer than the maximum. */
  readonly #runs: Array<Array<Entry>> = []
  readonly #maxRunLength: number
  #size = 0

  /** Tests pass a shorter maximum, so that runs split sooner. */
  constructor(maxRunLength: number = MAX_RUN_LENGTH) {
    this.#maxRunLength = maxRunLength
  }

  get size(): number {
    return this.#size
  }

  /** The position of `entry`, or where it would be inserted. */
  #seek(entry: Entry): { readonly run: number; readonly offset: number } {
    const run = firstNot(this.#runs.length, (index) => isBefore(this.#runs[index]?.at(-1), entry))
    const entries = this.#runs[run] ?? []
    return { run, offset: firstNot(entries.length, (index) => isBefore(entries[index], entry)) }
  }

  #has(run: number, offset: number, entry: Entry): boolean {
    const found = this.#runs[run]?.[offset]
    return found !== undefined && compareEntries(found, entry) === 0
  }

  /** Does nothing where the entry is present. */
  add(entry: Entry): void {
    const { run, offset } = this.#seek(entry)
    if (this.#has(run, offset, entry)) return
    this.#size++
    const last = this.#runs.at(-1)
    const entries = this.#runs[run]
    if (entries !== undefined) {
      entries.splice(offset, 0, entry)
      if (entries.length > this.#maxRunLength) this.#runs.splice(run + 1, 0, entries.splice(entries.length >> 1))
    } else if (last !== undefined && last.length < this.#maxRunLength) last.push(entry)
    else this.#runs.push([entry])
  }

  /** Does nothing where the entry is absent. */
  remove(entry: Entry): void {
    const { run, offset } = this.#seek(entry)
    if (!this.#has(run, offset, entry)) return
    this.#size--
    this.#runs[run]?.splice(offset, 1)
    if (this.#runs[run]?.length === 0) this.#runs.splice(run, 1)
  }

  first(): Entry | undefined {
    return this.#runs[0]?.[0]
  }

  last(): Entry | undefined {
    return this.#runs.at(-1)?.at(-1)
  }

  at(position: number): Entry | undefined {
    let left = position
    for (const run of this.#runs) {
      if (left < run.length) return run[left]
      left -= run.length
    }
    return undefined
  }

  *after(entry: Entry | null): Generator<Entry> {
    const { run, offset } = entry === null ? { run: 0, offset: 0 } : this.#seek(entry)
    const skip = entry !== null && this.#has(run, offset, entry) ? 1 : 0
    for (let index = run; index < this.#runs.length; index++) {
      yield* this.#runs[index]?.slice(index === run ? offset + skip : 0) ?? []
    }
  }

  *before(entry: Entry | null): Generator<Entry> {
    const end = { run: this.#runs.length - 1, offset: Number.POSITIVE_INFINITY }
    const { run, offset } = entry === null ? end : this.#seek(entry)
    for (let index = run; index >= 0; index--) {
      yield* this.#runs[index]?.slice(0, index === run ? offset : undefined).toReversed() ?? []
    }
  }
}
