// Facts about sites as a person would say them.
import type { LinkRel } from "#core/domain/catalogue/Catalogue.ts"

export const linkRelText: Readonly<Record<LinkRel, string>> = {
  dofollow: "dofollow: counted by search engines",
  nofollow: "nofollow: marked as not to be followed",
  sponsored: "sponsored: marked as paid"
}

const names = new Intl.DisplayNames("en", { type: "language" })

/** "French (fr)"; a code that is none stays as it is. */
export const languageName = (code: string): string => {
  const name = /^[a-z]{2,3}$/i.test(code) ? names.of(code) : undefined
  return name === undefined || name === code ? code : `${name} (${code})`
}

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 })

/** With separators, at most one decimal. */
export const figure = (value: number): string => whole.format(value)
