// The rules that span the fields and items of an order.
import { describe, expect, it } from "vitest"
import { cartFaults, hostIsWithin, type OrderItem, targetHost } from "#core/domain/pricing/Cart.ts"
import { OpportunityId, ProjectId } from "#core/domain/shared/Ids.ts"
import { someItems } from "#test/core/Arbitraries.ts"
import { insertion, item, request } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const places = (items: ReadonlyArray<OrderItem>) => cartFaults(request({ items }), "live").map(({ path }) => path)

describe("cartFaults", () => {
  it("finds none in a valid order", () => {
    const items = [
      item(),
      insertion(1),
      insertion(2),
      item({ projectId: ProjectId.make("prj_1"), opportunityId: OpportunityId.make("opp_1") })
    ]
    expect(cartFaults(request({ items, promoCode: "TEN", maxTotalCents: 1 }), "live")).toEqual([])
  })

  it("an insertion requires an article", () => {
    expect(places([item(), item({ format: "insertion" })])).toEqual([{ item: 1, field: "articleId" }])
  })

  it("a new article must not have one", () => {
    expect(places([item({ articleId: 1 })])).toEqual([{ item: 0, field: "articleId" }])
  })

  it("an opportunity requires its project", () => {
    expect(places([item({ opportunityId: OpportunityId.make("opp_1") })])).toEqual([
      { item: 0, field: "opportunityId" }
    ])
  })

  it("an article takes one link: every further item with it is a fault that names the first", () => {
    const faults = cartFaults(request({ items: [insertion(1), insertion(2), insertion(1), insertion(1)] }), "live")
    expect(faults.map(({ path }) => path)).toEqual([
      { item: 2, field: "articleId" },
      { item: 3, field: "articleId" }
    ])
    expect(faults.every(({ message }) => message.includes("items[0]"))).toBe(true)
  })

  it("only a sandbox key may simulate credit, zero included", () => {
    const asked = request({ sandboxCreditCents: 0 })
    expect(cartFaults(asked, "live").map(({ path }) => path)).toEqual([{ field: "sandboxCreditCents" }])
    expect(cartFaults(asked, "sandbox")).toEqual([])
  })

  it("reports all faults, also several of one item", () => {
    const faults = cartFaults(
      request({
        items: [item({ articleId: 1, opportunityId: OpportunityId.make("opp_1") }), insertion(1)],
        sandboxCreditCents: 5
      }),
      "live"
    )
    expect(faults.map(({ path }) => Object.values(path).join(" "))).toEqual([
      "sandboxCreditCents",
      "0 articleId",
      "0 opportunityId",
      "1 articleId"
    ])
    expect(faults.every(({ message }) => message.endsWith("."))).toBe(true)
  })

  /** The faults of an item alone, and because of earlier items. */
  const count = (items: ReadonlyArray<OrderItem>): number =>
    items
      .map(({ format, articleId, projectId, opportunityId }, index) => {
        const wrongFormat = (format === "insertion") !== (articleId !== undefined)
        const orphaned = opportunityId !== undefined && projectId === undefined
        const again = articleId !== undefined && items.slice(0, index).some((one) => one.articleId === articleId)
        return Number(wrongFormat) + Number(orphaned) + Number(again)
      })
      .reduce((all, one) => all + one, 0)

  property("finds every fault of any cart once", [someItems], (items) => {
    expect(places(items).length).toBe(count(items))
  })
})

describe("hosts", () => {
  it("a target's host is that of its URL, in lower case", () => {
    expect(targetHost({ targetUrl: "https://WWW.Brand.example:8443/a?b=https://other.example" })).toBe(
      "www.brand.example"
    )
  })

  it.each([
    ["brand.example", "brand.example", true],
    ["www.brand.example", "brand.example", true],
    ["a.b.brand.example", "brand.example", true],
    ["WWW.Brand.Example", "brand.example", true],
    ["www.brand.example", "BRAND.example", true],
    ["notbrand.example", "brand.example", false],
    ["brand.example.other.example", "brand.example", false],
    ["brand.example", "www.brand.example", false],
    ["example", "brand.example", false]
  ])("%s is within %s: %s", (host, domain, expected) => {
    expect(hostIsWithin(host, domain)).toBe(expected)
  })
})
