// Which domains are one for the welcome offer, and who has used it there.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isSameDomain, usedByAnother, type WelcomeUse, welcomeDomains } from "#core/domain/pricing/WelcomeUse.ts"
import { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { item, NOON } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const to = (...urls: ReadonlyArray<string>) => welcomeDomains(urls.map((targetUrl) => item({ targetUrl })))

describe("the domains of a cart", () => {
  it("are its hosts in lower case, each once, without the www before a domain", () => {
    expect(to("https://Brand.example/a", "http://www.brand.example/", "https://shop.brand.example")).toEqual([
      "brand.example",
      "shop.brand.example"
    ])
    expect(to("https://www.example/", "https://www2.brand.example/")).toEqual(["www.example", "www2.brand.example"])
  })

  it("are one with their subdomains, and not with each other's", () => {
    expect(isSameDomain("brand.example", "shop.brand.example")).toBe(true)
    expect(isSameDomain("shop.brand.example", "brand.example")).toBe(true)
    expect(isSameDomain("a.brand.example", "b.brand.example")).toBe(false)
    expect(isSameDomain("brand.example", "otherbrand.example")).toBe(false)
  })
})

const domains = ["brand.example", "shop.brand.example", "other.example", "brand.other.example"] as const

const uses = fc.array(
  fc.record({
    domain: fc.constantFrom(...domains),
    accountId: fc.constantFrom("acc_own", "acc_a", "acc_b").map((id) => AccountId.make(id)),
    quoteId: fc.constant(QuoteId.make("q_1")),
    untilMs: fc.constantFrom(null, 0, NOON - 1, NOON, NOON + 1)
  })
)

const blocks = (use: WelcomeUse, domain: string): boolean =>
  use.accountId !== "acc_own" && (use.untilMs === null || use.untilMs > NOON) && isSameDomain(use.domain, domain)

property(
  "an offer is used for the first domain that another account has spent it for, or keeps it for now",
  [uses, fc.uniqueArray(fc.constantFrom(...domains))],
  (known, cart) => {
    const found = usedByAnother(known, cart, AccountId.make("acc_own"), NOON)
    const free = cart.filter((domain) => known.every((use) => !blocks(use, domain)))
    expect(found).toBe(cart.find((domain) => !free.includes(domain)))
  }
)
