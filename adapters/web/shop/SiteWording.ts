// Facts about sites as a person would say them.
import { counted } from "#adapters/contract/shared/Counted.ts"
import type { LinkRel } from "#core/domain/catalogue/Catalogue.ts"

export const linkRelText: Readonly<Record<LinkRel, string>> = {
  dofollow: "dofollow: counted by search engines",
  nofollow: "nofollow: marked as not to be followed",
  sponsored: "sponsored: marked as paid"
}

const names = new Intl.DisplayNames("en", { type: "language" })

/** "French"; an unknown code is left unchanged. */
export const languageName = (code: string): string => {
  return (/^[a-z]{2,3}$/i.test(code) ? names.of(code) : undefined) ?? code
}

/** When a link is online: "within 3 days". */
export const withinDays = (days: number): string => (days === 0 ? "on the same day" : `within ${counted(days, "day")}`)

const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 })

/** A number with separators and at most one decimal. */
export const figure = (value: number): string => whole.format(value)
