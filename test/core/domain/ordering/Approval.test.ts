// When an order waits for approval: its total, a recent one like it, and the domains that are allowed always.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { MAX_ALWAYS_ALLOWED, noLimits } from "#core/domain/access/ApiKey.ts"
import { alwaysAllowFault, approvalRule, limitsToAllow, needsApproval } from "#core/domain/ordering/Approval.ts"
import { property } from "#test/Property.ts"

const to = (...hosts: ReadonlyArray<string>) => hosts.map((host) => ({ targetUrl: `https://${host}/page` }))
const allowed = (domain: string, upToCents: number) => ({ domain, upToCents })
const careful = {
  ...noLimits,
  approveAboveCents: 500,
  alwaysAllow: [allowed("brand.example", 2_000), allowed("shop.example", 1_000)]
}

describe("an order above the threshold", () => {
  it.each([
    ["to an allowed domain, up to its amount, goes", to("brand.example"), 2_000, false],
    ["to a subdomain of it goes", to("www.brand.example"), 2_000, false],
    ["a cent above the amount waits", to("brand.example"), 2_001, true],
    ["to another domain waits", to("elsewhere.example"), 501, true],
    ["to a domain that only ends like it waits", to("notbrand.example"), 501, true],
    ["to two allowed domains goes up to the smaller amount", to("brand.example", "shop.example"), 1_000, false],
    ["to two allowed domains waits above the smaller amount", to("brand.example", "shop.example"), 1_001, true],
    ["to an allowed domain and another one waits", to("brand.example", "elsewhere.example"), 501, true],
    ["of another domain, below the threshold, goes as before", to("elsewhere.example"), 500, false]
  ] as const)("%s", (_, items, totalCents, waits) =>
    expect(needsApproval(careful, { totalCents, items }, null)).toBe(waits)
  )

  it("that is like a recent one waits all the same, where those are held", () => {
    const order = { totalCents: 100, items: to("brand.example") }
    expect(needsApproval({ ...careful, holdLookAlikes: true }, order, "q_1")).toBe(true)
    expect(needsApproval(careful, order, "q_1")).toBe(false)
  })

  it("waits for nothing where every order waits, unless its domain is allowed", () => {
    const every = { ...careful, approveAboveCents: 0 }
    expect(needsApproval(every, { totalCents: 0, items: to("elsewhere.example") }, null)).toBe(true)
    expect(needsApproval(every, { totalCents: 0, items: to("brand.example") }, null)).toBe(false)
  })

  it("names the rule that stops it: the recent order first, then every order or the amount, and what is allowed always", () => {
    const order = { totalCents: 2_500, items: to("brand.example") }
    expect(approvalRule({ ...careful, holdLookAlikes: true }, order, "q_1")).toEqual({
      _tag: "LookAlike",
      lookAlike: "q_1"
    })
    expect(approvalRule(careful, order, "q_1")).toEqual({ _tag: "Above", aboveCents: 500, allowedCents: 2_000 })
    expect(approvalRule(careful, { ...order, items: to("else.example") }, null)).toMatchObject({ allowedCents: 0 })
    const every = { ...careful, approveAboveCents: 0, alwaysAllow: [] }
    expect(approvalRule(every, order, null)).toEqual({ _tag: "EveryOrder", allowedCents: 0 })
    expect(approvalRule({ ...careful, approveAboveCents: null }, order, null)).toBe(null)
  })

  property(
    "the rule is one that the limits have and the order breaks",
    [fc.nat({ max: 3_000 }), fc.option(fc.nat({ max: 3_000 })), fc.boolean(), fc.option(fc.constant("q_1"))],
    (totalCents, approveAboveCents, holdLookAlikes, lookAlike) => {
      const limits = { ...careful, approveAboveCents, holdLookAlikes }
      const rule = approvalRule(limits, { totalCents, items: to("brand.example") }, lookAlike)
      if (rule === null) return
      if (rule._tag === "LookAlike") expect([holdLookAlikes, lookAlike]).toEqual([true, rule.lookAlike])
      else {
        expect(approveAboveCents).toBe(rule._tag === "EveryOrder" ? 0 : rule.aboveCents)
        expect(totalCents).toBeGreaterThan(rule._tag === "EveryOrder" ? 0 : rule.aboveCents)
        expect(totalCents).toBeGreaterThan(rule.allowedCents)
      }
    }
  )

  property(
    "an allowed domain lets orders to it go, and changes no other",
    [fc.nat({ max: 3_000 }), fc.option(fc.nat({ max: 3_000 })), fc.integer({ min: 1, max: 3_000 })],
    (totalCents, approveAboveCents, upToCents) => {
      const before = { ...noLimits, approveAboveCents }
      const after = { ...before, ...limitsToAllow(before, "brand.example", upToCents) }
      const asks = (limits: typeof after, host: string) => needsApproval(limits, { totalCents, items: to(host) }, null)
      expect(asks(after, "elsewhere.example")).toBe(asks(before, "elsewhere.example"))
      expect(asks(after, "brand.example")).toBe(asks(before, "brand.example") && totalCents > upToCents)
    }
  )
})

describe("the domains that are allowed always", () => {
  it("have each domain once: a new amount replaces the one before", () => {
    const { alwaysAllow } = limitsToAllow(careful, "brand.example", 3_000)
    expect(alwaysAllow).toEqual([allowed("shop.example", 1_000), allowed("brand.example", 3_000)])
    expect(alwaysAllowFault(alwaysAllow)).toBe(undefined)
    expect(alwaysAllowFault([...alwaysAllow, allowed("shop.example", 1)])).toBe("Must name each domain once.")
  })

  it("are at most twenty, each with an amount", () => {
    const many = Array.from({ length: MAX_ALWAYS_ALLOWED + 1 }, (_, index) => allowed(`d${index}.example`, 1))
    expect([alwaysAllowFault(many.slice(1)), alwaysAllowFault(many)]).toEqual([
      undefined,
      "Must be at most 20 domains."
    ])
    expect(alwaysAllowFault([allowed("shop.example", 0)])).toContain("an amount above 0")
  })
})
