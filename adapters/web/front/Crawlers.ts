// `/robots.txt` and `/sitemap.xml`, where search engines may list the pages for everyone: which pages there are, and which are for members.
import { Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"
import { type FrontOptions, SITES } from "./FrontPage.ts"

const ROBOTS = "/robots.txt"
const SITEMAP = "/sitemap.xml"

type CrawlerOptions = Pick<FrontOptions, "publicUrl" | "indexed">

export const crawlerRoutes = ({ indexed }: CrawlerOptions): ReadonlyArray<ServedRoute> =>
  indexed
    ? [
        { method: "GET", path: ROBOTS },
        { method: "GET", path: SITEMAP }
      ]
    : []

const robots = (publicUrl: string): string => `User-agent: *
Disallow: /account
Disallow: /oauth/
Disallow: /pay/
Disallow: /api/

Sitemap: ${publicUrl}${SITEMAP}
`

/** `PUBLIC_URL` is an origin, which holds nothing that XML would read as markup. */
const sitemap = (publicUrl: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${["/", SITES].map((path) => `<url><loc>${publicUrl}${path}</loc></url>`).join("\n")}
</urlset>
`

export const layer = ({ publicUrl, indexed }: CrawlerOptions) =>
  indexed
    ? Layer.merge(
        HttpRouter.add("GET", ROBOTS, HttpServerResponse.text(robots(publicUrl))),
        HttpRouter.add("GET", SITEMAP, HttpServerResponse.text(sitemap(publicUrl), { contentType: "application/xml" }))
      )
    : Layer.empty
