// The price of a cart: lines, gross, the better of promotion and welcome offer, and the net price of each line.
import { Schema } from "effect"
import type { OrderItem, Tier2 } from "./Cart.ts"
import { allocate, type BasisPoints, Cents, percentOf, sum } from "./Money.ts"
import { type Shelf, sitePriceCents } from "./Shelf.ts"

export type Tier2Prices = Readonly<Record<Exclude<Tier2, 0>, Cents>>

export const DiscountSource = Schema.Literals(["promo", "welcome", "none"])
export type DiscountSource = typeof DiscountSource.Type

export const ConsideredDiscount = Schema.Struct({
  source: Schema.Literals(["promo", "welcome"]),
  code: Schema.optionalKey(Schema.String),
  amountCents: Cents,
  applied: Schema.Boolean,
  /** The account's other open quote that keeps this discount for itself; never with `applied`. */
  reservedBy: Schema.optionalKey(Schema.String),
  /** The target domain for which another account has used it; never with `applied`. */
  usedForDomain: Schema.optionalKey(Schema.String)
})
export type ConsideredDiscount = typeof ConsideredDiscount.Type

export const Discount = Schema.Struct({
  source: DiscountSource,
  label: Schema.String,
  amountCents: Cents,
  /** The promotion code; absent with other sources. */
  code: Schema.optionalKey(Schema.String),
  considered: Schema.Array(ConsideredDiscount)
})
export type Discount = typeof Discount.Type

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

type WithheldBy = Pick<ConsideredDiscount, "reservedBy" | "usedForDomain">

/** What is withheld is only listed. */
export const isWithheld = ({ reservedBy, usedForDomain }: WithheldBy): boolean =>
  reservedBy !== undefined || usedForDomain !== undefined

/** The offers that may be applied; `null` where one is not available. */
export interface Offers {
  readonly promo: { readonly code: string; readonly amountCents: Cents } | null
  /**
   * `reservedBy` or `usedForDomain`: it is listed but cannot be applied, because that open quote of the account reserves it, or another
   * account has used it for that target domain.
   */
  readonly welcome: ({ readonly basisPoints: BasisPoints } & WithheldBy) | null
}

const percentLabel = (basisPoints: BasisPoints): string => `${basisPoints / 100} %`

/** The offer with the larger discount; on a tie the promotion, so that the welcome offer remains available. */
export const chooseDiscount = (grossCents: Cents, offers: Offers): Discount => {
  const { promo, welcome } = offers
  const welcomeCents = welcome === null ? 0 : Math.min(grossCents, percentOf(grossCents, welcome.basisPoints))
  const withheld = welcome !== null && isWithheld(welcome)
  const promoWins = promo !== null && (withheld || promo.amountCents >= welcomeCents)
  const welcomeWins = !promoWins && !withheld && welcomeCents > 0
  const considered: Array<ConsideredDiscount> = []
  if (promo !== null) {
    considered.push({ source: "promo", code: promo.code, amountCents: promo.amountCents, applied: promoWins })
  }
  if (welcome !== null) {
    const { basisPoints: _, ...why } = welcome
    considered.push({ source: "welcome", amountCents: welcomeCents, applied: welcomeWins, ...why })
  }
  if (promoWins) {
    return {
      source: "promo",
      label: `Promo code ${promo.code}`,
      amountCents: promo.amountCents,
      code: promo.code,
      considered
    }
  }
  if (welcomeWins && welcome !== null) {
    return {
      source: "welcome",
      label: `Welcome offer ${percentLabel(welcome.basisPoints)}`,
      amountCents: welcomeCents,
      considered
    }
  }
  return { source: "none", label: "No discount", amountCents: 0, considered }
}

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
