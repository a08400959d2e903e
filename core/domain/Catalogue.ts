// Sites, the articles they already have, and how an agent narrows them down. Filtering and ordering are pure so that
// every store gives the same page; where a page starts is a position, which adapters make opaque.
import { Schema } from "effect"
import type { Millis } from "./DecisionContext.ts"
import type { Cents } from "./Money.ts"
import { type Shelf, shelfTerms } from "./Shelf.ts"

export interface Site {
  readonly siteId: number
  readonly domain: string
  readonly nicheLabel: string
  /** ISO 639-1 code. */
  readonly language: string
  readonly tf: number
  readonly cf: number
  /** Referring domains. */
  readonly rd: number
  readonly mozDa: number
  readonly rankedKeywords: number
  readonly trafficMonthly: number
  readonly shelf: Shelf
  readonly linkRel: "dofollow" | "nofollow" | "sponsored"
  /** Whether it takes orders at present; a paused site stays readable by id and leaves the lists. */
  readonly open: boolean
  readonly updatedAtMs: Millis
}

export interface Keyword {
  readonly query: string
  readonly position: number
  readonly impressions: number
}

export type ArticleState =
  | { readonly state: "free" }
  | { readonly state: "reserved"; readonly quoteId: string; readonly untilMs: Millis }
  | { readonly state: "sold"; readonly quoteId: string }

/** An article already online, into which one link can be inserted, once. */
export interface Article {
  readonly articleId: number
  readonly siteId: number
  readonly title: string
  readonly url: string
  readonly publishedAtMs: Millis
  readonly keywords: ReadonlyArray<Keyword>
  /** Its own price, or `null` for the shelf's. */
  readonly priceCents: Cents | null
  readonly sale: ArticleState
}

export const MAX_KEYWORDS = 10

/** Whether `quoteId` may take the article now: it is free, or reserved by that very quote or by one that has lapsed. */
export const articleIsFree = (article: Article, nowMs: Millis, quoteId?: string): boolean => {
  switch (article.sale.state) {
    case "free":
      return true
    case "reserved":
      return article.sale.quoteId === quoteId || article.sale.untilMs <= nowMs
    case "sold":
      return false
  }
}

export const Sort = Schema.Literals(["id", "price", "-tf", "-traffic"])
export type Sort = typeof Sort.Type

export interface SiteFilter {
  readonly niche?: string
  readonly shelf?: Shelf
  /** Free text, found in the domain or the niche. */
  readonly query?: string
  readonly language?: string
  readonly minTf?: number
  readonly minTraffic?: number
  readonly maxPriceCents?: Cents
}

/** Lower case, no accents, no outer space: how niches and searches are compared. */
export const foldText = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim()

export const sitePriceCents = (site: Site): Cents => shelfTerms(site.shelf).priceCents

/** A filter made ready once, applied to many sites. */
export const siteMatcher = (filter: SiteFilter): ((site: Site) => boolean) => {
  const niche = filter.niche === undefined ? undefined : foldText(filter.niche)
  const query = filter.query === undefined ? undefined : foldText(filter.query)
  const language = filter.language?.toLowerCase()
  return (site) =>
    site.open &&
    (filter.shelf === undefined || site.shelf === filter.shelf) &&
    (niche === undefined || foldText(site.nicheLabel) === niche) &&
    (query === undefined || foldText(site.domain).includes(query) || foldText(site.nicheLabel).includes(query)) &&
    (language === undefined || site.language.toLowerCase() === language) &&
    (filter.minTf === undefined || site.tf >= filter.minTf) &&
    (filter.minTraffic === undefined || site.trafficMonthly >= filter.minTraffic) &&
    (filter.maxPriceCents === undefined || sitePriceCents(site) <= filter.maxPriceCents)
}

/** Where a site stands in an order: ascending by `rank`, then by id, so that no two sites stand in the same place. */
export interface SortKey {
  readonly rank: number
  readonly siteId: number
}

export const sortKeyOf = (sort: Sort, site: Site): SortKey => {
  switch (sort) {
    case "id":
      return { rank: 0, siteId: site.siteId }
    case "price":
      return { rank: sitePriceCents(site), siteId: site.siteId }
    case "-tf":
      return { rank: -site.tf, siteId: site.siteId }
    case "-traffic":
      return { rank: -site.trafficMonthly, siteId: site.siteId }
  }
}

export const compareSortKeys = (a: SortKey, b: SortKey): number => a.rank - b.rank || a.siteId - b.siteId

/** The most sites that a page may have, whoever asks for it; stores plan for no more. */
export const MAX_PAGE_SIZE = 50

/** Where a page begins. */
export type PageStart =
  | { readonly kind: "offset"; readonly offset: number }
  /** Strictly behind this position: constant cost at any depth, nothing twice and nothing skipped while sites are added. */
  | { readonly kind: "after"; readonly sortKey: SortKey }

/** What the shop's own orders say of a site. `null` where it has none yet. */
export interface Measured {
  /** Links ordered on it and not cancelled. */
  readonly orders: number
  readonly medianDaysToPublish: number | null
  /** Of the links published on it, the share that was since verified to be online; `null` while nobody has looked at any. */
  readonly stillLiveRatio: number | null
}
