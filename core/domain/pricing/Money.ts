// Amounts of money in whole cents: sums, rounding and allocation.
import { Schema } from "effect"

/** An amount in euro cents: a safe integer, negative only in a delta. */
export const Cents = Schema.Int
export type Cents = typeof Cents.Type

/** A percentage in basis points: 20 % is 2,000. */
export const BasisPoints = Schema.Int
export type BasisPoints = typeof BasisPoints.Type

export const sum = (amounts: Iterable<Cents>): Cents => {
  let total = 0
  for (const amount of amounts) total += amount
  return total
}

/** `basisPoints` of `cents`, rounded half up. In integers, because 0.07 × 100 is not 7 in binary floating point. */
export const percentOf = (cents: Cents, basisPoints: BasisPoints): Cents =>
  Number((BigInt(cents) * BigInt(basisPoints) + 5_000n) / 10_000n)

/**
 * Allocates `amount` in proportion to `weights` by largest remainder, ties in order. The shares add up to `amount`, and none exceeds
 * its weight as long as `amount` does not exceed their sum. If all weights are zero, so are the shares.
 */
export const allocate = (amount: Cents, weights: ReadonlyArray<Cents>): ReadonlyArray<Cents> => {
  const total = sum(weights)
  if (total === 0) return weights.map(() => 0)
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const shares = exact.map((product) => Number(product / BigInt(total)))
  const left = amount - sum(shares)
  const byRemainder = exact
    .map((product, index) => ({ index, remainder: product % BigInt(total) }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  const roundedUp = new Set(byRemainder.slice(0, left).map(({ index }) => index))
  return shares.map((share, index) => (roundedUp.has(index) ? share + 1 : share))
}

/** "1234.50 EUR", in sentences that programs may read as well. */
export const plainEur = (cents: Cents): string => `${(cents / 100).toFixed(2)} EUR`

/** "1,234.50 EUR", in sentences for people. */
export const formatEur = (cents: Cents): string => plainEur(cents).replaceAll(/\B(?=(?:\d{3})+\.)/g, ",")
