// The shop of the wallet model: plain facts for the model, and the initial books made from them.
import type { Books } from "#core/decisions/Books.ts"
import { noLimits } from "#core/domain/access/ApiKey.ts"
import type { OrderItem } from "#core/domain/pricing/Cart.ts"
import type { Reduction } from "#core/domain/pricing/Promo.ts"
import type { Shelf } from "#core/domain/pricing/Shelf.ts"
import { defaultShopSettings, type ShopSettings } from "#core/domain/ShopSettings.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import { ProjectId } from "#core/domain/shared/Ids.ts"
import { account, article, booksOf, HOUR_MS, insertion, item, key, NOON, project, promo, site } from "../Given.ts"

export const START = NOON
export const TTL_MS = 24 * HOUR_MS
export const CARD_MINIMUM = 50
/** Below what a cart of the model can cost. */
export const CARD_MAXIMUM = 6_000
export const CAP = 6
export const WELCOME = 2_000
export const OPEN_ARTICLES = 2
export const OPEN_USES = 1

export const settings: ShopSettings = {
  ...defaultShopSettings,
  quoteTtlMs: TTL_MS,
  cardMinimumCents: CARD_MINIMUM,
  cardMaximumCents: CARD_MAXIMUM,
  dailyOrderCap: CAP,
  openArticlesMax: OPEN_ARTICLES,
  openCodeUsesMax: OPEN_USES
}

export interface KeyFact {
  readonly id: string
  readonly account: string
  readonly mode: Mode
  readonly cap: number | null
  readonly maxOrder: number | null
  readonly maxDay: number | null
  readonly domain: string | null
  readonly approveAbove: number | null
}

const free = { cap: null, maxOrder: null, maxDay: null, domain: null, approveAbove: null }

export const accounts: ReadonlyArray<string> = ["acc_a", "acc_b", "acc_c"]

export const keys: ReadonlyArray<KeyFact> = [
  { id: "key_a", account: "acc_a", mode: "live", ...free },
  { id: "key_a_limited", account: "acc_a", mode: "live", ...free, cap: 3, maxOrder: 4_000, maxDay: 6_000 },
  { id: "key_b", account: "acc_b", mode: "live", ...free },
  { id: "key_c", account: "acc_c", mode: "live", ...free, domain: "brand.example" },
  { id: "key_a_test", account: "acc_a", mode: "sandbox", ...free },
  { id: "key_b_test", account: "acc_b", mode: "sandbox", ...free },
  { id: "key_a_asks", account: "acc_a", mode: "live", ...free, approveAbove: 1_500 },
  { id: "key_b_asks", account: "acc_b", mode: "live", ...free, approveAbove: 0 },
  { id: "key_b_asks_test", account: "acc_b", mode: "sandbox", ...free, approveAbove: 0 }
]

export interface SiteFact {
  readonly id: number
  readonly shelf: Shelf
  readonly open: boolean
}

export const sites: ReadonlyArray<SiteFact> = [
  { id: 1, shelf: "Plancton", open: true },
  { id: 2, shelf: "Corail", open: true },
  { id: 3, shelf: "Nautilus", open: true },
  { id: 4, shelf: "Plancton", open: false }
]

export const shelfPrices: Readonly<Record<Shelf, number>> = { Plancton: 500, Corail: 1_500, Nautilus: 3_000 }
export const packPrices = { 0: 0, 1: 400, 3: 1_000, 5: 1_500 }

export interface ArticleFact {
  readonly id: number
  readonly site: number
  /** `null` means the price of the shelf. */
  readonly price: number | null
}

export const articles: ReadonlyArray<ArticleFact> = [
  { id: 11, site: 1, price: null },
  { id: 12, site: 1, price: 777 },
  { id: 21, site: 2, price: 20 },
  { id: 31, site: 3, price: 1 }
]

export interface PromoFact {
  readonly code: string
  readonly reduction: Reduction
  readonly minimum: number
  readonly from: number
  readonly to: number
  readonly max: number
  readonly once: boolean
}

const percent = (basisPoints: number): Reduction => ({ kind: "percent", basisPoints })
const always = { minimum: 0, from: 0, to: Number.POSITIVE_INFINITY, max: Number.POSITIVE_INFINITY, once: false }

export const promos: ReadonlyArray<PromoFact> = [
  { ...always, code: "TEN", reduction: percent(1_000) },
  { ...always, code: "FIVER", reduction: { kind: "fixed", cents: 500 }, minimum: 2_000 },
  { ...always, code: "LAST", reduction: percent(3_333), max: 1 },
  { ...always, code: "TWICE", reduction: { kind: "fixed", cents: 301 }, max: 2 },
  { ...always, code: "ONCE", reduction: percent(2_525), once: true },
  { ...always, code: "HAPPY", reduction: percent(5_055), from: START + HOUR_MS, to: START + 30 * HOUR_MS },
  { ...always, code: "ALL", reduction: percent(10_000), max: 3, once: true }
]

/** The items of carts, invalid ones included. */
export const cartItems: ReadonlyArray<OrderItem> = [
  item({ siteId: 1 }),
  item({ siteId: 2, targetUrl: "https://www.brand.example/b", tier2Links: 1 }),
  item({ siteId: 3, tier2Links: 5 }),
  item({ siteId: 1, targetUrl: "https://other.example/", tier2Links: 3 }),
  insertion(11),
  insertion(12),
  insertion(21, { siteId: 2 }),
  insertion(31, { siteId: 3, targetUrl: "https://other.example/c" }),
  item({ siteId: 1, projectId: ProjectId.make("prj_a") }),
  item({ siteId: 4 }),
  item({ siteId: 99 }),
  insertion(11, { siteId: 2 })
]

const unlessEndless = (limit: number): number | null => (Number.isFinite(limit) ? limit : null)

export const opening: Books = booksOf({
  accounts: accounts.map((id) => account(id, 0)),
  keys: keys.map(({ id, account, mode, cap, maxOrder, maxDay, domain, approveAbove }) => {
    const allowedDomains = domain === null ? null : [domain]
    const limits = {
      ...{ ...noLimits, dailyOrderCap: cap, maxOrderCents: maxOrder, maxDayCents: maxDay },
      ...{ allowedDomains, approveAboveCents: approveAbove }
    }
    return key(id, account, { mode, limits })
  }),
  sites: sites.map(({ id, shelf, open }) => site(id, { shelf, open })),
  articles: articles.map((one) => article(one.id, { siteId: one.site, priceCents: one.price })),
  promos: promos.map(({ code, reduction, minimum, from, to, max, once }) =>
    promo(code, {
      reduction,
      minimumCents: minimum === 0 ? null : minimum,
      startsAtMs: from === 0 ? null : from,
      endsAtMs: unlessEndless(to),
      maxRedemptions: unlessEndless(max),
      oncePerAccount: once
    })
  ),
  projects: [project("prj_a", "acc_a")],
  opportunities: [],
  subscriptions: []
})
