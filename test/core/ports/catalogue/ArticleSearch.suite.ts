// What every store promises of a search for sites by their articles: those that take a link at the time count, and no others.
import { Effect } from "effect"
import { expect } from "vitest"
import type { PageStart } from "#core/domain/catalogue/Catalogue.ts"
import type { ArticleFilter, SiteFilter } from "#core/domain/catalogue/SiteFilters.ts"
import { SHELVES } from "#core/domain/pricing/Shelf.ts"
import { Catalogue, type SitePage } from "#core/ports/catalogue/Catalogue.ts"
import { buyer, insertionInto, listArticle, listSite, order } from "../ShopSetup.ts"
import { type StoreLayer, storeSuite, times } from "../StoreSuite.ts"

export const articleSearchSuite = (name: string, store: StoreLayer): void =>
  storeSuite(`Searches for articles of ${name}`, store, (it) => {
    it.effect("finds sites by the articles that take a link at the time, and by their keywords", () =>
      Effect.gen(function* () {
        const catalogue = yield* Catalogue
        const nicheLabel = "Sites with articles"
        const keyword = (query: string) => ({ query, position: 3, impressions: 50 })
        const sites = yield* Effect.all(times(6, (nth) => listSite({ nicheLabel, tf: nth })))
        const [roses = -1, tulips = -1, reserved = -1, sold = -1, none = -1, closed = -1] = sites.map(
          ({ siteId }) => siteId
        )
        yield* listSite({ ...sites[5], open: false })
        const { caller } = yield* buyer()
        const rich = yield* buyer(10_000)
        const planting = { keywords: [keyword("Café garden"), keyword("PLANTING rosés 100%")] }
        for (const siteId of [roses, roses, closed]) yield* listArticle(siteId, planting)
        yield* listArticle(tulips, { keywords: [keyword("tulips")] })
        const held = yield* order(caller, { items: [insertionInto(yield* listArticle(reserved, planting))] })
        yield* order(rich.caller, { items: [insertionInto(yield* listArticle(sold, planting))] })
        const nowMs = held.quote.createdAtMs
        const found = Effect.fnUntraced(function* (
          articles: ArticleFilter,
          { atMs = nowMs, filter = {} }: { readonly atMs?: number; readonly filter?: SiteFilter } = {}
        ) {
          const search = { filter: { niches: [nicheLabel], ...filter }, articles: { ...articles, nowMs: atMs } }
          const ids: Array<ReadonlyArray<number>> = []
          for (const sort of ["id", "-tf"] as const) {
            const page = yield* catalogue.search({ ...search, sort, start: { kind: "offset", offset: 0 }, limit: 50 })
            expect(page.total).toBe(page.sites.length)
            const paged: Array<number> = []
            let start: PageStart = { kind: "offset", offset: 0 }
            for (;;) {
              const { sites, next }: SitePage = yield* catalogue.search({ ...search, sort, start, limit: 1 })
              paged.push(...sites.map(({ siteId }) => siteId))
              if (next === null) break
              start = { kind: "after", sortKey: next }
            }
            expect(paged).toEqual(page.sites.map(({ siteId }) => siteId))
            ids.push(sort === "id" ? paged : paged.toReversed())
          }
          expect(ids[0]).toEqual(ids[1])
          return ids[0]
        })
        expect(yield* found({ hasArticles: true })).toEqual([roses, tulips])
        expect(yield* found({ hasArticles: false })).toEqual([reserved, sold, none])
        expect(yield* found({ articleQuery: "PLANTING ROSES" })).toEqual([roses])
        expect(yield* found({ articleQuery: " é garden" })).toEqual([roses])
        for (const nowhere of ["garden planting", "_ulips", "100%%", "nowhere"]) {
          expect(yield* found({ articleQuery: nowhere })).toEqual([])
        }
        expect(yield* found({ articleQuery: "tulip", hasArticles: true })).toEqual([tulips])
        expect(yield* found({ articleQuery: "tulip", hasArticles: false })).toEqual([])
        const except = { filter: { exceptSiteIds: [tulips, none] } }
        expect(yield* found({ hasArticles: true }, except)).toEqual([roses])
        const later = { atMs: held.quote.expiresAtMs }
        expect(yield* found({ hasArticles: true }, later)).toEqual([roses, tulips, reserved])
        expect(yield* found({ articleQuery: "planting" }, later)).toEqual([roses, reserved])
        const shelves = { filter: { shelves: [...SHELVES.map(({ shelf }) => shelf)] } }
        expect(yield* found({ articleQuery: "planting" }, { ...later, ...shelves })).toEqual([roses, reserved])
      })
    )
  })
