// The catalogue, read from the books in memory. Sites are sorted once per version of the catalogue; articles and figures on
// past orders come from the indexes.
import { Effect, HashMap, Layer } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import {
  type Article,
  articleIsFree,
  compareSortKeys,
  type Measured,
  type PageStart,
  type Site,
  type Sort,
  sortKeyOf
} from "#core/domain/catalogue/Catalogue.ts"
import { type Facets, facetsOfSites } from "#core/domain/catalogue/CatalogueFacets.ts"
import { siteMatcher } from "#core/domain/catalogue/SiteFilters.ts"
import { hasExpired } from "#core/domain/ordering/Quote.ts"
import { sitesLinkingTo } from "#core/domain/pricing/Cart.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { Catalogue } from "#core/ports/catalogue/Catalogue.ts"
import { type ReadonlyIndexes, rowsIn, scoresIn } from "../../books/Indexes.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { afterScore, page } from "../../books/Paging.ts"
import type { ReadonlySortedSet } from "../../books/SortedSet.ts"

/** All sites in the order of a sort, cached until the catalogue changes. */
const sortedSitesCache = (): ((sites: Books["sites"], sort: Sort) => ReadonlyArray<Site>) => {
  let known: Books["sites"] | undefined
  const sorted = new Map<Sort, ReadonlyArray<Site>>()
  return (sites, sort) => {
    if (sites !== known) sorted.clear()
    known = sites
    const keyOf = (site: Site) => sortKeyOf(sort, site)
    const inOrder = sorted.get(sort) ?? HashMap.toValues(sites).sort((a, b) => compareSortKeys(keyOf(a), keyOf(b)))
    sorted.set(sort, inOrder)
    return inOrder
  }
}

/** The number of the catalogue's changes that were seen. */
const versionCounter = (): ((sites: Books["sites"]) => string) => {
  let known: Books["sites"] | undefined
  let version = 0
  return (sites) => {
    if (sites !== known) version++
    known = sites
    return String(version)
  }
}

/** The facets, cached until the catalogue changes. */
const facetsCache = (): ((sites: Books["sites"]) => Facets) => {
  let known: { readonly sites: Books["sites"]; readonly facets: Facets } | undefined
  return (sites) => {
    if (known?.sites !== sites) known = { sites, facets: facetsOfSites(HashMap.values(sites)) }
    return known.facets
  }
}

const startIndex = (matches: ReadonlyArray<Site>, sort: Sort, start: PageStart): number => {
  if (start.kind === "offset") return start.offset
  const index = matches.findIndex((site) => compareSortKeys(sortKeyOf(sort, site), start.sortKey) > 0)
  return index === -1 ? matches.length : index
}

const median = (scores: ReadonlySortedSet): number | null => {
  const upper = scores.at(scores.size >> 1)?.score
  const lower = scores.at((scores.size - 1) >> 1)?.score
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

const measure = (indexes: ReadonlyIndexes, siteId: number): Measured | null => {
  const orders = indexes.get(indexKeys.linksOn(siteId)).size
  const published = indexes.get(indexKeys.daysToPublish(siteId))
  const verified = indexes.get(indexKeys.verifiedOn(siteId)).size
  const stillLiveRatio = verified === 0 ? null : verified / published.size
  return orders === 0 ? null : { orders, medianDaysToPublish: median(published), stillLiveRatio }
}

/** The article of an id, if it is free. */
const freeArticle =
  (books: Books, nowMs: Millis) =>
  (articleId: string): Article | undefined => {
    const article = find(books.articles, Number(articleId))
    return article !== undefined && articleIsFree(article, nowMs) ? article : undefined
  }

export const layer: Layer.Layer<Catalogue, never, MemoryBooks> = Layer.effect(
  Catalogue,
  Effect.gen(function* () {
    const { current, indexes } = yield* MemoryBooks
    const sortedSites = sortedSitesCache()
    const facetsOf = facetsCache()
    const versionOf = versionCounter()
    const unsoldOn = (siteId: number) => indexes.get(indexKeys.unsoldArticlesOn(siteId))

    return Catalogue.of({
      version: Effect.sync(() => versionOf(current().sites)),
      search: ({ filter, sort, start, limit }) =>
        Effect.sync(() => {
          const matches = sortedSites(current().sites, sort).filter(siteMatcher(filter))
          const from = startIndex(matches, sort, start)
          const sites = matches.slice(from, from + limit)
          const last = sites.at(-1)
          const next = last === undefined || from + limit >= matches.length ? null : sortKeyOf(sort, last)
          return { sites, total: matches.length, next }
        }),
      facets: Effect.sync(() => facetsOf(current().sites)),
      site: (siteId, nowMs) =>
        Effect.sync(() => {
          const site = find(current().sites, siteId)
          if (site === undefined) return null
          const isFree = freeArticle(current(), nowMs)
          const { rows: free } = page(unsoldOn(siteId).after(null), Number.POSITIVE_INFINITY, isFree)
          return { site, articlesAvailable: free.length, measured: measure(indexes, siteId) }
        }),
      linkingTo: ({ accountId, mode, domain, nowMs }) =>
        Effect.sync(() => {
          const open = rowsIn(current().quotes, indexes, indexKeys.dueOf(accountId)).filter(
            (quote) => quote.mode === mode && !hasExpired(quote, nowMs)
          )
          const items = open.flatMap(({ lines }) => lines.map(({ item }) => item))
          const links = scoresIn(indexes, indexKeys.linksInto(accountId, mode, domain))
          return new Set([...links, ...sitesLinkingTo(items, domain)])
        }),
      openOf: (siteIds) =>
        Effect.sync(() => new Set(siteIds.filter((siteId) => find(current().sites, siteId)?.open === true))),
      articles: ({ siteId, limit, afterId, nowMs }) =>
        Effect.sync(() => {
          const entries = unsoldOn(siteId).after(afterId === null ? null : afterScore(afterId))
          const { rows: articles, nextId } = page(entries, limit, freeArticle(current(), nowMs))
          return { articles, nextAfterId: nextId === null ? null : Number(nextId) }
        })
    })
  })
)
