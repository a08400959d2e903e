// How many days a link on a site takes to be online: the site's own number, otherwise that of its shelf.
import { SHELVES, type Shelf } from "../pricing/Shelf.ts"
import type { Site } from "./Catalogue.ts"

export type ShelfTurnaround = Readonly<Record<Shelf, number>>

export const turnaroundDays = (
  { shelf, turnaroundDays }: Pick<Site, "shelf" | "turnaroundDays">,
  byShelf: ShelfTurnaround
): number => turnaroundDays ?? byShelf[shelf]

/** What a filter asks: sites of at most these days. A site without its own number is judged by its shelf. */
export type TurnaroundWithin = {
  readonly days: number
  /** The shelves of at most these days. */
  readonly shelves: ReadonlyArray<Shelf>
}

export const turnaroundWithin = (days: number, byShelf: ShelfTurnaround): TurnaroundWithin => ({
  days,
  shelves: SHELVES.flatMap(({ shelf }) => (byShelf[shelf] <= days ? [shelf] : []))
})
