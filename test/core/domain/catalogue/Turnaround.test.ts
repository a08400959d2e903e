// The days of a site, its own or those of its shelf, and the filter that compares them.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { siteMatcher } from "#core/domain/catalogue/SiteFilters.ts"
import { turnaroundDays, turnaroundWithin } from "#core/domain/catalogue/Turnaround.ts"
import { anySite } from "#test/core/Arbitraries.ts"
import { site } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const BY_SHELF = { Plancton: 3, Corail: 7, Nautilus: 14 }

const days = fc.integer({ min: 0, max: 20 })
const byShelf = fc.record({ Plancton: days, Corail: days, Nautilus: days })
const ownDays = fc.option(days, { nil: undefined })

describe("the days of a site", () => {
  it("are its own, also where these are 0, otherwise those of its shelf", () => {
    expect(turnaroundDays(site(1, { shelf: "Corail", turnaroundDays: 0 }), BY_SHELF)).toBe(0)
    expect(turnaroundDays(site(1, { shelf: "Corail", turnaroundDays: 30 }), BY_SHELF)).toBe(30)
    expect(turnaroundDays(site(1, { shelf: "Corail" }), BY_SHELF)).toBe(7)
  })

  property(
    "are what a filter compares, whether its own or those of its shelf",
    [anySite, ownDays, byShelf, days],
    (any, own, settings, most) => {
      const one = { ...any, ...(own === undefined ? {} : { turnaroundDays: own }) }
      const isFound = siteMatcher({ turnaround: turnaroundWithin(most, settings) })(one)
      expect(isFound).toBe(one.open && turnaroundDays(one, settings) <= most)
    }
  )
})
