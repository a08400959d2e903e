// The catalogue, read from the books in memory. Sites are sorted once per version of the catalogue.
import { Effect, HashMap } from "effect"
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
import { facetsOfSites } from "#core/domain/catalogue/CatalogueFacets.ts"
import { articlesMatcher, siteMatcher } from "#core/domain/catalogue/SiteFilters.ts"
import { orderedAtMs } from "#core/domain/ordering/DueDate.ts"
import { isOnline, type Link } from "#core/domain/ordering/Link.ts"
import { hasExpired, isOpen, isPaymentPending } from "#core/domain/ordering/Quote.ts"
import { sitesLinkingTo } from "#core/domain/pricing/Cart.ts"
import { DAY_MS, type Millis } from "#core/domain/shared/DecisionContext.ts"
import { Catalogue, type SiteSearch } from "#core/ports/catalogue/Catalogue.ts"
import { linksInto } from "../../books/AccountLinks.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, perVersion, rowsWhere } from "../../books/Rows.ts"

/** Sorts all sites once for each sort. */
const sitesBySort = (sites: Books["sites"]): ((sort: Sort) => ReadonlyArray<Site>) => {
  const known = new Map<Sort, ReadonlyArray<Site>>()
  return (sort) => {
    const keyOf = (site: Site) => sortKeyOf(sort, site)
    const inOrder = known.get(sort) ?? HashMap.toValues(sites).sort((a, b) => compareSortKeys(keyOf(a), keyOf(b)))
    known.set(sort, inOrder)
    return inOrder
  }
}

const startIndex = (matches: ReadonlyArray<Site>, sort: Sort, start: PageStart): number => {
  if (start.kind === "offset") return start.offset
  const index = matches.findIndex((site) => compareSortKeys(sortKeyOf(sort, site), start.sortKey) > 0)
  return index === -1 ? matches.length : index
}

const median = (numbers: ReadonlyArray<number>): number | null => {
  const inOrder = numbers.toSorted((a, b) => a - b)
  const upper = inOrder[inOrder.length >> 1]
  const lower = inOrder[(inOrder.length - 1) >> 1]
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

const daysToPublish = (link: Link): number => {
  const began = orderedAtMs(link)
  return ((link.publishedAtMs ?? began) - began) / DAY_MS
}

const measure = ({ links }: Books, siteId: number): Measured | null => {
  const bought = rowsWhere(
    links,
    (link) => link.siteId === siteId && link.mode === "live" && link.status !== "cancelled"
  )
  const published = bought.filter(({ status }) => isOnline(status))
  const verified = bought.filter(({ status }) => status === "verified").length
  const stillLiveRatio = verified === 0 ? null : verified / published.length
  const medianDaysToPublish = median(published.map(daysToPublish))
  return bought.length === 0 ? null : { orders: bought.length, medianDaysToPublish, stillLiveRatio }
}

/** The articles on a site that are free, by id. */
const freeOn = ({ articles }: Books, siteId: number, nowMs: Millis): ReadonlyArray<Article> =>
  rowsWhere(
    articles,
    (article) => article.siteId === siteId && article.sale.state !== "sold" && articleIsFree(article, nowMs)
  )

/** Whether the articles on a site that are free are as a search demands. */
const haveArticles = ({ articles: stored }: Books, articles: SiteSearch["articles"]): ((site: Site) => boolean) => {
  if (articles === undefined) return () => true
  const free = rowsWhere(stored, ({ sale }) => sale.state !== "sold").filter((one) =>
    articleIsFree(one, articles.nowMs)
  )
  const bySite = Map.groupBy(free, ({ siteId }) => siteId)
  const matches = articlesMatcher(articles)
  return ({ siteId }) => matches(bySite.get(siteId) ?? [])
}

export const layer = overBooks(Catalogue, ({ current }) => {
  const sitesIn = perVersion(sitesBySort)
  const facetsOf = perVersion((sites: Books["sites"]) => facetsOfSites(HashMap.values(sites)))
  let version = 0
  const versionOf = perVersion((_: Books["sites"]) => String(++version))

  return {
    version: Effect.sync(() => versionOf(current().sites)),
    search: ({ filter, articles, sort, start, limit }) => {
      const all = sitesIn(current().sites)(sort).filter(siteMatcher(filter))
      const matches = all.filter(haveArticles(current(), articles))
      const from = startIndex(matches, sort, start)
      const sites = matches.slice(from, from + limit)
      const last = sites.at(-1)
      const next = last === undefined || from + limit >= matches.length ? null : sortKeyOf(sort, last)
      return { sites, total: matches.length, next }
    },
    facets: Effect.sync(() => facetsOf(current().sites)),
    site: (siteId, nowMs) => {
      const site = find(current().sites, siteId)
      if (site === undefined) return null
      const articlesAvailable = freeOn(current(), siteId, nowMs).length
      return { site, articlesAvailable, measured: measure(current(), siteId) }
    },
    linkingTo: ({ accountId, mode, domain, nowMs }) => {
      const open = rowsWhere(
        current().quotes,
        (quote) =>
          quote.accountId === accountId &&
          quote.mode === mode &&
          isOpen(quote) &&
          !isPaymentPending(quote) &&
          !hasExpired(quote, nowMs)
      )
      const items = open.flatMap(({ lines }) => lines.map(({ item }) => item))
      const links = linksInto(current(), accountId, mode, domain).map(({ siteId }) => siteId)
      return new Set([...links, ...sitesLinkingTo(items, domain)])
    },
    sites: (siteIds) => [...new Set(siteIds)].flatMap((siteId) => find(current().sites, siteId) ?? []),
    openOf: (siteIds) => new Set(siteIds.filter((siteId) => find(current().sites, siteId)?.open === true)),
    siteIdsOf: (domains) => {
      const asked = new Set(domains)
      const found = rowsWhere(current().sites, ({ domain }) => asked.has(domain))
      const inOrder = found.toSorted((a, b) => Number(a.open) - Number(b.open) || b.siteId - a.siteId)
      return new Map(inOrder.map(({ domain, siteId }) => [domain, siteId]))
    },
    articles: ({ siteId, limit, afterId: after, nowMs }) => {
      const { rows: articles, next } = page(freeOn(current(), siteId, nowMs), {
        ...{ by: ({ articleId }) => [articleId], after: afterId(after), limit }
      })
      return { articles, nextAfterId: next?.articleId ?? null }
    }
  }
})
