// Existing articles of a site, each of which takes one inserted link, once (contract §4).
import { Schema } from "effect"
import { Count, Eur } from "./Amount.ts"
import { Limit } from "./Catalog.ts"
import { Ok, Sandbox } from "./Envelope.ts"
import { Cursor, NextCursor, Timestamp } from "./Text.ts"

export const ArticlesQuery = Schema.Struct({
  limit: Schema.optionalKey(Limit),
  cursor: Schema.optionalKey(Cursor)
})
export type ArticlesQuery = typeof ArticlesQuery.Type

export const ArticleRecord = Schema.Struct({
  article_id: Schema.Int.annotate({ description: 'Goes into an order item with `format: "insertion"`.' }),
  title: Schema.String,
  url: Schema.String,
  published_at: Timestamp,
  keywords: Schema.Array(
    Schema.Struct({
      query: Schema.String,
      position: Schema.Finite.annotate({ description: "Average position in search results; 1 is the top." }),
      impressions: Schema.Int.annotate({ description: "A month." })
    })
  ).annotate({ description: "At most 10 queries for which the article ranks." }),
  price_eur: Eur.annotate({ description: "Price of an insertion into this article in euros." })
}).annotate({ identifier: "Article", description: "An article already online that still takes one inserted link." })
export type ArticleRecord = typeof ArticleRecord.Type

export const ArticlesPage = Schema.Struct({
  ok: Ok,
  count: Count,
  articles: Schema.Array(ArticleRecord).annotate({
    description: "Only articles neither sold nor reserved; none while the site takes no orders."
  }),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "ArticlesPage", description: "Articles of a site that can be bought into now." })
export type ArticlesPage = typeof ArticlesPage.Type
