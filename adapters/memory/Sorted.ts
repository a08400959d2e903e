// An ordered set that stays quick at any size: short runs in a row, so that adding, removing and finding a place cost about
// the same among a hundred thousand entries as among a hundred. What the entries stand for is not its business.

/** Ascending by rank, then by id, so that no two different entries stand in the same place. */
export interface Entry {
  readonly rank: number
  readonly id: string
}

export const compareEntries = (a: Entry, b: Entry): number =>
  a.rank - b.rank || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** What may be asked of the set by those who do not own it. */
export interface Ordered {
  readonly size: number
  /** The first entry, or `undefined` where there is none. */
  readonly first: () => Entry | undefined
  readonly last: () => Entry | undefined
  /** The entry with `position` others before it. */
  readonly at: (position: number) => Entry | undefined
  /** Strictly behind `entry`, or from the first, ascending. The set must not change while it is read. */
  readonly after: (entry: Entry | null) => Iterable<Entry>
  /** Strictly before `entry`, or from the last, descending. */
  readonly before: (entry: Entry | null) => Iterable<Entry>
}

const LONGEST_RUN = 512

/** The first index from 0 to `length` that is not `tooLow`, which holds for a leading part of them only. */
const lowest = (length: number, tooLow: (index: number) => boolean): number => {
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

export class Sorted implements Ordered {
  /** None is empty, none longer than the longest run. */
  readonly #runs: Array<Array<Entry>> = []
  readonly #longestRun: number
  #size = 0

  /** A shorter run than usual only makes the tests' runs split sooner. */
  constructor(longestRun: number = LONGEST_RUN) {
    this.#longestRun = longestRun
  }

  get size(): number {
    return this.#size
  }

  /** Where `entry` is, or where it would have to be. */
  #seek(entry: Entry): { readonly run: number; readonly place: number } {
    const run = lowest(this.#runs.length, (index) => isBefore(this.#runs[index]?.at(-1), entry))
    const entries = this.#runs[run] ?? []
    return { run, place: lowest(entries.length, (index) => isBefore(entries[index], entry)) }
  }

  #holds(run: number, place: number, entry: Entry): boolean {
    const there = this.#runs[run]?.[place]
    return there !== undefined && compareEntries(there, entry) === 0
  }

  /** Adding what is there already changes nothing. */
  add(entry: Entry): void {
    const { run, place } = this.#seek(entry)
    if (this.#holds(run, place, entry)) return
    this.#size++
    const last = this.#runs.at(-1)
    const entries = this.#runs[run]
    if (entries !== undefined) {
      entries.splice(place, 0, entry)
      if (entries.length > this.#longestRun) this.#runs.splice(run + 1, 0, entries.splice(entries.length >> 1))
    } else if (last !== undefined && last.length < this.#longestRun) last.push(entry)
    else this.#runs.push([entry])
  }

  /** Removing what is not there changes nothing. */
  remove(entry: Entry): void {
    const { run, place } = this.#seek(entry)
    if (!this.#holds(run, place, entry)) return
    this.#size--
    this.#runs[run]?.splice(place, 1)
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
    const { run, place } = entry === null ? { run: 0, place: 0 } : this.#seek(entry)
    const skip = entry !== null && this.#holds(run, place, entry) ? 1 : 0
    for (let index = run; index < this.#runs.length; index++) {
      yield* this.#runs[index]?.slice(index === run ? place + skip : 0) ?? []
    }
  }

  *before(entry: Entry | null): Generator<Entry> {
    const end = { run: this.#runs.length - 1, place: Number.POSITIVE_INFINITY }
    const { run, place } = entry === null ? end : this.#seek(entry)
    for (let index = run; index >= 0; index--) {
      const entries = this.#runs[index] ?? []
      for (let at = (index === run ? Math.min(place, entries.length) : entries.length) - 1; at >= 0; at--) {
        const found = entries[at]
        if (found !== undefined) yield found
      }
    }
  }
}
