// The tools of the catalogue: search, one site, its articles.
import { Schema } from "effect"
import { CatalogQuery, WIDEN_SEARCH } from "#adapters/contract/catalogue/Catalog.ts"
import { PAGE_SIZE, PageQuery } from "#adapters/contract/schema/Paging.ts"
import { queryInt } from "#adapters/contract/schema/QueryValue.ts"
import { readTool } from "./Tool.ts"

const site_id = queryInt("`id` of a site, from search_sites.", 1)

export const searchSites = readTool({
  name: "search_sites",
  title: "Search sites that sell backlinks",
  description: [
    "Finds sites on which a link can be bought, with price and authority metrics.",
    "Use it first whenever the user wants backlinks: filter by niche, language, price tier (`shelf`), price or metrics, and sort.",
    "Free; nothing is reserved.",
    "Answers one page; `total` is how many match. Pass `next_cursor` as `cursor`, with the same filters, for the next page.",
    `If \`total\` is 0, ${WIDEN_SEARCH}, and tell the user what you left out.`,
    "Tell the user domain, niche, language, `tf`, monthly traffic and price in euros of the sites you propose."
  ],
  othersTexts: ["domain", "niche_label"],
  input: CatalogQuery,
  operation: "searchSites",
  pageSize: PAGE_SIZE
})

export const getSite = readTool({
  name: "get_site",
  title: "Read one site in full",
  description: [
    "Reads every metric of one site, the price of each format and tier-2 pack, whether links are dofollow, and how orders on it went so far.",
    "Use it before you propose a site that search_sites found. Free.",
    "Tell the user its metrics and what each format costs. If `formats` is empty, the site takes no orders at present: propose another one."
  ],
  othersTexts: ["domain", "niche_label"],
  input: Schema.Struct({ site_id }),
  operation: "getSite",
  idArgument: "site_id"
})

export const listSiteArticles = readTool({
  name: "list_site_articles",
  title: "List articles that take an inserted link",
  description: [
    "Lists articles already online on a site into which a link can be inserted, with the queries they rank for and their price.",
    'Use it when the user prefers a link in an existing, ranking page. Put `article_id` into an item of create_order with `format: "insertion"`.',
    "Free; nothing is reserved. Each article is sold once, so one listed here may be gone when you order.",
    "If there are none, propose a new article on the site, or another site: `articles_available` of get_site counts them.",
    "A page that would be too long has fewer than `limit` entries; `next_cursor` goes on behind it."
  ],
  othersTexts: ["title", "url", "query"],
  input: Schema.Struct({ site_id, ...PageQuery.fields }),
  operation: "listArticles",
  idArgument: "site_id",
  pageSize: PAGE_SIZE
})
