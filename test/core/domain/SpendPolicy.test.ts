// The limits of a key: each alone and at its boundary, and the order in which they are checked.
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { noLimits, type SpendLimits } from "#core/domain/ApiKey.ts"
import type { OrderItem } from "#core/domain/Cart.ts"
import { checkSpend } from "#core/domain/SpendPolicy.ts"
import { property } from "#test/Property.ts"
import { cents, someItems } from "../Arbitraries.ts"
import { item } from "../Given.ts"

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
