// The search that a catalogue query asks for: its filter, and its place, which a cursor binds to filter and sort.
import { Result, Schema } from "effect"
import type { PageStart, Sort, SortKey } from "#core/domain/catalogue/Catalogue.ts"
import type { ArticleFilter, SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"
import type { CursorInvalid } from "#core/domain/shared/RequestRefusal.ts"
import { centsOfEur } from "../schema/Amount.ts"
import { hostOf } from "../schema/DomainName.ts"
import { PAGE_SIZE, pageCursor } from "../schema/Paging.ts"
import type { CatalogQuery } from "./Catalog.ts"

const siteCursor = pageCursor<SortKey, unknown>("sites", Schema.Struct({ rank: Schema.Finite, siteId: Schema.Int }))

/** Sorts and removes repetition, which change nothing, so that a cursor stays valid. */
const asSet = <Value extends string>(values: ReadonlyArray<Value>): ReadonlyArray<Value> => [...new Set(values)].sort()

/**
 * The filters that a request names. Sites are excepted by a domain, for which another port finds them, and have their days of turnaround
 * by the shop's settings.
 */
type AskedFilter = Exclude<keyof SiteFilter, "exceptSiteIds" | "turnaround">

/** What a query asks of each filter. */
const ASKED: { readonly [Name in AskedFilter]: (query: CatalogQuery) => SiteFilter[Name] } = {
  niches: ({ niche }) => niche && asSet(niche),
  shelves: ({ shelf }) => shelf && asSet(shelf),
  query: ({ query }) => query,
  languages: ({ language }) => language && asSet(language),
  linkRel: ({ link_rel }) => link_rel,
  minTf: ({ min_tf }) => min_tf,
  minTraffic: ({ min_traffic }) => min_traffic,
  minCf: ({ min_cf }) => min_cf,
  minRd: ({ min_rd }) => min_rd,
  minMozDa: ({ min_moz_da }) => min_moz_da,
  minRankedKeywords: ({ min_ranked_keywords }) => min_ranked_keywords,
  maxPriceCents: ({ max_price_eur }) => (max_price_eur === undefined ? undefined : centsOfEur(max_price_eur))
}

const readFilter = (query: CatalogQuery): SiteFilter =>
  Object.fromEntries(
    Object.entries(ASKED).flatMap(([name, asked]) => {
      const value = asked(query)
      return value === undefined ? [] : [[name, value]]
    })
  )

/** Whether a query asks for articles, which are sold while the catalogue stays as it is. */
export const asksForArticles = ({ has_articles, article_query }: CatalogQuery): boolean =>
  has_articles !== undefined || article_query !== undefined

const readArticles = ({ has_articles, article_query }: CatalogQuery): ArticleFilter => ({
  ...(has_articles === undefined ? {} : { hasArticles: has_articles }),
  ...(article_query === undefined ? {} : { articleQuery: article_query })
})

/** What a cursor is bound to. */
const filtersOf = (
  filter: SiteFilter,
  articles: ArticleFilter,
  notLinkingTo: string | undefined,
  maxTurnaroundDays: number | undefined,
  sort: string
) => ({
  filter: {
    ...filter,
    ...articles,
    ...(notLinkingTo === undefined ? {} : { notLinkingTo }),
    ...(maxTurnaroundDays === undefined ? {} : { maxTurnaroundDays })
  },
  sort
})

const readStart = (
  { cursor, offset }: CatalogQuery,
  filters: ReturnType<typeof filtersOf>
): Result.Result<PageStart, CursorInvalid> =>
  cursor === undefined
    ? Result.succeed({ kind: "offset", offset: offset ?? 0 })
    : Result.map(siteCursor.read(filters, cursor), (sortKey) => ({ kind: "after", sortKey }))

export interface CatalogSearch {
  readonly search: {
    readonly filter: SiteFilter
    readonly articles?: ArticleFilter
    readonly sort: Sort
    readonly start: PageStart
    readonly limit: number
    readonly maxTurnaroundDays?: number
  }
  /** `not_linking_to` as the host of a URL. */
  readonly domain: string | undefined
  /** The cursor of the page that begins after this site. */
  readonly cursorOf: (after: SortKey) => string
}

export const readSearch = (query: CatalogQuery): Result.Result<CatalogSearch, CursorInvalid> => {
  const { sort = "id", limit = PAGE_SIZE, max_turnaround_days: days } = query
  const filter = readFilter(query)
  const domain = query.not_linking_to === undefined ? undefined : hostOf(query.not_linking_to)
  const articles = readArticles(query)
  const filters = filtersOf(filter, articles, domain, days, sort)
  return Result.map(readStart(query, filters), (start) => ({
    search: {
      filter,
      ...(asksForArticles(query) ? { articles } : {}),
      sort,
      start,
      limit,
      ...(days === undefined ? {} : { maxTurnaroundDays: days })
    },
    domain,
    cursorOf: (after) => siteCursor.write(filters, after)
  }))
}
