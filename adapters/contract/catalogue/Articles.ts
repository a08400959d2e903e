// Existing articles of a site; each takes one inserted link, once.
import { Schema } from "effect"
import { type Article, MAX_KEYWORDS, type Site } from "#core/domain/catalogue/Catalogue.ts"
import { linePriceCents, type Tier2Prices } from "#core/domain/pricing/Pricing.ts"
import { Eur, eurOfCents, integer, measure, PageCount } from "../schema/Amount.ts"
import { NextCursor } from "../schema/Paging.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, timestamp } from "../schema/Text.ts"

export const ArticleRecord = Schema.Struct({
  article_id: integer(1).annotate({ description: 'Goes into an order item with `format: "insertion"`.' }),
  title: Schema.String.annotate({ description: "Its headline." }),
  url: Schema.String.annotate({ description: "Where it is online." }),
  published_at: at("When it went online."),
  keywords: Schema.Array(
    Schema.Struct({
      query: Schema.String.annotate({ description: "What people search for." }),
      position: measure(0).annotate({ description: "Average position in search results; 1 is the top." }),
      impressions: integer(0).annotate({ description: "How often the article was shown for it, a month." })
    })
  ).annotate({ description: "At most 10 queries for which the article ranks." }),
  price_eur: Eur.annotate({ description: "Price of an insertion into this article in euros." })
}).annotate({ identifier: "Article", description: "An article already online that still takes one inserted link." })
export type ArticleRecord = typeof ArticleRecord.Type

export const ArticlesPage = Schema.Struct({
  ok: Ok,
  count: PageCount,
  articles: Schema.Array(ArticleRecord).annotate({
    description: "Only articles neither sold nor reserved; none while the site takes no orders."
  }),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "ArticlesPage", description: "Articles of a site that can be bought into now." })
export type ArticlesPage = typeof ArticlesPage.Type

export const showArticle = (article: Article, site: Site, tier2: Tier2Prices): ArticleRecord => ({
  article_id: article.articleId,
  title: article.title,
  url: article.url,
  published_at: timestamp(article.publishedAtMs),
  keywords: article.keywords
    .slice(0, MAX_KEYWORDS)
    .map(({ query, position, impressions }) => ({ query, position, impressions })),
  price_eur: eurOfCents(linePriceCents({ tier2Links: 0 }, site, article, tier2))
})
