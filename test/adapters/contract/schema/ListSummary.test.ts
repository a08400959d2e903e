import { describe, expect, it } from "vitest"
import { showListSummary } from "#adapters/contract/schema/ListSummary.ts"
import { MAX_COUNTED } from "#core/domain/access/ListScope.ts"

describe("what a list says besides its entries", () => {
  it("is nothing where nothing is left out or added up", () => {
    expect(showListSummary("order", { leftOutCount: 0 })).toEqual({})
  })

  it("is what it leaves out, in its own words, with the way to see it", () => {
    expect(showListSummary("order", { leftOutCount: 1 })).toEqual({
      other_credentials: { orders: 1 },
      hint: "1 more order that matches is of another credential of this account: scope=account lists it, too."
    })
    expect(showListSummary("link", { leftOutCount: 9 })).toEqual({
      other_credentials: { links: 9 },
      hint: "9 more links that match are of other credentials of this account: scope=account lists them, too."
    })
    expect(showListSummary("event", { leftOutCount: MAX_COUNTED }).hint).toMatch(/^10,000 or more events that match/)
  })

  it("has totals in euros, or says how to get them", () => {
    const totals = { count: 3, totalCents: 4_599, creditedCents: 1_500 }
    expect(showListSummary("order", { leftOutCount: 0, totals })).toEqual({
      totals: { count: 3, total_eur: 45.99, credited_eur: 15, net_eur: 30.99 }
    })
    const { hint, ...rest } = showListSummary("order", { leftOutCount: 2, totals: null })
    expect(rest).toEqual({ totals: null, other_credentials: { orders: 2 } })
    expect(hint).toMatch(/^2 more orders .*scope=account.* More than 10,000 orders .*created_from and created_to/)
  })
})
