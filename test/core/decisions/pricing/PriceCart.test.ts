// Finding and pricing what a cart names, with checks in the order of the contract: ownership, match, availability, code.
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import type { Books } from "#core/decisions/Books.ts"
import { priceCart } from "#core/decisions/pricing/PriceCart.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { OrderItem, OrderRequest } from "#core/domain/pricing/Cart.ts"
import { defaultShopSettings, type ShopSettings } from "#core/domain/ShopSettings.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import { AccountId, OpportunityId, ProjectId, QuoteId } from "#core/domain/shared/Ids.ts"
import {
  account,
  article,
  given,
  HOUR_MS,
  insertion,
  item,
  NOON,
  promo,
  request,
  site,
  stock,
  welcomeSpent
} from "#test/core/Given.ts"
import { contextAt } from "#test/core/RunDecision.ts"

interface Asking {
  readonly by?: Account
  readonly books?: Books
  readonly mode?: Mode
  readonly settings?: ShopSettings
}

const rich = account("acc_rich", 10_000, welcomeSpent)
const fresh = account("acc_poor", 0)

const ask = (
  over: Partial<OrderRequest>,
  { by = rich, books = given(), mode = "live", settings = defaultShopSettings }: Asking = {}
) => priceCart(books, contextAt(NOON), { account: by, mode, request: request(over), settings })

const priced = (over: Partial<OrderRequest>, asking?: Asking) => Result.getOrThrow(ask(over, asking))

const refused = (over: Partial<OrderRequest>, asking?: Asking) =>
  Result.match(ask(over, asking), {
    onFailure: (refusal) => ({ ...refusal }),
    onSuccess: () => "priced"
  })

const items = (...all: ReadonlyArray<OrderItem>) => ({ items: all })

describe("a cart", () => {
  it("is priced line by line: shelf or article, tier-2 pack, share of the discount", () => {
    const { lines, price } = priced({
      items: [item({ tier2Links: 3 }), insertion(12), item({ siteId: 3 })],
      promoCode: "FIVER"
    })
    expect(lines.map(({ domain, shelf, priceCents, netCents }) => [domain, shelf, priceCents, netCents])).toEqual([
      ["site1.example", "Plancton", 1_500, 1_358],
      ["site1.example", "Plancton", 777, 703],
      ["site3.example", "Nautilus", 3_000, 2_716]
    ])
    expect(price).toMatchObject({
      grossCents: 5_277,
      totalCents: 4_777,
      discount: { source: "promo", amountCents: 500 }
    })
  })

  it("keeps each item unchanged", () => {
    const asked = [
      item({ projectId: ProjectId.make("prj_rich"), opportunityId: OpportunityId.make("opp_rich"), brief: "Be kind." }),
      insertion(11)
    ]
    expect(priced(items(...asked)).lines.map((line) => line.item)).toEqual(asked)
  })

  it("freezes the days of each site, its own or those of its shelf", () => {
    const books = given({
      sites: [site(1), site(2, { shelf: "Corail", turnaroundDays: 0 }), site(3, { shelf: "Nautilus" })]
    })
    const settings = { ...defaultShopSettings, turnaroundDays: { Plancton: 1, Corail: 2, Nautilus: 30 } }
    const { lines } = priced(items(item({ siteId: 1 }), item({ siteId: 2 }), item({ siteId: 3 })), { books, settings })
    expect(lines.map(({ turnaroundDays }) => turnaroundDays)).toEqual([1, 0, 30])
  })

  it("takes the packs' prices from the settings", () => {
    const settings = { ...defaultShopSettings, tier2PricesCents: { 1: 7, 3: 8, 5: 9 } }
    expect(priced(items(item({ tier2Links: 5 })), { settings }).price.grossCents).toBe(509)
  })
})

describe("the welcome offer", () => {
  const source = (by: Account, mode: Mode = "live") => priced({}, { by, mode }).price.discount.source
  const reserved = (untilMs: number) =>
    account("acc_poor", 0, { welcome: { state: "reserved", quoteId: QuoteId.make("q_1"), untilMs } })

  it.each([
    ["available", fresh, "welcome", "welcome"],
    ["reserved by an open quote", reserved(NOON + 1), "none", "welcome"],
    ["reserved by a quote that has expired", reserved(NOON), "welcome", "welcome"],
    ["spent", rich, "none", "none"]
  ])("%s", (_, by, live, sandbox) => {
    expect([source(by), source(by, "sandbox")]).toEqual([live, sandbox])
  })

  it("has the rate of the settings, and does not exist at zero", () => {
    const off = (welcomeBasisPoints: number) =>
      priced({}, { by: fresh, settings: { ...defaultShopSettings, welcomeBasisPoints } }).price.discount
    expect(off(3_333)).toMatchObject({ source: "welcome", label: "Welcome offer 33.33 %", amountCents: 167 })
    expect(off(0)).toMatchObject({ source: "none", considered: [] })
  })

  it("is compared with a code, and the better one applied", () => {
    const { discount } = priced({ promoCode: "ten" }, { by: fresh }).price
    expect(discount.considered).toEqual([
      { source: "promo", code: "TEN", amountCents: 50, applied: false },
      { source: "welcome", amountCents: 100, applied: true }
    ])
  })
})

describe("a cart is refused", () => {
  it("for an unknown site", () => {
    expect(refused(items(item(), item({ siteId: 99 })))).toMatchObject({
      _tag: "SiteNotFound",
      siteId: 99,
      path: { item: 1, field: "siteId" }
    })
  })

  it.each(["prj_poor", "prj_unknown"])("for a project that is not the account's: %s", (projectId) => {
    expect(refused(items(item(), item({ projectId: ProjectId.make(projectId) })))).toMatchObject({
      _tag: "ProjectNotFound",
      projectId,
      path: { item: 1, field: "projectId" }
    })
  })

  it.each(["opp_poor", "opp_unknown"])("for an opportunity that is not the project's: %s", (opportunityId) => {
    expect(
      refused(items(item({ projectId: ProjectId.make("prj_rich"), opportunityId: OpportunityId.make(opportunityId) })))
    ).toMatchObject({
      _tag: "CartInvalid",
      faults: [{ path: { item: 0, field: "opportunityId" } }]
    })
  })

  it.each([
    ["another site's", 11, 2],
    ["unknown", 99, 1]
  ])("for an article that is %s", (_, articleId, siteId) => {
    expect(refused(items(item(), insertion(articleId, { siteId })))).toMatchObject({
      _tag: "ArticleSiteMismatch",
      articleId,
      siteId,
      path: { item: 1, field: "articleId" }
    })
  })

  it("for a closed site, with a new article or an insertion", () => {
    const refusal = { _tag: "SiteUnavailable", siteId: 4, path: { item: 0, field: "siteId" } }
    expect(refused(items(item({ siteId: 4 })))).toMatchObject(refusal)
    expect(refused(items(insertion(41, { siteId: 4 })))).toMatchObject(refusal)
  })

  it("for an article that is sold or reserved, but not for one whose reservation has lapsed", () => {
    const sale = (state: (typeof stock.articles)[number]["sale"]) =>
      refused(items(item(), insertion(11)), { books: given({ articles: [article(11, { sale: state })] }) })
    const refusal = { _tag: "ArticleUnavailable", articleId: 11, path: { item: 1, field: "articleId" } }
    expect(sale({ state: "sold", quoteId: QuoteId.make("q_1") })).toMatchObject(refusal)
    expect(sale({ state: "reserved", quoteId: QuoteId.make("q_1"), untilMs: NOON + 1 })).toMatchObject(refusal)
    expect(sale({ state: "reserved", quoteId: QuoteId.make("q_1"), untilMs: NOON })).toBe("priced")
  })

  it.each([
    ["nope", "unknown"],
    ["SOON", "not_started"],
    ["gone", "expired"],
    ["FIVER", "minimum_not_met"],
    ["USED_UP", "exhausted"],
    ["USED", "already_used"]
  ])("for the code %s: %s", (promoCode, reason) => {
    const promos = [...stock.promos, promo("USED_UP", { maxRedemptions: 0 })]
    const lapses = { quoteId: QuoteId.make("q_1"), accountId: AccountId.make("acc_rich"), untilMs: NOON + HOUR_MS }
    const books = given({ promos: [...promos, promo("USED", { oncePerAccount: true, reservations: [lapses] })] })
    expect(refused({ promoCode }, { books })).toMatchObject({
      _tag: "PromoCodeInvalid",
      code: promoCode.toUpperCase(),
      reason
    })
  })

  it("with the minimum of the code, only if that is not met", () => {
    expect(refused({ promoCode: "FIVER" })).toMatchObject({ minimumCents: 2_000 })
    expect(refused({ promoCode: "GONE" })).not.toHaveProperty("minimumCents")
  })

  it("for an unusable code, even if the welcome offer would be better", () => {
    expect(refused({ promoCode: "NOPE" }, { by: fresh })).toMatchObject({ _tag: "PromoCodeInvalid" })
  })
})

describe("with several faults in a cart", () => {
  const faults: ReadonlyArray<readonly [string, OrderItem]> = [
    ["SiteNotFound", item({ siteId: 99 })],
    ["ProjectNotFound", item({ projectId: ProjectId.make("prj_poor") })],
    ["ArticleSiteMismatch", insertion(11, { siteId: 2 })],
    ["SiteUnavailable", item({ siteId: 4 })]
  ]
  it.each(
    faults.flatMap(([first, one], index) =>
      faults.slice(index + 1).map(([later, other]) => [first, later, one, other] as const)
    )
  )("%s is reported before %s, at any position in the cart", (first, _, one, other) => {
    expect(refused({ items: [one, other], promoCode: "NOPE" })).toMatchObject({ _tag: first })
    expect(refused({ items: [other, one], promoCode: "NOPE" })).toMatchObject({ _tag: first })
  })

  it("of equal faults, that of the first item is reported", () => {
    expect(refused(items(item({ siteId: 98 }), item({ siteId: 99 })))).toMatchObject({ siteId: 98 })
    const books = given({ sites: [...stock.sites, site(5, { open: false })] })
    expect(refused(items(item({ siteId: 5 }), item({ siteId: 4 })), { books })).toMatchObject({ siteId: 5 })
  })
})
