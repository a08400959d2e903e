// The limits of a key: each alone and at its boundary, and the order in which they are checked.
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { checkSpend, loosens } from "#core/domain/access/SpendPolicy.ts"
import { needsApproval } from "#core/domain/ordering/Approval.ts"
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import { cents, someItems } from "#test/core/Arbitraries.ts"
import { item } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const check = (
  limits: Partial<SpendLimits>,
  totalCents: number,
  spentCents = 0,
  items: ReadonlyArray<OrderItem> = [item()]
) =>
  Result.match(checkSpend({ ...noLimits, ...limits }, items, totalCents, spentCents), {
    onSuccess: () => "allowed",
    onFailure: (refusal) => ({ ...refusal })
  })

describe("checkSpend", () => {
  it("allows everything without limits", () => {
    expect(check({}, 1_000_000, 1_000_000)).toBe("allowed")
  })

  it("limits one order by its net total", () => {
    expect(check({ maxOrderCents: 2_080 }, 2_080)).toBe("allowed")
    expect(check({ maxOrderCents: 2_080 }, 2_081)).toMatchObject({
      _tag: "SpendPolicyRefused",
      rule: "max_order_cents",
      limitCents: 2_080,
      wouldBeCents: 2_081
    })
  })

  it("limits a day, this order included", () => {
    expect(check({ maxDayCents: 3_000 }, 1_000, 2_000)).toBe("allowed")
    expect(check({ maxDayCents: 3_000 }, 1_001, 2_000)).toMatchObject({
      rule: "max_day_cents",
      limitCents: 3_000,
      wouldBeCents: 3_001
    })
  })

  it("a limit of zero allows a free order", () => {
    expect(check({ maxOrderCents: 0, maxDayCents: 0 }, 0)).toBe("allowed")
    expect(check({ maxOrderCents: 0 }, 1)).toMatchObject({ rule: "max_order_cents" })
  })

  it("limits target domains, subdomains included", () => {
    const items = [item({ targetUrl: "https://www.brand.example/a" }), item({ targetUrl: "https://other.example/" })]
    expect(check({ allowedDomains: ["other.example", "brand.example"] }, 500, 0, items)).toBe("allowed")
    expect(check({ allowedDomains: ["brand.example"] }, 500, 0, items)).toMatchObject({
      rule: "allowed_domains",
      host: "other.example",
      allowedDomains: ["brand.example"],
      path: { item: 1, field: "targetUrl" }
    })
    expect(check({ allowedDomains: [] }, 500)).toMatchObject({ rule: "allowed_domains" })
  })

  it("reports the first broken rule: order, day, domains", () => {
    const all = { maxOrderCents: 1, maxDayCents: 1, allowedDomains: [] }
    expect(check(all, 2)).toMatchObject({ rule: "max_order_cents" })
    expect(check({ ...all, maxOrderCents: null }, 2)).toMatchObject({ rule: "max_day_cents" })
    expect(check({ ...all, maxOrderCents: null, maxDayCents: null }, 2)).toMatchObject({ rule: "allowed_domains" })
  })

  const limits: fc.Arbitrary<SpendLimits> = fc.record({
    maxOrderCents: fc.option(cents),
    maxDayCents: fc.option(cents),
    dailyOrderCap: fc.constant(null),
    approveAboveCents: fc.constant(null),
    holdLookAlikes: fc.constant(false),
    alwaysAllow: fc.constant([]),
    allowedDomains: fc.option(fc.subarray(["brand.example", "other.example", "www.brand.example"]))
  })

  property(
    "refuses if and only if a rule is broken, and reports a broken one",
    [limits, someItems, cents, cents],
    (...args) => {
      const [{ maxOrderCents, maxDayCents, allowedDomains }, items, total, spent] = args
      const within = (url: string, domain: string) => new RegExp(`^https?://([^/]+\\.)?${domain}(/|$)`).test(url)
      const broken = [
        ...(total > (maxOrderCents ?? total) ? ["max_order_cents"] : []),
        ...(spent + total > (maxDayCents ?? spent + total) ? ["max_day_cents"] : []),
        ...(allowedDomains !== null &&
        items.some(({ targetUrl }) => !allowedDomains.some((one) => within(targetUrl, one)))
          ? ["allowed_domains"]
          : [])
      ]
      const result = checkSpend(...args)
      if (Result.isFailure(result)) expect(broken).toContain(result.failure.rule)
      else expect(broken).toEqual([])
    }
  )
})

const someLimit = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 3_000 }))
const hosts = ["brand.example", "shop.brand.example", "www.shop.brand.example", "other.example", "third.example"]
const allowedAlways = fc.uniqueArray(
  fc.record({ domain: fc.constantFrom(...hosts.slice(0, 4)), upToCents: fc.integer({ min: 1, max: 3_000 }) }),
  { maxLength: 4, selector: ({ domain }) => domain }
)
const someLimits: fc.Arbitrary<SpendLimits> = fc.record({
  alwaysAllow: allowedAlways,
  maxOrderCents: someLimit,
  maxDayCents: someLimit,
  dailyOrderCap: fc.constantFrom(null, 0, 1, 5, 20),
  approveAboveCents: someLimit,
  holdLookAlikes: fc.boolean(),
  allowedDomains: fc.oneof(
    fc.constant(null),
    fc.array(fc.constantFrom("brand.example", "shop.brand.example", "other.example"), { minLength: 1, maxLength: 3 })
  )
})

describe("loosens", () => {
  property(
    "limits that loosen nothing forbid what the earlier ones forbade",
    [someLimits, someLimits, cents, cents, fc.constantFrom("brand.example", "www.shop.brand.example", "other.example")],
    (before, after, totalCents, spentCents, host) => {
      expect(loosens(before, before)).toBe(false)
      const items = [item({ targetUrl: `https://${host}/` })]
      const isAllowed = (limits: SpendLimits) => check(limits, totalCents, spentCents, items) === "allowed"
      if (isAllowed(after) && !isAllowed(before)) expect(loosens(before, after)).toBe(true)
    }
  )

  property(
    "limits that loosen nothing ask for every order that the earlier ones asked for",
    [someLimits, someLimits, fc.integer({ min: 0, max: 3_500 }), fc.subarray(hosts, { minLength: 1 })],
    (before, after, totalCents, targets) => {
      const items = targets.map((host) => ({ targetUrl: `https://${host}/` }))
      const asks = (limits: SpendLimits) => needsApproval(limits, { totalCents, items }, null)
      if (asks(before) && !asks(after)) expect(loosens(before, after)).toBe(true)
    }
  )

  it("knows a narrower domain with a smaller amount, which holds others down", () => {
    const broad = { ...noLimits, approveAboveCents: 0, alwaysAllow: [{ domain: "brand.example", upToCents: 900 }] }
    const narrow = { ...broad, alwaysAllow: [...broad.alwaysAllow, { domain: "shop.brand.example", upToCents: 100 }] }
    expect([loosens(broad, narrow), loosens(narrow, broad)]).toEqual([false, true])
  })

  it("knows a daily cap of 0 as none, and the service's own as one that may be higher", () => {
    const cap = (before: number | null, after: number | null) =>
      loosens({ ...noLimits, dailyOrderCap: before }, { ...noLimits, dailyOrderCap: after })
    expect([cap(5, 6), cap(5, 0), cap(5, null), cap(null, 5), cap(null, 0)]).toEqual([true, true, true, true, true])
    expect([cap(6, 5), cap(0, 5), cap(0, null), cap(0, 0), cap(null, null)]).toEqual([
      false,
      false,
      false,
      false,
      false
    ])
  })

  it("lets limits be tightened", () => {
    const after = {
      ...noLimits,
      maxOrderCents: 1,
      maxDayCents: 2,
      dailyOrderCap: null,
      allowedDomains: ["shop.brand.example"]
    }
    expect(loosens({ ...noLimits, allowedDomains: ["brand.example"] }, after)).toBe(false)
    expect(loosens(after, { ...after, allowedDomains: ["brand.example"] })).toBe(true)
    expect(loosens(after, { ...after, maxDayCents: null })).toBe(true)
  })
})

describe("loosened limits", () => {
  it.each([
    [{ approveAboveCents: 0 }, { approveAboveCents: 1 }, true],
    [{ approveAboveCents: 500 }, { approveAboveCents: null }, true],
    [{ approveAboveCents: 500 }, { approveAboveCents: 0 }, false],
    [{ approveAboveCents: null }, { approveAboveCents: 500 }, false],
    [{ holdLookAlikes: true }, { holdLookAlikes: false }, true],
    [{ holdLookAlikes: false }, { holdLookAlikes: true }, false]
  ])("from %o to %o: %s", (before, after, expected) => {
    expect(loosens({ ...noLimits, ...before }, { ...noLimits, ...after })).toBe(expected)
  })
})
