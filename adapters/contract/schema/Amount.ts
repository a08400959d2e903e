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

/** What an answer is by itself, for its readers alone: encoding does not look at it. */
const told = (keywords: Readonly<Record<string, unknown>>) =>
  Schema.makeFilter<number>(() => true, { toJsonSchema: () => keywords })

/** A whole number of an answer; both bounds are included. */
export const integer = (minimum: number, maximum?: number) =>
  Schema.Int.check(told({ minimum, ...(maximum === undefined ? {} : { maximum }) }))

/** A number of an answer, not always a whole one. */
export const measure = (minimum: number, maximum?: number) =>
  Schema.Finite.check(told({ minimum, ...(maximum === undefined ? {} : { maximum }) }))

/** An amount in a response. */
export const Eur = measure(0).annotate({ description: "Euros, at most two decimals." })

export const Cents = integer(0).annotate({ description: "Euro cents." })

export const Count = integer(0).annotate({ description: "A count, 0 or more." })

export const PageCount = Count.annotate({ description: "Entries in this answer." })

export const Currency = Schema.Literal("EUR").annotate({ description: "Of all amounts: euros." })

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
