// The three price tiers of the network, and what places a site in one.
import { Schema } from "effect"
import type { Cents } from "./Money.ts"

export const Shelf = Schema.Literals(["Plancton", "Corail", "Nautilus"])
export type Shelf = typeof Shelf.Type

export interface ShelfTerms {
  readonly shelf: Shelf
  readonly priceCents: Cents
  readonly criterion: string
}

const TERMS: Readonly<Record<Shelf, ShelfTerms>> = {
  Plancton: {
    shelf: "Plancton",
    priceCents: 500,
    criterion: "Entry-level sites: young or small, good for variety in a link profile."
  },
  Corail: {
    shelf: "Corail",
    priceCents: 1_500,
    criterion: "Established sites with a real audience and a track record."
  },
  Nautilus: {
    shelf: "Nautilus",
    priceCents: 3_000,
    criterion: "The strongest sites of the network: high authority and steady traffic."
  }
}

export const shelfTerms = (shelf: Shelf): ShelfTerms => TERMS[shelf]

/** All shelves, cheapest first. */
export const SHELVES: ReadonlyArray<ShelfTerms> = [TERMS.Plancton, TERMS.Corail, TERMS.Nautilus]

/** The price of a new article on a site of that shelf. */
export const sitePriceCents = ({ shelf }: { readonly shelf: Shelf }): Cents => TERMS[shelf].priceCents
