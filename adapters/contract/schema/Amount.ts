// Numbers of the wire. Money is whole cents in the core; `*_eur` numbers exist only here, at the edge.
import { Schema } from "effect"

/** The largest database id, and more than any count or amount here needs. */
const MAX_INT = 2_147_483_647

/** JSON can say -0, which no price list, form or ledger can. */
export const notNegativeZero = Schema.makeFilter<number>((value) => !Object.is(value, -0), {
  message: "Must not be -0.",
  toJsonSchema: () => [{}, true]
})

/** A whole number between two bounds, both included. */
export const wholeNumber = (min: number, max: number = MAX_INT) =>
  Schema.Int.check(
    Schema.isBetween({ minimum: min, maximum: max }, { message: `Must be a whole number from ${min} to ${max}.` }),
    notNegativeZero
  )

export const Id = wholeNumber(1)

/** An amount in euros as answers carry it: never more than two decimals. */
export const Eur = Schema.Finite.annotate({ description: "Euros, at most two decimals." })

export const Cents = Schema.Int.annotate({ description: "Euro cents." })

export const Count = Schema.Int.annotate({ description: "A count, 0 or more." })

/** Whole cents of a number with at most two decimals; exact far beyond any amount the shop takes. */
export const centsOfEur = (eur: number): number => Math.round(eur * 100)

export const eurOfCents = (cents: number): number => cents / 100

const MAX_EUR = 10_000_000

/**
 * An amount in euros that a caller sends: from 0, at most two decimals. That is for its description to say: to a machine 19.99 is
 * no multiple of 0.01.
 */
export const EurLimit = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: MAX_EUR }, { message: `Must be a number from 0 to ${MAX_EUR}.` }),
  notNegativeZero,
  Schema.makeFilter((eur: number) => eurOfCents(centsOfEur(eur)) === eur, {
    message: "Must have at most two decimals.",
    toJsonSchema: () => [{}, true]
  })
)
