// Operations of the catalogue: search, one site, its articles.
import { Effect, Schema } from "effect"
import { showArticle } from "#adapters/contract/catalogue/Articles.ts"
import {
  type CatalogPage,
  type CatalogQuery,
  showFullSite,
  showShelves,
  showSite
} from "#adapters/contract/catalogue/Catalog.ts"
import { asksForArticles, readSearch } from "#adapters/contract/catalogue/CatalogSearch.ts"
import { showFacets } from "#adapters/contract/catalogue/Facets.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { BrowseCatalogue } from "#core/usecases/catalogue/BrowseCatalogue.ts"
import type { CatalogApi } from "../api/CatalogApi.ts"
import { keptResponses, taggedResponse } from "./KeptResponses.ts"
import type { OperationsOf } from "./Operation.ts"

const articleCursor = pageCursor("articles", Schema.Int)

/** The largest and most frequent body: checked at compile time only, not encoded field by field at run time. */
const searchPage = Effect.fnUntraced(function* (
  catalogue: BrowseCatalogue["Service"],
  { accountId, mode }: Pick<Caller, "accountId" | "mode">,
  query: CatalogQuery
) {
  const { search, domain, cursorOf } = yield* Effect.fromResult(readSearch(query))
  const { sites, total, next } = yield* catalogue.search({
    ...search,
    ...(domain === undefined ? {} : { notLinking: { accountId, mode, domain } })
  })
  const page: CatalogPage = {
    ok: true,
    count: sites.length,
    total,
    sites: sites.map((site) => showSite(site, catalogue.turnaroundDays)),
    shelves: showShelves,
    ...(total > 0 ? {} : { hint: yield* catalogue.hint(search.filter) }),
    ...(next === null ? {} : { next_cursor: cursorOf(next) }),
    sandbox: mode === "sandbox"
  }
  return page
})

const operationsOf = (catalogue: BrowseCatalogue["Service"]): OperationsOf<typeof CatalogApi> => {
  const respond = keptResponses(catalogue.version)
  return {
    searchSites: ({ accountId, mode }, { query }) => {
      const page = searchPage(catalogue, { accountId, mode }, query)
      // The sites that it leaves out change with the account's orders, and articles are sold.
      return query.not_linking_to === undefined && !asksForArticles(query)
        ? respond(`sites ${mode} ${JSON.stringify(query)}`, page)
        : Effect.map(page, taggedResponse)
    },

    getFacets: ({ mode }) =>
      respond(
        `facets ${mode}`,
        Effect.map(catalogue.facets, (facets) => showFacets(facets, mode === "sandbox"))
      ),

    getSite: Effect.fnUntraced(function* ({ mode }, { params }) {
      const site = showFullSite(yield* catalogue.site(params.id), catalogue)
      return { ok: true, site, sandbox: mode === "sandbox" }
    }),

    listArticles: Effect.fnUntraced(function* ({ mode }, { params, query: { limit = PAGE_SIZE, cursor } }) {
      const filters = { siteId: params.id }
      const afterId = yield* Effect.fromResult(articleCursor.begin(filters, cursor))
      const { articles, nextAfterId, site } = yield* catalogue.articles({ ...filters, limit, afterId })
      return {
        ok: true,
        count: articles.length,
        articles: articles.map((article) => showArticle(article, site, catalogue.tier2PricesCents)),
        ...articleCursor.next(filters, nextAfterId),
        sandbox: mode === "sandbox"
      }
    })
  }
}

export const catalogOperations = Effect.map(BrowseCatalogue, operationsOf)
