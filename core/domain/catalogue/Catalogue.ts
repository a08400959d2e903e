// Sites, their articles, and the order of a list of sites. Sorting is pure, so that every store returns the same page.
import { Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { Shelf, sitePriceCents } from "../pricing/Shelf.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { QuoteId } from "../shared/Ids.ts"

/** How search engines are told to treat the links of a site. */
export const LinkRel = Schema.Literals(["dofollow", "nofollow", "sponsored"])
export type LinkRel = typeof LinkRel.Type

export const Site = Schema.Struct({
  siteId: Schema.Int,
  domain: Schema.String,
  nicheLabel: Schema.String,
  /** ISO 639-1 code. */
  language: Schema.String,
  tf: Schema.Int,
  cf: Schema.Int,
  /** Referring domains. */
  rd: Schema.Int,
  mozDa: Schema.Int,
  rankedKeywords: Schema.Int,
  trafficMonthly: Schema.Int,
  shelf: Shelf,
  linkRel: LinkRel,
  /** Days from an order to its link online; missing: those of the shelf. */
  turnaroundDays: Schema.optionalKey(Schema.Int),
  /** Whether it takes orders. A closed site is still found by id, but not by a search. */
  open: Schema.Boolean,
  updatedAtMs: Millis
})
export type Site = typeof Site.Type

export const Keyword = Schema.Struct({
  query: Schema.String,
  position: Schema.Finite,
  impressions: Schema.Finite
})
export type Keyword = typeof Keyword.Type

export const ArticleState = Schema.Union([
  Schema.Struct({ state: Schema.Literal("free") }),
  Schema.Struct({ state: Schema.Literal("reserved"), quoteId: QuoteId, untilMs: Millis }),
  Schema.Struct({ state: Schema.Literal("sold"), quoteId: QuoteId })
])
export type ArticleState = typeof ArticleState.Type

/** A published article into which one link can be inserted, once. */
export const Article = Schema.Struct({
  articleId: Schema.Int,
  siteId: Schema.Int,
  title: Schema.String,
  url: Schema.String,
  publishedAtMs: Millis,
  keywords: Schema.Array(Keyword),
  /** `null` means the price of the site's shelf. */
  priceCents: Schema.NullOr(Cents),
  sale: ArticleState
})
export type Article = typeof Article.Type

export const MAX_KEYWORDS = 10

/** Whether `quoteId` may take the article now: it is free, reserved by that same quote, or its reservation has lapsed. */
export const articleIsFree = (article: Article, nowMs: Millis, quoteId?: QuoteId): boolean => {
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

/** Lower case, without accents and outer white space: how niches and search texts are compared. */
export const foldText = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim()

/** Sites sort ascending by `rank`, then by id: no two sites have the same key. */
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

/** The largest page of a search. Stores size their queries for it. */
export const MAX_PAGE_SIZE = 50

/** Where a page begins. */
export type PageStart =
  | { readonly kind: "offset"; readonly offset: number }
  /** Strictly after this key: constant cost at any depth, and no repeated or skipped site while sites are added. */
  | { readonly kind: "after"; readonly sortKey: SortKey }

/** Statistics of the shop's own orders on a site. A site without orders has none (`null`). */
export interface Measured {
  /** Links ordered and not cancelled. */
  readonly orders: number
  readonly medianDaysToPublish: number | null
  /** The share of published links that were later verified to be online; `null` until one has been checked. */
  readonly stillLiveRatio: number | null
}
