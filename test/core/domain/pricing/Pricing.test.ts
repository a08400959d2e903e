// Prices of links and the choice of the discount: examples, and properties over any lines and offers.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chooseDiscount, type Offers } from "#core/domain/pricing/Discount.ts"
import { sum } from "#core/domain/pricing/Money.ts"
import { linePriceCents, price } from "#core/domain/pricing/Pricing.ts"
import { reductionCents } from "#core/domain/pricing/Promo.ts"
import type { Shelf } from "#core/domain/pricing/Shelf.ts"
import { basisPoints, cents, lines } from "#test/core/Arbitraries.ts"
import { article, site } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const packs = { 1: 400, 3: 1_000, 5: 1_500 }
const welcome = { basisPoints: 2_000 }
const promo = (amountCents: number) => ({ code: "TEN", amountCents })

describe("linePriceCents", () => {
  const shelves: ReadonlyArray<readonly [Shelf, number]> = [
    ["Plancton", 500],
    ["Corail", 1_500],
    ["Nautilus", 3_000]
  ]
  it.each(shelves)("a new article on %s costs %i cents", (shelf, expected) => {
    expect(linePriceCents({ tier2Links: 0 }, site(1, { shelf }), undefined, packs)).toBe(expected)
  })

  it.each([
    [0, 500],
    [1, 900],
    [3, 1_500],
    [5, 2_000]
  ] as const)("a tier-2 pack of %i brings a Plancton link to %i cents", (tier2Links, expected) => {
    expect(linePriceCents({ tier2Links }, site(1), undefined, packs)).toBe(expected)
  })

  it("an insertion has the price of its article, or else of its shelf", () => {
    expect(linePriceCents({ tier2Links: 1 }, site(1), article(1), packs)).toBe(900)
    expect(linePriceCents({ tier2Links: 1 }, site(1), article(1, { priceCents: 777 }), packs)).toBe(1_177)
    expect(linePriceCents({ tier2Links: 0 }, site(1), article(1, { priceCents: 0 }), packs)).toBe(0)
  })

  it("takes the prices of tier-2 packs from the settings", () => {
    expect(linePriceCents({ tier2Links: 3 }, site(1), undefined, { 1: 1, 3: 2, 5: 3 })).toBe(502)
  })
})

describe("chooseDiscount", () => {
  it("applies none if none is offered", () => {
    const none = { source: "none", label: "No discount", amountCents: 0, considered: [] }
    expect(chooseDiscount(2_600, { promo: null, welcome: null })).toEqual(none)
  })

  it("applies the welcome offer alone", () => {
    expect(chooseDiscount(2_600, { promo: null, welcome })).toEqual({
      source: "welcome",
      label: "Welcome offer 20 %",
      amountCents: 520,
      considered: [{ source: "welcome", amountCents: 520, applied: true }]
    })
  })

  it("applies the code alone", () => {
    expect(chooseDiscount(2_600, { promo: promo(260), welcome: null })).toEqual({
      source: "promo",
      label: "Promo code TEN",
      code: "TEN",
      amountCents: 260,
      considered: [{ source: "promo", code: "TEN", amountCents: 260, applied: true }]
    })
  })

  it.each([
    ["a better promo", 521, "promo", 521],
    ["an equal promo, which keeps the welcome offer for later", 520, "promo", 520],
    ["the welcome offer over a worse promo", 519, "welcome", 520]
  ])("prefers %s", (_, amount, source, taken) => {
    const discount = chooseDiscount(2_600, { promo: promo(amount), welcome })
    expect([discount.source, discount.amountCents]).toEqual([source, taken])
    expect(discount.code).toBe(source === "promo" ? "TEN" : undefined)
    expect(discount.considered).toEqual([
      { source: "promo", code: "TEN", amountCents: amount, applied: source === "promo" },
      { source: "welcome", amountCents: 520, applied: source === "welcome" }
    ])
  })

  it("applies no discount if the welcome offer is worth no cents", () => {
    expect(chooseDiscount(2, { promo: null, welcome })).toEqual({
      source: "none",
      label: "No discount",
      amountCents: 0,
      considered: [{ source: "welcome", amountCents: 0, applied: false }]
    })
  })

  it("labels a percentage with its decimals", () => {
    expect(chooseDiscount(10_000, { promo: null, welcome: { basisPoints: 1_250 } }).label).toBe("Welcome offer 12.5 %")
  })

  it("never exceeds the gross, whatever the rate of the welcome offer", () => {
    expect(chooseDiscount(1_000, { promo: null, welcome: { basisPoints: 15_000 } }).amountCents).toBe(1_000)
  })
})

const reduction = fc.oneof(
  fc.record({ kind: fc.constant("percent" as const), basisPoints }),
  fc.record({ kind: fc.constant("fixed" as const), cents })
)

/** A cart with offers: the reduction of a code, or `null`; the rate of the welcome offer, or `null`. */
const offered = fc.tuple(lines, fc.option(reduction), fc.option(basisPoints)).map(([lineCents, code, rate]) => {
  const grossCents = sum(lineCents)
  const amountCents = code === null ? 0 : reductionCents(code, grossCents)
  const offers: Offers = {
    promo: code === null ? null : { code: "CODE", amountCents },
    welcome: rate === null ? null : { basisPoints: rate }
  }
  // 2 × gross × rate + 1 over 2 × 10,000, rounded down: half a cent goes up.
  const welcomeCents = rate === null ? 0 : Number((2n * BigInt(grossCents) * BigInt(rate) + 10_000n) / 20_000n)
  return { lineCents, grossCents, offers, amountCents, welcomeCents }
})

describe("price", () => {
  it("prices an order of two lines with the welcome offer", () => {
    expect(price([500, 2_100], { promo: null, welcome })).toMatchObject({
      lineCents: [500, 2_100],
      grossCents: 2_600,
      totalCents: 2_080,
      netLineCents: [400, 1_680]
    })
  })

  it("allocates the remaining cent by largest remainder, ties in item order", () => {
    const { netLineCents } = price([500, 500, 500], { promo: promo(100), welcome: null })
    expect(netLineCents).toEqual([466, 467, 467])
  })

  property("applies the better discount, on a tie the code, never above the gross", [offered], (cart) => {
    const { lineCents, grossCents, offers, amountCents, welcomeCents } = cart
    const { discount } = price(lineCents, offers)
    expect(discount.amountCents).toBe(Math.max(amountCents, welcomeCents))
    expect(discount.amountCents).toBeLessThanOrEqual(grossCents)
    if (amountCents > welcomeCents) expect(discount.source).toBe("promo")
    if (welcomeCents > amountCents) expect(discount.source).toBe("welcome")
    if (amountCents === welcomeCents && offers.promo !== null) expect(discount.source).toBe("promo")
  })

  property("sum of lines − discount = total, and the net lines add up to it", [offered], ({ lineCents, offers }) => {
    const { grossCents, discount, totalCents, netLineCents } = price(lineCents, offers)
    expect(grossCents).toBe(sum(lineCents))
    expect(grossCents - discount.amountCents).toBe(totalCents)
    expect(sum(netLineCents)).toBe(totalCents)
    expect(totalCents).toBeGreaterThanOrEqual(0)
    expect(netLineCents.length).toBe(lineCents.length)
    netLineCents.forEach((net, index) => {
      expect(net).toBeGreaterThanOrEqual(0)
      expect(net).toBeLessThanOrEqual(lineCents[index] ?? 0)
    })
  })

  property("lists every offer with its amount, and marks the applied one", [offered], (cart) => {
    const { lineCents, offers, amountCents, welcomeCents } = cart
    const { discount } = price(lineCents, offers)
    const { considered, source } = discount
    const expected = [
      ...(offers.promo === null
        ? []
        : [{ source: "promo", code: "CODE", amountCents, applied: discount.source === "promo" }]),
      ...(offers.welcome === null
        ? []
        : [{ source: "welcome", amountCents: welcomeCents, applied: discount.source === "welcome" }])
    ]
    expect(considered).toEqual(expected)
    expect(considered.filter(({ applied }) => applied).length).toBe(source === "none" ? 0 : 1)
  })
})
