// Warnings of an order: when they are given, and what they name.
import { describe, expect, it } from "vitest"
import {
  cartWarnings,
  SIMILAR_ORDER_WINDOW_MS,
  similarQuoteOf,
  similarRecentOrder,
  siteAlreadyLinks
} from "#core/domain/ordering/Warning.ts"
import type { AnchorType, OrderItem } from "#core/domain/pricing/Cart.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { someItems } from "#test/core/Arbitraries.ts"
import { item } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const codes = (items: ReadonlyArray<OrderItem>) => cartWarnings(items).map(({ code }) => code)
const anchored = (...types: ReadonlyArray<AnchorType>) =>
  types.map((anchorType, index) => item({ anchorType, targetUrl: `https://brand.example/${index}` }))

describe("cartWarnings", () => {
  it("gives none for an ordinary order", () => {
    expect(cartWarnings([item(), item({ siteId: 2 }), item({ targetUrl: "https://brand.example/other" })])).toEqual([])
  })

  it("names each repeated pair of site and target once", () => {
    const [warning, ...others] = cartWarnings([item(), item(), item(), item({ siteId: 2 })])
    expect(others).toEqual([])
    expect(warning?.code).toBe("duplicate_target")
    expect(warning?.message).toContain("site 1 ")
    expect(warning?.message).toContain("https://brand.example/page")
  })

  it.each<readonly [ReadonlyArray<AnchorType>, ReadonlyArray<string>]>([
    [["exact"], []],
    [["exact", "exact"], []],
    [["exact", "exact", "branded"], ["too_many_exact_anchors"]],
    [["exact", "branded", "generic"], []],
    [["exact", "exact", "branded", "naked_url"], []],
    [["exact", "exact", "exact", "partial"], ["too_many_exact_anchors"]]
  ])("anchors %j: %j", (types, expected) => {
    expect(codes(anchored(...types))).toEqual(expected)
  })

  it("states the number of exact anchors", () => {
    const [warning] = cartWarnings(anchored("exact", "exact", "exact", "partial"))
    expect(warning?.message).toContain("3 of 4")
  })

  property("warns of exactly what applies", [someItems], (items) => {
    const pairs = items.map(({ siteId, targetUrl }) => `${siteId}→${targetUrl}`)
    const repeated = new Set(pairs.filter((pair, index) => pairs.indexOf(pair) < index))
    const exact = items.filter(({ anchorType }) => anchorType === "exact").length
    const expected = [
      ...Array.from(repeated, () => "duplicate_target"),
      ...(items.length > 2 && exact > items.length / 2 ? ["too_many_exact_anchors"] : [])
    ]
    expect(codes(items)).toEqual(expected)
  })
})

describe("warnings from earlier orders", () => {
  it("cover ten minutes", () => {
    expect(SIMILAR_ORDER_WINDOW_MS).toBe(600_000)
  })

  it("name the similar quote, and say what to do now and next time", () => {
    expect(similarRecentOrder(QuoteId.make("q_7"))).toMatchObject({ code: "similar_recent_order" })
    expect(similarRecentOrder(QuoteId.make("q_7")).message).toMatch(
      /^Quote q_7 .*only one is paid for.*idempotency key next time/
    )
  })

  it("of a similar order name its quote, and others none", () => {
    const quoteId = QuoteId.make("q_01mqdbymz0mfn0kbv1wrrn90zc00")
    expect(similarQuoteOf(similarRecentOrder(quoteId))).toBe(quoteId)
    expect(similarQuoteOf(similarRecentOrder(quoteId, true))).toBe(quoteId)
    expect(similarQuoteOf(siteAlreadyLinks(item()))).toBeUndefined()
  })

  it("name the site and the host it links to", () => {
    const warning = siteAlreadyLinks(item({ siteId: 3, targetUrl: "https://www.brand.example/page?a=b" }))
    expect(warning.code).toBe("site_already_links")
    expect(warning.message).toContain("Site 3 ")
    expect(warning.message).toContain("www.brand.example ")
  })
})
