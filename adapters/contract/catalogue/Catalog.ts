// The catalogue: the search and its page of sites, and one site with every metric, price and format.
import { Schema } from "effect"
import { foldText, LinkRel, type Measured, type Site, Sort } from "#core/domain/catalogue/Catalogue.ts"
import { type ShelfTurnaround, turnaroundDays } from "#core/domain/catalogue/Turnaround.ts"
import { Format } from "#core/domain/pricing/Cart.ts"
import type { Tier2Prices } from "#core/domain/pricing/Pricing.ts"
import { SHELVES, Shelf, shelfTerms, sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { Count, Eur, eurOfCents, integer } from "../schema/Amount.ts"
import { SiteDomain } from "../schema/AnswerIds.ts"
import { domainName } from "../schema/DomainName.ts"
import { Cursor, Limit, NextCursor } from "../schema/Paging.ts"
import { queryBoolean, queryCodes, queryEur, queryInt, queryList } from "../schema/QueryValue.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, line, MAX_TEXT, text, timestamp } from "../schema/Text.ts"
import { MeasuredRecord, showMeasured } from "./SiteStatistics.ts"

const NicheLabel = Schema.String.annotate({ description: "What the site writes about.", examples: ["Gardening"] })
const Language = Schema.String.annotate({ description: "ISO 639-1 code.", examples: ["fr"] })

const ShelfName = Shelf.annotate({ description: "Price tier." })

/** Advice when nothing matches; the end of a sentence. */
export const WIDEN_SEARCH =
  "try the niches and languages of `hint`, look for a part of a niche with `query`, or leave out filters one by one"

/** A query of spaces or accents alone would match every site as if it were a filter. */
const notBlank = Schema.makeFilter<string>((text) => foldText(text) !== "", {
  message: "Must hold more than spaces and accents; leave it out to see every site.",
  toJsonSchema: () => ({ pattern: "\\S" })
})

export const CatalogQuery = Schema.Struct({
  niche: Schema.optionalKey(
    queryList(text(1)).annotate({
      description:
        "Only sites whose `niche_label` is one of these, ignoring case and accents. For part of a word use `query`.",
      examples: [["Gardening"]]
    })
  ),
  shelf: Schema.optionalKey(queryCodes("Only sites of these price tiers.", Shelf)),
  query: Schema.optionalKey(
    text(1).check(notBlank).annotate({
      description: "Text to be found in the domain or the niche, ignoring case, accents and outer spaces."
    })
  ),
  language: Schema.optionalKey(
    queryCodes("Only sites in one of these languages: ISO 639-1 codes, such as `fr`.", text(1, 35))
  ),
  link_rel: Schema.optionalKey(LinkRel.annotate({ description: "Only sites with such links." })),
  not_linking_to: Schema.optionalKey(
    domainName(
      "Without sites on which this account has a link, or a quote that awaits payment, to this domain or a name below it."
    )
  ),
  min_tf: Schema.optionalKey(queryInt("Only sites with at least this `tf`.", 0, 100)),
  min_traffic: Schema.optionalKey(queryInt("Only sites with at least this `traffic_monthly`.", 0)),
  min_cf: Schema.optionalKey(queryInt("Only sites with at least this `cf`.", 0, 100)),
  min_rd: Schema.optionalKey(queryInt("Only sites with at least this `rd`.", 0)),
  min_moz_da: Schema.optionalKey(queryInt("Only sites with at least this `moz_da`.", 0, 100)),
  min_ranked_keywords: Schema.optionalKey(queryInt("Only sites with at least this `ranked_keywords`.", 0)),
  has_articles: Schema.optionalKey(
    queryBoolean("Only sites with an article that takes a link now; `false`: only those without.")
  ),
  article_query: Schema.optionalKey(
    line(1, MAX_TEXT).check(notBlank).annotate({
      description:
        "Only sites with such an article that ranks for a query with this text in it, ignoring case and accents."
    })
  ),
  max_price_eur: Schema.optionalKey(
    queryEur("Only sites that cost at most this many euros, with two decimals at most.")
  ),
  max_turnaround_days: Schema.optionalKey(queryInt("Only sites with at most these `turnaround_days`.", 0)),
  sort: Schema.optionalKey(
    Sort.annotate({
      description: "`id` unless told; `price` is cheapest first; `-tf` and `-traffic` are strongest first."
    })
  ),
  limit: Schema.optionalKey(Limit),
  offset: Schema.optionalKey(
    queryInt("How many matches to skip. Not together with `cursor`, which is quicker and never skips or repeats.", 0)
  ),
  cursor: Schema.optionalKey(Cursor)
}).check(
  Schema.makeFilter(
    ({ offset, cursor }) =>
      offset === undefined || cursor === undefined
        ? undefined
        : { path: ["cursor"], issue: "Send either cursor or offset, not both." },
    { toJsonSchema: () => [{}, true] }
  )
)
export type CatalogQuery = typeof CatalogQuery.Type

const siteFields = {
  id: integer(1).annotate({ description: "What `site_id` of an order item refers to." }),
  domain: SiteDomain,
  niche_label: NicheLabel,
  language: Language,
  tf: integer(0, 100).annotate({ description: "Trust Flow, 0 to 100: the authority metric to compare sites by." }),
  traffic_monthly: integer(0).annotate({ description: "Estimated organic visits a month." }),
  price_eur: Eur.annotate({
    description: "Price of one link on this site in euros, before tier-2 packs and discounts."
  }),
  price_shelf: ShelfName,
  link_rel: LinkRel.annotate({
    description: "What the site's links tell search engines; `dofollow` passes authority."
  }),
  turnaround_days: Count.annotate({ description: "Days from an order to its link online." })
}

export const SiteRecord = Schema.Struct(siteFields).annotate({
  identifier: "Site",
  description: "A site of the network on which a link can be ordered."
})
export type SiteRecord = typeof SiteRecord.Type

export const ShelfRecord = Schema.Struct({
  shelf: ShelfName,
  price_eur: Eur.annotate({
    description: "What a link on any of its sites costs, euros, before tier-2 packs and discounts."
  }),
  criterion: Schema.String.annotate({ description: "What puts a site on this shelf." })
}).annotate({ identifier: "Shelf", description: "A price tier: every site on it costs the same." })

export const CatalogPage = Schema.Struct({
  ok: Ok,
  count: Count.annotate({ description: "Sites in this page." }),
  total: Count.annotate({ description: "Sites that match, on all pages." }),
  sites: Schema.Array(SiteRecord).annotate({ description: "The sites of this page, as `sort` has them." }),
  shelves: Schema.Array(ShelfRecord).annotate({ description: "The three price tiers, whatever matches." }),
  hint: Schema.optionalKey(
    Schema.Struct({
      niches: Schema.Array(NicheLabel).annotate({ description: "Values for `niche`." }),
      languages: Schema.Array(Language).annotate({ description: "Values for `language`." })
    }).annotate({
      description:
        "Only without a match, absent otherwise: the niches and languages that come nearest, or are the most common."
    })
  ),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "CatalogPage", description: "A page of matching sites, and the three price tiers." })
export type CatalogPage = typeof CatalogPage.Type

export const FullSite = Schema.Struct({
  ...siteFields,
  cf: integer(0, 100).annotate({ description: "Citation Flow, 0 to 100." }),
  rd: integer(0).annotate({ description: "Referring domains." }),
  moz_da: integer(0, 100).annotate({ description: "Moz Domain Authority, 0 to 100." }),
  ranked_keywords: integer(0).annotate({ description: "Queries for which the site ranks." }),
  formats: Schema.Array(
    Schema.Struct({
      format: Format.annotate({ description: "What `format` of an order item takes." }),
      price_eur: Eur.annotate({ description: "From this price, euros, before tier-2 packs and discounts." })
    })
  ).annotate({
    description:
      "What can be ordered here now. `insertion` needs an `article_id` from the site's articles, of which each has its own price."
  }),
  tier2_prices_eur: Schema.Struct({
    "1": Eur.annotate({ description: "Of a pack of 1, euros." }),
    "3": Eur.annotate({ description: "Of a pack of 3, euros." }),
    "5": Eur.annotate({ description: "Of a pack of 5, euros." })
  }).annotate({
    description: "What a pack of 1, 3 or 5 tier-2 links adds to a line."
  }),
  articles_available: Count.annotate({
    description: "Existing articles that take an insertion now; none while the site takes no orders."
  }),
  shelf_criterion: Schema.String.annotate({ description: "What puts the site on its shelf." }),
  updated_at: at("When its data were last imported."),
  measured: Schema.NullOr(MeasuredRecord).annotate({
    description: "What this service's own orders say of the site; `null` without orders."
  })
}).annotate({ identifier: "FullSite", description: "A site with every metric, price and format." })
export type FullSite = typeof FullSite.Type

export const SiteResponse = Schema.Struct({ ok: Ok, site: FullSite, sandbox: Sandbox }).annotate({
  identifier: "SiteAnswer",
  description: "One site in full."
})
export type SiteResponse = typeof SiteResponse.Type

export const showSite = (site: Site, turnaround: ShelfTurnaround): SiteRecord => ({
  id: site.siteId,
  domain: site.domain,
  niche_label: site.nicheLabel,
  language: site.language,
  tf: site.tf,
  traffic_monthly: site.trafficMonthly,
  price_eur: eurOfCents(sitePriceCents(site)),
  price_shelf: site.shelf,
  link_rel: site.linkRel,
  turnaround_days: turnaroundDays(site, turnaround)
})

export const showShelves: CatalogPage["shelves"] = SHELVES.map(({ shelf, priceCents, criterion }) => ({
  shelf,
  price_eur: eurOfCents(priceCents),
  criterion
}))

/** None for a closed site; `insertion` only while an article is available. */
const showFormats = (site: Site, articlesAvailable: number): FullSite["formats"] => {
  const price_eur = eurOfCents(sitePriceCents(site))
  const insertion = articlesAvailable > 0 ? [{ format: "insertion" as const, price_eur }] : []
  return site.open ? [{ format: "new_article", price_eur }, ...insertion] : []
}

/** What every site has by the shop's settings. */
export interface SiteTerms {
  readonly tier2PricesCents: Tier2Prices
  readonly turnaroundDays: ShelfTurnaround
}

export const showFullSite = (
  details: { readonly site: Site; readonly articlesAvailable: number; readonly measured: Measured | null },
  { tier2PricesCents: tier2, turnaroundDays }: SiteTerms
): FullSite => {
  const { site, articlesAvailable, measured } = details
  return {
    ...showSite(site, turnaroundDays),
    cf: site.cf,
    rd: site.rd,
    moz_da: site.mozDa,
    ranked_keywords: site.rankedKeywords,
    formats: showFormats(site, articlesAvailable),
    tier2_prices_eur: { "1": eurOfCents(tier2[1]), "3": eurOfCents(tier2[3]), "5": eurOfCents(tier2[5]) },
    articles_available: articlesAvailable,
    shelf_criterion: shelfTerms(site.shelf).criterion,
    updated_at: timestamp(site.updatedAtMs),
    measured: showMeasured(measured)
  }
}
