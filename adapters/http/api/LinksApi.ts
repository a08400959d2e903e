// Endpoints of links: the list over all orders, and the same as a file.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { LinkList, LinksCsvQuery, LinksQuery } from "#adapters/contract/ordering/Links.ts"
import { describe, errorsOf } from "./EndpointDescription.ts"

const listLinks = HttpApiEndpoint.get("listLinks", "/links", {
  query: LinksQuery,
  success: LinkList,
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "List links over all orders",
    "Flat, those of the newest order first: of this key, or of the whole account with `scope=account`. Filter by what orders are filtered by, and by the status of each link."
  )
)

const downloadLinks = HttpApiEndpoint.get("downloadLinks", "/links.csv", {
  query: LinksCsvQuery,
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
  error: errorsOf()
}).annotateMerge(
  describe(
    "read",
    "Download links as CSV",
    "All that `GET /api/v1/agent/links` lists with the same filters, one a line, in UTF-8, with the names of its members in the first line."
  )
)

export class LinksApi extends HttpApiGroup.make("links")
  .add(listLinks, downloadLinks)
  .annotateMerge(OpenApi.annotations({ title: "Links", description: "Every link that was bought, one by one." })) {}
