// What is on offer, read from the books. Sites are put in order once for each version of the catalogue; articles and what
// orders tell of a site come from the indexes.
import { Effect, HashMap, Layer } from "effect"
import { type Books, find } from "#core/decisions/Books.ts"
import {
  type Article,
  articleIsFree,
  comparePositions,
  type Measured,
  type PageStart,
  positionOf,
  type Site,
  type Sort,
  siteMatcher
} from "#core/domain/Catalogue.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { Catalogue } from "#core/ports/Catalogue.ts"
import { drawers } from "./Drawers.ts"
import type { Index } from "./Indexes.ts"
import { MemoryBooks } from "./MemoryBooks.ts"
import { cut } from "./Paging.ts"
import type { Entry, Ordered } from "./Sorted.ts"

/** All sites in the order of a sort, remembered until the catalogue changes. */
const shelfReader = (): ((sites: Books["sites"], sort: Sort) => ReadonlyArray<Site>) => {
  let known: Books["sites"] | undefined
  const sorted = new Map<Sort, ReadonlyArray<Site>>()
  return (sites, sort) => {
    if (sites !== known) sorted.clear()
    known = sites
    const place = (site: Site) => positionOf(sort, site)
    const inOrder = sorted.get(sort) ?? HashMap.toValues(sites).sort((a, b) => comparePositions(place(a), place(b)))
    sorted.set(sort, inOrder)
    return inOrder
  }
}

const beginning = (matches: ReadonlyArray<Site>, sort: Sort, start: PageStart): number => {
  if (start.kind === "offset") return start.offset
  const index = matches.findIndex((site) => comparePositions(positionOf(sort, site), start.position) > 0)
  return index === -1 ? matches.length : index
}

const median = (ranks: Ordered): number | null => {
  const upper = ranks.at(ranks.size >> 1)?.rank
  const lower = ranks.at((ranks.size - 1) >> 1)?.rank
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

const measure = (index: Index, siteId: number): Measured | null => {
  const orders = index.drawer(drawers.linksOn(siteId)).size
  const published = index.drawer(drawers.daysToPublish(siteId))
  const verified = index.drawer(drawers.verifiedOn(siteId)).size
  const stillLiveRatio = verified === 0 ? null : verified / published.size
  return orders === 0 ? null : { orders, medianDaysToPublish: median(published), stillLiveRatio }
}

/** The article that an entry of its site's drawer stands for, if it is free. */
const freeArticle =
  (books: Books, nowMs: Millis) =>
  ({ rank: articleId }: Entry): Article | undefined => {
    const article = find(books.articles, articleId)
    return article !== undefined && articleIsFree(article, nowMs) ? article : undefined
  }

/** Behind every entry of this rank. */
const behind = (rank: number): Entry => ({ rank, id: "\uffff" })

export const layer: Layer.Layer<Catalogue, never, MemoryBooks> = Layer.effect(
  Catalogue,
  Effect.gen(function* () {
    const { current, index } = yield* MemoryBooks
    const inOrder = shelfReader()
    const unsoldOn = (siteId: number) => index.drawer(drawers.unsoldArticlesOn(siteId))

    return Catalogue.of({
      search: ({ filter, sort, start, limit }) =>
        Effect.sync(() => {
          const matches = inOrder(current().sites, sort).filter(siteMatcher(filter))
          const from = beginning(matches, sort, start)
          const sites = matches.slice(from, from + limit)
          const last = sites.at(-1)
          const next = last === undefined || from + limit >= matches.length ? null : positionOf(sort, last)
          return { sites, total: matches.length, next }
        }),
      site: (siteId, nowMs) =>
        Effect.sync(() => {
          const site = find(current().sites, siteId)
          if (site === undefined) return null
          const isFree = freeArticle(current(), nowMs)
          const { rows: free } = cut(unsoldOn(siteId).after(null), Number.POSITIVE_INFINITY, isFree)
          return { site, articlesAvailable: free.length, measured: measure(index, siteId) }
        }),
      articles: ({ siteId, limit, afterId, nowMs }) =>
        Effect.sync(() => {
          const entries = unsoldOn(siteId).after(afterId === null ? null : behind(afterId))
          const { rows: articles, more } = cut(entries, limit, freeArticle(current(), nowMs))
          return { articles, nextAfterId: more ? (articles.at(-1)?.articleId ?? null) : null }
        })
    })
  })
)
