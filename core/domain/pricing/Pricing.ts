// The price of a cart: lines, gross, discount, and the net price of each line.
import type { OrderItem, Tier2 } from "./Cart.ts"
import { chooseDiscount, type Discount, type Offers } from "./Discount.ts"
import { allocate, type Cents, sum } from "./Money.ts"
import { type Shelf, sitePriceCents } from "./Shelf.ts"

export type Tier2Prices = Readonly<Record<Exclude<Tier2, 0>, Cents>>

export interface Price {
  /** One per item, in order. */
  readonly lineCents: ReadonlyArray<Cents>
  readonly grossCents: Cents
  readonly discount: Discount
  readonly totalCents: Cents
  /** Each line less its share of the discount; adds up to `totalCents`. */
  readonly netLineCents: ReadonlyArray<Cents>
}

/** The price of one link: the article's or else the shelf's, plus the tier-2 pack. */
export const linePriceCents = (
  item: Pick<OrderItem, "tier2Links">,
  site: { readonly shelf: Shelf },
  article: { readonly priceCents: Cents | null } | undefined,
  tier2: Tier2Prices
): Cents => (article?.priceCents ?? sitePriceCents(site)) + (item.tier2Links === 0 ? 0 : tier2[item.tier2Links])

export const price = (lineCents: ReadonlyArray<Cents>, offers: Offers): Price => {
  const grossCents = sum(lineCents)
  const discount = chooseDiscount(grossCents, offers)
  const shares = allocate(discount.amountCents, lineCents)
  return {
    lineCents,
    grossCents,
    discount,
    totalCents: grossCents - discount.amountCents,
    netLineCents: lineCents.map((cents, index) => cents - (shares[index] ?? 0))
  }
}
