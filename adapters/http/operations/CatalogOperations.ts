// Operations of the catalogue: search, one site, its articles.
import { Effect, Result, Schema } from "effect"
import { showArticle } from "#adapters/contract/Articles.ts"
import { type CatalogPage, type CatalogQuery, showFullSite, showShelves, showSite } from "#adapters/contract/Catalog.ts"
import { showFacets } from "#adapters/contract/Facets.ts"
import { centsOfEur } from "#adapters/contract/schema/Amount.ts"
import { hostOf } from "#adapters/contract/schema/DomainName.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import type { Caller } from "#core/domain/ApiKey.ts"
import type { PageStart, SiteFilter, SortKey } from "#core/domain/Catalogue.ts"
import type { CursorInvalid } from "#core/domain/Refusal.ts"
import { BrowseCatalogue } from "#core/usecases/BrowseCatalogue.ts"
import type { CatalogApi } from "../api/CatalogApi.ts"
import { keptResponses, taggedResponse } from "./KeptResponses.ts"
import type { OperationsOf } from "./Operation.ts"

const siteCursor = pageCursor<SortKey, unknown>("sites", Schema.Struct({ rank: Schema.Finite, siteId: Schema.Int }))
const articleCursor = pageCursor("articles", Schema.Int)

/** Without order and repetition, which change nothing, so that a cursor stays good. */
const asSet = <Value extends string>(values: ReadonlyArray<Value>): ReadonlyArray<Value> => [...new Set(values)].sort()

const readFilter = (query: CatalogQuery): SiteFilter => ({
  ...(query.niche === undefined ? {} : { niches: asSet(query.niche) }),
  ...(query.shelf === undefined ? {} : { shelves: asSet(query.shelf) }),
  ...(query.query === undefined ? {} : { query: query.query }),
  ...(query.language === undefined ? {} : { languages: asSet(query.language) }),
  ...(query.link_rel === undefined ? {} : { linkRel: query.link_rel }),
  ...(query.min_tf === undefined ? {} : { minTf: query.min_tf }),
  ...(query.min_traffic === undefined ? {} : { minTraffic: query.min_traffic }),
  ...(query.max_price_eur === undefined ? {} : { maxPriceCents: centsOfEur(query.max_price_eur) })
})

/** What a cursor is bound to. */
const filtersOf = (filter: SiteFilter, notLinkingTo: string | undefined, sort: string) => ({
  filter: { ...filter, ...(notLinkingTo === undefined ? {} : { notLinkingTo }) },
  sort
})

const readStart = (
  { cursor, offset }: CatalogQuery,
  filters: ReturnType<typeof filtersOf>
): Result.Result<PageStart, CursorInvalid> =>
  cursor === undefined
    ? Result.succeed({ kind: "offset", offset: offset ?? 0 })
    : Result.map(siteCursor.read(filters, cursor), (sortKey) => ({ kind: "after", sortKey }))

/** The largest and most frequent body: checked at compile time only, not encoded field by field at run time. */
const searchPage = Effect.fnUntraced(function* (
  catalogue: BrowseCatalogue["Service"],
  { accountId, mode }: Pick<Caller, "accountId" | "mode">,
  query: CatalogQuery
) {
  const { sort = "id", limit = PAGE_SIZE } = query
  const filter = readFilter(query)
  const domain = query.not_linking_to === undefined ? undefined : hostOf(query.not_linking_to)
  const filters = filtersOf(filter, domain, sort)
  const start = yield* Effect.fromResult(readStart(query, filters))
  const { sites, total, next } = yield* catalogue.search({
    ...{ filter, sort, start, limit },
    ...(domain === undefined ? {} : { notLinking: { accountId, mode, domain } })
  })
  const page: CatalogPage = {
    ok: true,
    count: sites.length,
    total,
    sites: sites.map(showSite),
    shelves: showShelves,
    ...(total > 0 ? {} : { hint: yield* catalogue.hint(filter) }),
    ...(next === null ? {} : { next_cursor: siteCursor.write(filters, next) }),
    sandbox: mode === "sandbox"
  }
  return page
})

const operationsOf = (catalogue: BrowseCatalogue["Service"]): OperationsOf<typeof CatalogApi> => {
  const respond = keptResponses(catalogue.version)
  return {
    searchSites: ({ accountId, mode }, { query }) => {
      const page = searchPage(catalogue, { accountId, mode }, query)
      // The sites that it leaves out change with the account's orders.
      return query.not_linking_to === undefined
        ? respond(`sites ${mode} ${JSON.stringify(query)}`, page)
        : Effect.map(page, taggedResponse)
    },

    getFacets: ({ mode }) =>
      respond(
        `facets ${mode}`,
        Effect.map(catalogue.facets, (facets) => showFacets(facets, mode === "sandbox"))
      ),

    getSite: Effect.fnUntraced(function* ({ mode }, { params }) {
      const site = showFullSite(yield* catalogue.site(params.id), catalogue.tier2PricesCents)
      return { ok: true, site, sandbox: mode === "sandbox" }
    }),

    listArticles: Effect.fnUntraced(function* ({ mode }, { params, query: { limit = PAGE_SIZE, cursor } }) {
      const filters = { siteId: params.id }
      const afterId = cursor === undefined ? null : yield* Effect.fromResult(articleCursor.read(filters, cursor))
      const { articles, nextAfterId, site } = yield* catalogue.articles({ ...filters, limit, afterId })
      return {
        ok: true,
        count: articles.length,
        articles: articles.map((article) => showArticle(article, site, catalogue.tier2PricesCents)),
        ...(nextAfterId === null ? {} : { next_cursor: articleCursor.write(filters, nextAfterId) }),
        sandbox: mode === "sandbox"
      }
    })
  }
}

export const catalogOperations = Effect.map(BrowseCatalogue, operationsOf)
