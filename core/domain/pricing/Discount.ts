// The discount of a cart: promotion code against welcome offer, and those that were considered.
import { Schema } from "effect"
import { type BasisPoints, Cents, percentOf } from "./Money.ts"

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
