// Amounts as the operator types and reads them: euros with at most two decimals, converted to integer cents digit by digit,
// without floating point.
import { Schema, SchemaTransformation } from "effect"
import type { Cents } from "#core/domain/pricing/Money.ts"

/** A larger amount is taken for a typing error: 100,000.00 EUR. */
export const MAX_CENTS = 10_000_000

const DECIMALS = 2
const CENTS_PER_EURO = 100

const digits = Schema.String.check(
  Schema.isPattern(/^\d{1,12}(\.\d{1,2})?$/, {
    message: "Must be an amount in euros such as 25.00: digits, a point, at most two decimals, no sign and no currency."
  })
)

const centsOf = (text: string): Cents => {
  const [euros = "", decimals = ""] = text.split(".")
  return Number(euros) * CENTS_PER_EURO + Number(decimals.padEnd(DECIMALS, "0"))
}

const centsFromDigits = SchemaTransformation.transform<Cents, string>({
  decode: centsOf,
  encode: (cents) => euros(cents)
})

/** Text such as `25.00` as cents, from `minCents` to `MAX_CENTS`. */
export const Euros = (minCents: Cents) =>
  digits.pipe(
    Schema.decodeTo(
      Schema.Int.check(
        Schema.isBetween(
          { minimum: minCents, maximum: MAX_CENTS },
          { message: `Must be from ${euros(minCents)} to ${euros(MAX_CENTS)} EUR.` }
        )
      ),
      centsFromDigits
    )
  )

/** The same for what a schema of cents allows: whether nothing is an amount, too. */
export const eurosFor = (cents: Schema.Constraint) => Euros(Schema.is(cents)(0) ? 0 : 1)

/** `shop.example=50.00` as the domain and its cents. */
export const DomainAmount = Schema.String.check(
  Schema.isPattern(/^[^=]+=\d{1,12}(\.\d{1,2})?$/, {
    message: "Must be a domain and an amount in euros, such as shop.example=50.00."
  })
).pipe(
  Schema.decodeTo(
    Schema.Struct({ domain: Schema.String, upToCents: Schema.Int }),
    SchemaTransformation.transform<{ readonly domain: string; readonly upToCents: Cents }, string>({
      decode: (text) => {
        const [domain = "", amount = ""] = text.split("=")
        return { domain, upToCents: centsOf(amount) }
      },
      encode: ({ domain, upToCents }) => `${domain}=${euros(upToCents)}`
    })
  )
)

/** `2500` is "25.00", `-5` is "-0.05". */
export const euros = (cents: Cents): string => {
  const text = String(Math.abs(cents)).padStart(DECIMALS + 1, "0")
  return `${cents < 0 ? "-" : ""}${text.slice(0, -DECIMALS)}.${text.slice(-DECIMALS)}`
}
