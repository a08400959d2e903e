// What an account wants on its invoices, as members and operators write it.
import { Schema } from "effect"
import jsvat from "jsvat-next"
import type { BillingDetails as Details } from "#core/domain/invoicing/Party.ts"
import { isInEu } from "#core/domain/invoicing/Vat.ts"
import { isCountry } from "#core/domain/shared/Country.ts"
import { isVisible } from "#core/domain/shared/VisibleText.ts"
import { line, text } from "../schema/Text.ts"

// The length of an empty text is judged by its bounds.
const seen = Schema.makeFilter<string>((value) => value === "" || isVisible(value), {
  message: "Must contain at least one visible character."
})

const MAX_LINES = 6

const linesOf = (address: string): ReadonlyArray<string> =>
  address
    .split(/\r\n|\r|\n/)
    .map((one) => one.trim())
    .filter((one) => one !== "")

/** Blank lines are left out. */
const Address = text(1, 500).check(
  seen,
  Schema.makeFilter((address: string) => !/[^\P{Cc}\r\n]/u.test(address), {
    message: "Must not contain control characters other than line breaks."
  }),
  Schema.makeFilter((address: string) => linesOf(address).length <= MAX_LINES, {
    message: `Must be at most ${MAX_LINES} lines.`
  })
)

/** What people take from VAT ids and addresses for a country's code. */
const OTHER_CODES: Readonly<Record<string, string>> = { EL: "GR", UK: "GB" }

const countryFault = (code: string): string | undefined => {
  if (isCountry(code)) return undefined
  const meant = OTHER_CODES[code]
  return meant === undefined
    ? "Must be two capital letters such as FR (ISO 3166)."
    : `Must be ${meant}, not ${code} (ISO 3166).`
}

const Country = Schema.String.check(Schema.makeFilter(countryFault))

/** May have spaces, dots and hyphens; stored without them, in capital letters. */
const VatId = line(1, 40)

export const normalVatId = (vatId: string): string => vatId.replaceAll(/[\s.-]/g, "").toUpperCase()

/** Monaco's VAT is French. */
const vatCountry = (country: string): string => (country === "MC" ? "FR" : country)

/** Why this cannot be a VAT id of that country; `undefined` if it can. The form and its check digits are checked for the Union's members. */
export const vatIdFault = (vatId: string, country: string): string | undefined => {
  const normal = normalVatId(vatId)
  if (!/^[A-Z0-9/+*]{4,20}$/.test(normal)) return "Must be a VAT id such as DE136695976."
  if (!isInEu(country)) return undefined
  const { isValid, isValidFormat, country: found } = jsvat.checkVAT(normal, jsvat.countries)
  const begins = country === "GR" ? "EL" : vatCountry(country)
  if (found?.isoCode.short !== vatCountry(country) || !normal.startsWith(begins))
    return `Must begin with the country ${begins}, as VAT ids of this country do.`
  if (isValid) return undefined
  return isValidFormat
    ? "Is mistyped: its check digits do not fit."
    : "Does not have the form of this country's VAT ids."
}

/** What is left out is not on the invoices. */
export const BillingFields = Schema.Struct({
  name: line(1, 200).check(seen),
  /** Lines, divided by line breaks. */
  address: Address,
  country: Country,
  vatId: Schema.optionalKey(VatId),
  /** The buyer's own, such as a purchase order. */
  reference: Schema.optionalKey(line(1, 100).check(seen))
}).check(
  Schema.makeFilter(({ vatId, country }) => {
    const fault = vatId === undefined ? undefined : vatIdFault(vatId, country)
    return fault === undefined ? undefined : { path: ["vatId"], issue: fault }
  })
)

export type BillingFields = typeof BillingFields.Type

/** The details in the form that is stored. */
export const billingDetails = ({ name, address, country, vatId, reference }: BillingFields): Details => ({
  name: name.trim(),
  address: linesOf(address).join("\n"),
  country,
  vatId: vatId === undefined ? null : normalVatId(vatId),
  reference: reference?.trim() ?? null
})
