// Serves the catalogue: wire queries in, wire records out.
import { Effect, Layer, Result, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { showArticle } from "#adapters/contract/Articles.ts"
import { type CatalogPage, type CatalogQuery, showFullSite, showShelves, showSite } from "#adapters/contract/Catalog.ts"
import { centsOfEur } from "#adapters/contract/schema/Amount.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import type { PageStart, SiteFilter, SortKey } from "#core/domain/Catalogue.ts"
import type { CursorInvalid } from "#core/domain/Refusal.ts"
import { BrowseCatalogue } from "#core/usecases/BrowseCatalogue.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { withMinimalContext } from "../MinimalContext.ts"

const siteCursor = pageCursor<SortKey, unknown>("sites", Schema.Struct({ rank: Schema.Finite, siteId: Schema.Int }))
const articleCursor = pageCursor("articles", Schema.Int)

const readFilter = (query: CatalogQuery): SiteFilter => ({
  ...(query.niche === undefined ? {} : { niche: query.niche }),
  ...(query.shelf === undefined ? {} : { shelf: query.shelf }),
  ...(query.query === undefined ? {} : { query: query.query }),
  ...(query.language === undefined ? {} : { language: query.language }),
  ...(query.min_tf === undefined ? {} : { minTf: query.min_tf }),
  ...(query.min_traffic === undefined ? {} : { minTraffic: query.min_traffic }),
  ...(query.max_price_eur === undefined ? {} : { maxPriceCents: centsOfEur(query.max_price_eur) })
})

/** What a cursor is bound to. */
const questionOf = (filter: SiteFilter, sort: string) => ({ filter: { ...filter }, sort })

const readStart = (
  { cursor, offset }: CatalogQuery,
  question: ReturnType<typeof questionOf>
): Result.Result<PageStart, CursorInvalid> =>
  cursor === undefined
    ? Result.succeed({ kind: "offset", offset: offset ?? 0 })
    : Result.map(siteCursor.read(question, cursor), (sortKey) => ({ kind: "after", sortKey }))

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const catalogue = yield* BrowseCatalogue

    const search = Effect.fnUntraced(function* (query: CatalogQuery) {
      const { mode } = yield* CurrentCaller
      const sort = query.sort ?? "id"
      const filter = readFilter(query)
      const question = questionOf(filter, sort)
      const start = yield* Effect.fromResult(readStart(query, question))
      const { sites, total, next } = yield* catalogue.search({ filter, sort, start, limit: query.limit ?? PAGE_SIZE })
      const page: CatalogPage = {
        ok: true,
        count: sites.length,
        total,
        sites: sites.map(showSite),
        shelves: showShelves,
        ...(next === null ? {} : { next_cursor: siteCursor.write(question, next) }),
        sandbox: mode === "sandbox"
      }
      // The largest answer and the one most asked for: its type is checked where it is made, and not again for each of its fields.
      return HttpServerResponse.jsonUnsafe(page)
    })

    const site = Effect.fnUntraced(function* (siteId: number) {
      const { mode } = yield* CurrentCaller
      const found = yield* catalogue.site(siteId)
      return { ok: true as const, site: showFullSite(found, catalogue.tier2PricesCents), sandbox: mode === "sandbox" }
    })

    const articles = Effect.fnUntraced(function* (siteId: number, limit: number, cursor: string | undefined) {
      const { mode } = yield* CurrentCaller
      const question = { siteId }
      const afterId = cursor === undefined ? null : yield* Effect.fromResult(articleCursor.read(question, cursor))
      const { articles, nextAfterId, site } = yield* catalogue.articles({ siteId, limit, afterId })
      return {
        ok: true as const,
        count: articles.length,
        articles: articles.map((article) => showArticle(article, site, catalogue.tier2PricesCents)),
        ...(nextAfterId === null ? {} : { next_cursor: articleCursor.write(question, nextAfterId) }),
        sandbox: mode === "sandbox"
      }
    })

    return withMinimalContext(
      HttpApiBuilder.group(Api, "catalog", (handlers) =>
        handlers.handleAll({
          searchSites: ({ query }) => withErrorResponses(search(query)),
          getSite: ({ params }) => withErrorResponses(site(params.id)),
          listArticles: ({ params, query }) =>
            withErrorResponses(articles(params.id, query.limit ?? PAGE_SIZE, query.cursor))
        })
      )
    )
  })
)
