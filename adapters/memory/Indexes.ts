// The secondary indexes of the books: drawers of ids, kept up with every change, so that no look-up searches through quotes,
// orders or ledger entries. Mutable, and always exactly what `facetsOf` says of the books they follow.
import type { Books } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { type Facet, facetsOf, type Row } from "./Drawers.ts"
import { type Ordered, Sorted } from "./Sorted.ts"
import { touched } from "./Touched.ts"

/** What stores read: a drawer that nobody stands in is there, and empty. */
export interface Index {
  readonly drawer: (name: string) => Ordered
}

const nothing: Ordered = new Sorted()

const isAmong = (facets: ReadonlyArray<Facet>, { drawer, rank }: Facet): boolean =>
  facets.some((other) => other.drawer === drawer && other.rank === rank)

export class Indexes implements Index {
  readonly #drawers = new Map<string, Sorted>()

  drawer(name: string): Ordered {
    return this.#drawers.get(name) ?? nothing
  }

  /** Moves every row that the changes touched from where it stood `before` to where it stands `after`. */
  follow(before: Books, after: Books, changes: ReadonlyArray<Change>): void {
    const rows = new Map<string, Row>()
    for (const change of changes) {
      for (const row of touched(after, this, change)) rows.set(`${row.shelf} ${row.id}`, row)
    }
    for (const row of rows.values()) {
      const was = facetsOf(before, row)
      const is = facetsOf(after, row)
      for (const facet of was) if (!isAmong(is, facet)) this.#take(facet, String(row.id))
      for (const facet of is) if (!isAmong(was, facet)) this.#put(facet, String(row.id))
    }
  }

  #put({ drawer, rank }: Facet, id: string): void {
    const entries = this.#drawers.get(drawer) ?? new Sorted()
    entries.add({ rank, id })
    this.#drawers.set(drawer, entries)
  }

  #take({ drawer, rank }: Facet, id: string): void {
    const entries = this.#drawers.get(drawer)
    entries?.remove({ rank, id })
    if (entries?.size === 0) this.#drawers.delete(drawer)
  }
}

/** The ids in a drawer, in its order. */
export const idsIn = (index: Index, drawer: string): ReadonlyArray<string> =>
  Array.from(index.drawer(drawer).after(null), ({ id }) => id)
