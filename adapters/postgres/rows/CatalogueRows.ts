// Rows of the catalogue (sites, articles, promotions, projects, opportunities), and their conversion to and from the domain.
import { HashSet, Schema } from "effect"
import {
  type Article,
  type ArticleState,
  foldText,
  LinkRel,
  type Site,
  sitePriceCents
} from "#core/domain/Catalogue.ts"
import type { Promo, Reduction } from "#core/domain/Promo.ts"
import { Shelf } from "#core/domain/Shelf.ts"
import { Integer, integerOrNull, Text, table, textOrNull, versionField } from "./Table.ts"

const site = {
  siteId: Integer,
  domain: Text,
  nicheLabel: Text,
  language: Text,
  tf: Integer,
  cf: Integer,
  rd: Integer,
  mozDa: Integer,
  rankedKeywords: Integer,
  trafficMonthly: Integer,
  shelf: Shelf,
  linkRel: LinkRel,
  open: Schema.Boolean,
  updatedAtMs: Integer
}

export const sites = table(site)
export const versionedSites = table({ ...versionField, ...site })

/** With the columns that the catalogue filters and sorts by. */
const indexedSites = table({
  ...site,
  priceCents: Integer,
  domainFolded: Text,
  nicheFolded: Text,
  languageFolded: Text
})

export const siteRow = (one: Site) =>
  indexedSites.row({
    ...one,
    priceCents: sitePriceCents(one),
    domainFolded: foldText(one.domain),
    nicheFolded: foldText(one.nicheLabel),
    languageFolded: one.language.toLowerCase()
  })

const article = {
  articleId: Integer,
  siteId: Integer,
  title: Text,
  url: Text,
  publishedAtMs: Integer,
  keywords: Schema.Array(Schema.Struct({ query: Text, position: Schema.Finite, impressions: Schema.Finite })),
  priceCents: integerOrNull,
  saleState: Schema.Literals(["free", "reserved", "sold"]),
  saleQuoteId: textOrNull,
  saleUntilMs: integerOrNull
}

export const articles = table(article)
export const versionedArticles = table({ ...versionField, ...article })
type ArticleRow = typeof articles.schema.Type

/** A check of the table keeps the three columns consistent. */
const saleOf = ({ saleState, saleQuoteId, saleUntilMs }: ArticleRow): ArticleState => {
  const quoteId = saleQuoteId ?? ""
  switch (saleState) {
    case "free":
      return { state: "free" }
    case "reserved":
      return { state: "reserved", quoteId, untilMs: saleUntilMs ?? 0 }
    case "sold":
      return { state: "sold", quoteId }
  }
}

export const articleOf = (row: ArticleRow): Article => {
  const { articleId, siteId, title, url, publishedAtMs, keywords, priceCents } = row
  return { articleId, siteId, title, url, publishedAtMs, keywords, priceCents, sale: saleOf(row) }
}

export const articleRow = ({ sale, ...article }: Article) =>
  articles.row({
    ...article,
    saleState: sale.state,
    saleQuoteId: sale.state === "free" ? null : sale.quoteId,
    saleUntilMs: sale.state === "reserved" ? sale.untilMs : null
  })

export const promos = table({
  ...versionField,
  code: Text,
  reductionKind: Schema.Literals(["percent", "fixed"]),
  /** Basis points or cents. */
  reductionValue: Integer,
  minimumCents: integerOrNull,
  startsAtMs: integerOrNull,
  endsAtMs: integerOrNull,
  maxRedemptions: integerOrNull,
  oncePerAccount: Schema.Boolean,
  /** Counted only while redemptions are limited. */
  redeemed: Integer
})

export const reductionOf = ({
  reductionKind,
  reductionValue
}: Pick<typeof promos.schema.Type, "reductionKind" | "reductionValue">): Reduction =>
  reductionKind === "percent"
    ? { kind: "percent", basisPoints: reductionValue }
    : { kind: "fixed", cents: reductionValue }

/**
 * A promotion as one account sees it: whether the account has redeemed it, and its reservations (`null` if uses are not limited). Other
 * accounts' reservations are only counted, and only if redemptions are limited.
 */
export const PromoInUse = Schema.Struct({
  promo: promos.schema,
  accountId: Text,
  redeemedBy: Schema.NullOr(Text),
  reservations: Schema.NullOr(Schema.Array(Schema.Struct({ quoteId: Text, accountId: Text, untilMs: Integer }))),
  reservedByOthers: Integer
})

/** Names an account's view of a promotion; the code is normalised. */
export const promoId = (code: string, accountId: string): string => `${code} ${accountId}`

/** The value of an SQL expression, or null for a promotion without limits (`isUnlimited` of `PlacementBatch`). */
const ifLimited = (sql: string): string =>
  `CASE WHEN p.max_redemptions IS NOT NULL OR p.once_per_account THEN (${sql}) END`

/**
 * SQL for a `PromoInUse` of the promotion `p`, in a statement with `snapshot.now_ms`. `account` is an SQL expression for the account's id;
 * it must not refer to a table named `taken`.
 */
export const promoInUse = (account: string): string => `json_build_object(
  'promo', ${promos.list("p")},
  'accountId', ${account},
  'redeemedBy', ${ifLimited(`
    SELECT taken.account_id FROM promo_uses taken
    WHERE taken.code = p.code AND taken.account_id = ${account} AND taken.until_ms IS NULL LIMIT 1
  `)},
  'reservations', ${ifLimited(`
    SELECT json_agg(
      json_build_object('quoteId', taken.quote_id, 'accountId', taken.account_id, 'untilMs', taken.until_ms)
    )
    FROM promo_uses taken WHERE taken.code = p.code AND taken.account_id = ${account} AND taken.until_ms IS NOT NULL
  `)},
  'reservedByOthers', CASE WHEN p.max_redemptions IS NULL THEN 0 ELSE (
    SELECT count(*) FROM promo_uses taken
    WHERE taken.code = p.code AND taken.until_ms > snapshot.now_ms AND taken.account_id <> ${account}
  ) END
)`

/** Valid reservations of other accounts count as redemptions. */
export const promoOf = ({ promo, redeemedBy, reservations, reservedByOthers }: typeof PromoInUse.Type): Promo => {
  const { version: _, reductionKind, reductionValue, redeemed, ...described } = promo
  return {
    ...described,
    reduction: reductionOf({ reductionKind, reductionValue }),
    redeemed: redeemed + reservedByOthers,
    redeemedBy: redeemedBy === null ? HashSet.empty() : HashSet.make(redeemedBy),
    reservations: reservations ?? []
  }
}

/** `redeemed` is the table's count, without the reservations that `promoOf` adds. */
export const promoRow = ({ reduction, ...promo }: Omit<Promo, "redeemedBy" | "reservations">) =>
  promos.row({
    ...promo,
    reductionKind: reduction.kind,
    reductionValue: reduction.kind === "percent" ? reduction.basisPoints : reduction.cents
  })

const project = {
  projectId: Text,
  accountId: Text,
  name: Text,
  domain: Text,
  language: Text,
  updatedAtMs: Integer
}

export const projects = table(project)
export const versionedProjects = table({ ...versionField, ...project })

const opportunity = {
  opportunityId: Text,
  projectId: Text,
  prompt: Text,
  engine: Text,
  niche: Text,
  targetUrl: Text,
  anchorText: Text,
  position: Integer
}

export const opportunities = table(opportunity)
export const versionedOpportunities = table({ ...versionField, ...opportunity })
