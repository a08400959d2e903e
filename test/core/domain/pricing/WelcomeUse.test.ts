// Which uses of the welcome offer are for a domain, and who has spent it there.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hostIsWithin } from "#core/domain/pricing/Cart.ts"
import { isUseOf, usedByAnother, type WelcomeUse, welcomeDomainsOf } from "#core/domain/pricing/WelcomeUse.ts"
import { AccountId, QuoteId } from "#core/domain/shared/Ids.ts"
import { item, NOON } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const to = (...urls: ReadonlyArray<string>) => urls.map((targetUrl) => item({ targetUrl }))

const use = (domain: string, over: Partial<WelcomeUse> = {}): WelcomeUse => ({
  domain,
  accountId: AccountId.make("acc_a"),
  quoteId: QuoteId.make("q_1"),
  untilMs: null,
  ...over
})

describe("the domains of a cart", () => {
  it("are the registrable ones that it is given", () => {
    const items = to("https://a.brand.example/", "https://b.brand.example/")
    expect(welcomeDomainsOf({ items, targetDomains: ["brand.example"] })).toEqual({
      domains: ["brand.example"],
      registrable: true
    })
  })

  it("are otherwise its hosts in lower case, each once, without the www before a domain", () => {
    const items = to(
      "https://Brand.example/a",
      "http://www.brand.example/",
      "https://shop.brand.example",
      "https://www.example/"
    )
    expect(welcomeDomainsOf({ items })).toEqual({ domains: ["brand.example", "shop.brand.example", "www.example"] })
  })
})

describe("a use", () => {
  it("by a registrable domain is for that domain alone", () => {
    const registrable = use("brand.example", { registrable: true })
    expect(isUseOf(registrable, "brand.example")).toBe(true)
    for (const other of ["example", "a.brand.example", "otherbrand.example"])
      expect(isUseOf(registrable, other)).toBe(false)
  })

  it("by a host, from before, is for the domain that the host is in, and for none below it", () => {
    expect(isUseOf(use("shop.brand.example"), "brand.example")).toBe(true)
    expect(isUseOf(use("brand.example"), "brand.example")).toBe(true)
    expect(isUseOf(use("co.uk"), "brand.co.uk")).toBe(false)
    expect(isUseOf(use("otherbrand.example"), "brand.example")).toBe(false)
  })
})

const domains = ["brand.example", "shop.brand.example", "other.example", "brand.other.example"] as const

const uses = fc.array(
  fc.record({
    domain: fc.constantFrom(...domains),
    accountId: fc.constantFrom("acc_own", "acc_a", "acc_b").map((id) => AccountId.make(id)),
    quoteId: fc.constant(QuoteId.make("q_1")),
    untilMs: fc.constantFrom(null, 0, NOON - 1, NOON, NOON + 1),
    registrable: fc.boolean()
  })
)

const blocks = (one: WelcomeUse, domain: string): boolean =>
  one.accountId !== "acc_own" &&
  one.untilMs === null &&
  (one.registrable ? one.domain === domain : hostIsWithin(one.domain, domain))

property(
  "an offer is used for the first domain that another account has spent it for; a reservation counts against none",
  [uses, fc.uniqueArray(fc.constantFrom(...domains))],
  (known, cart) => {
    const found = usedByAnother(known, cart, AccountId.make("acc_own"))
    const free = cart.filter((domain) => known.every((one) => !blocks(one, domain)))
    expect(found).toBe(cart.find((domain) => !free.includes(domain)))
  }
)
