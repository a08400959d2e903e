// Endpoints of the catalogue: search, one site, its articles.
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ArticlesPage, ArticlesQuery } from "#adapters/contract/Articles.ts"
import { CatalogPage, CatalogQuery, SiteAnswer, WIDEN } from "#adapters/contract/Catalog.ts"
import { queryInt } from "#adapters/contract/QueryValue.ts"
import { failures, operation, PATH_FAULTS } from "./Operation.ts"

const params = { id: queryInt("`id` of a site.", 1) }

const searchSites = HttpApiEndpoint.get("searchSites", "/catalog", {
  query: CatalogQuery,
  success: CatalogPage,
  error: failures()
}).annotateMerge(
  operation(
    "searchSites",
    "read",
    "Search the sites on which links can be bought",
    "Start here: filter by niche, language, price or metrics, and compare the sites.",
    `Page with next_cursor. If \`total\` is 0, ${WIDEN}.`
  )
)

const getSite = HttpApiEndpoint.get("getSite", "/catalog/:id", {
  params,
  success: SiteAnswer,
  error: failures("site_not_found", ...PATH_FAULTS)
}).annotateMerge(
  operation(
    "getSite",
    "read",
    "Read one site in full",
    "Every metric, the prices of each format and tier-2 pack, and what the service's own orders say of the site."
  )
)

const listArticles = HttpApiEndpoint.get("listArticles", "/catalog/:id/articles", {
  params,
  query: ArticlesQuery,
  success: ArticlesPage,
  error: failures("site_not_found", ...PATH_FAULTS)
}).annotateMerge(
  operation(
    "listArticles",
    "read",
    "List a site's articles that take an inserted link",
    "Each article takes one link, once; only those neither sold nor reserved are listed."
  )
)

export class CatalogApi extends HttpApiGroup.make("catalog")
  .add(searchSites, getSite, listArticles)
  .annotateMerge(
    OpenApi.annotations({
      title: "Catalogue",
      description: "Find the sites and articles on which links can be bought."
    })
  ) {}
