// Endpoints of the catalogue: search, one site, its articles.
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ArticlesPage } from "#adapters/contract/catalogue/Articles.ts"
import { CatalogPage, CatalogQuery, SiteResponse, WIDEN_SEARCH } from "#adapters/contract/catalogue/Catalog.ts"
import { FacetsResponse } from "#adapters/contract/catalogue/Facets.ts"
import { PageQuery } from "#adapters/contract/schema/Paging.ts"
import { queryInt } from "#adapters/contract/schema/QueryValue.ts"
import { describe, errorsOf, PATH_ERRORS } from "./EndpointDescription.ts"

const params = { id: queryInt("`id` of a site.", 1) }

const searchSites = HttpApiEndpoint.get("searchSites", "/catalog", {
  query: CatalogQuery,
  success: CatalogPage,
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "Search the sites on which links can be bought",
    "Start here: filter by niche, language, price or metrics, and compare the sites.",
    `Page with next_cursor. If \`total\` is 0, ${WIDEN_SEARCH}.`
  )
)

const getFacets = HttpApiEndpoint.get("getFacets", "/catalog/facets", {
  success: FacetsResponse,
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "List what sites can be filtered by",
    "Niches, languages, price tiers and link types, each with the number of open sites, the most common first."
  )
)

const getSite = HttpApiEndpoint.get("getSite", "/catalog/:id", {
  params,
  success: SiteResponse,
  error: errorsOf("site_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "read",
    "Read one site in full",
    "Every metric, the prices of each format and tier-2 pack, and what the service's own orders say of the site."
  )
)

const listArticles = HttpApiEndpoint.get("listArticles", "/catalog/:id/articles", {
  params,
  query: PageQuery,
  success: ArticlesPage,
  error: errorsOf("site_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "read",
    "List a site's articles that take an inserted link",
    "Each article takes one link, once; only those neither sold nor reserved are listed."
  )
)

export class CatalogApi extends HttpApiGroup.make("catalog")
  .add(searchSites, getFacets, getSite, listArticles)
  .annotateMerge(
    OpenApi.annotations({
      title: "Catalogue",
      description: "Find the sites and articles on which links can be bought."
    })
  ) {}
