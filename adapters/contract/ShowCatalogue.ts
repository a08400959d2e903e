// Sites and articles as the wire has them.
import { type Article, MAX_KEYWORDS, type Measured, type Site, sitePriceCents } from "#core/domain/Catalogue.ts"
import { linePriceCents, type Tier2Prices } from "#core/domain/Pricing.ts"
import { SHELVES, shelfTerms } from "#core/domain/Shelf.ts"
import { eurOfCents } from "./Amount.ts"
import type { ArticleRecord } from "./Articles.ts"
import type { CatalogPage, FullSite, SiteRecord } from "./Catalog.ts"
import { timestamp } from "./Text.ts"

export const showSite = (site: Site): SiteRecord => ({
  id: site.siteId,
  domain: site.domain,
  niche_label: site.nicheLabel,
  language: site.language,
  tf: site.tf,
  traffic_monthly: site.trafficMonthly,
  price_eur: eurOfCents(sitePriceCents(site)),
  price_shelf: site.shelf
})

export const showShelves: CatalogPage["shelves"] = SHELVES.map(({ shelf, priceCents, criterion }) => ({
  shelf,
  price_eur: eurOfCents(priceCents),
  criterion
}))

const showMeasured = (measured: Measured | null): FullSite["measured"] =>
  measured === null
    ? null
    : {
        orders: measured.orders,
        median_days_to_publish: measured.medianDaysToPublish,
        still_live_ratio: measured.stillLiveRatio
      }

/** A closed site offers no format; an insertion is offered while an article can take one. */
const showFormats = (site: Site, articlesAvailable: number): FullSite["formats"] => {
  const price_eur = eurOfCents(sitePriceCents(site))
  const insertion = articlesAvailable > 0 ? [{ format: "insertion" as const, price_eur }] : []
  return site.open ? [{ format: "new_article", price_eur }, ...insertion] : []
}

export const showFullSite = (
  details: { readonly site: Site; readonly articlesAvailable: number; readonly measured: Measured | null },
  tier2: Tier2Prices
): FullSite => {
  const { site, articlesAvailable, measured } = details
  return {
    ...showSite(site),
    cf: site.cf,
    rd: site.rd,
    moz_da: site.mozDa,
    ranked_keywords: site.rankedKeywords,
    formats: showFormats(site, articlesAvailable),
    tier2_prices_eur: { "1": eurOfCents(tier2[1]), "3": eurOfCents(tier2[3]), "5": eurOfCents(tier2[5]) },
    link_rel: site.linkRel,
    articles_available: articlesAvailable,
    shelf_criterion: shelfTerms(site.shelf).criterion,
    updated_at: timestamp(site.updatedAtMs),
    measured: showMeasured(measured)
  }
}

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
