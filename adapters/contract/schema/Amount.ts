// Numbers in requests and responses. The core computes in whole cents; `*_eur` numbers exist only on the wire.
import { Schema } from "effect"

/** The largest database id. */
const MAX_INT = 2_147_483_647

/** JSON allows -0, which is neither a price nor a count. */
export const notNegativeZero = Schema.makeFilter<number>((value) => !Object.is(value, -0), {
  message: "Must not be -0.",
  toJsonSchema: () => [{}, true]
})

/** Both bounds are included. */
export const wholeNumber = (min: number, max: number = MAX_INT) =>
  Schema.Int.check(
    Schema.isBetween({ minimum: min, maximum: max }, { message: `Must be a whole number from ${min} to ${max}.` }),
    notNegativeZero
  )

export const Id = wholeNumber(1)

/** An amount in a response. */
export const Eur = Schema.Finite.annotate({ description: "Euros, at most two decimals." })

export const Cents = Schema.Int.annotate({ description: "Euro cents." })

export const Count = Schema.Int.annotate({ description: "A count, 0 or more." })

/** Whole cents of a number with at most two decimals; exact for every allowed amount. */
export const centsOfEur = (eur: number): number => Math.round(eur * 100)

export const eurOfCents = (cents: number): number => cents / 100

const MAX_EUR = 10_000_000

/**
 * An amount in euros in a request: from 0, at most two decimals. JSON Schema omits the decimals, because as a double 19.99 is no multiple
 * of 0.01; descriptions state them.
 */
export const EurLimit = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: MAX_EUR }, { message: `Must be a number from 0 to ${MAX_EUR}.` }),
  notNegativeZero,
  Schema.makeFilter((eur: number) => eurOfCents(centsOfEur(eur)) === eur, {
    message: "Must have at most two decimals.",
    toJsonSchema: () => [{}, true]
  })
)
