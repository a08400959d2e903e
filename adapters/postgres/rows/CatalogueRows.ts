// Tables of the catalogue: sites, articles, promotions, projects and opportunities.
import { HashSet, Schema } from "effect"
import { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import { FOLDS, foldedKeywords, type TextField } from "#core/domain/catalogue/SiteFilters.ts"
import { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import { Promo, PromoReservation } from "#core/domain/pricing/Promo.ts"
import { sitePriceCents } from "#core/domain/pricing/Shelf.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { accountNo } from "./AccountRows.ts"
import { storedTable } from "./StoredTable.ts"
import { columnOf, Integer, Text } from "./Table.ts"

const foldedName = (field: TextField): string => (field === "nicheLabel" ? "nicheFolded" : `${field}Folded`)

/** A change names what follows from other fields, too: an earlier version may have derived it otherwise, or from other prices. */
export const sites = storedTable("sites", Site.fields, {
  named: ["siteId", "priceCents", ...Array.from(FOLDS.keys(), foldedName)]
})

/** The column by which a search compares a text: the folded one, if the text is compared folded. */
export const searchedColumn = (field: TextField): string => columnOf(FOLDS.has(field) ? foldedName(field) : field)

const foldedTexts = (site: Site): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {}
  for (const [field, fold] of FOLDS) {
    const text = site[field]
    if (text !== undefined) texts[foldedName(field)] = fold(text)
  }
  return texts
}

/** Adds the columns that the catalogue filters and sorts by. */
export const siteColumns = (site: Site) => ({ ...site, priceCents: sitePriceCents(site), ...foldedTexts(site) })

/** A change names the folded keywords, too: an earlier version leaves them as they were. */
export const articles = storedTable("articles", Article.fields, {
  named: ["articleId", "keywordsFolded"],
  columns: { sale: { state: "saleState", quoteId: "saleQuoteId", untilMs: "saleUntilMs" } }
})

/** Adds the column that searches look for keywords in. */
export const articleColumns = (article: Article) => ({ ...article, keywordsFolded: foldedKeywords(article) })

/** SQL for whether the article `r` takes a link at a time. Written as in the index of unsold articles, so that it is used. */
export const isFreeAt = (nowMs: string): string =>
  `r.sale_state <> 'sold' AND (r.sale_state = 'free' OR (r.sale_state = 'reserved' AND r.sale_until_ms <= ${nowMs}))`

const { redeemedBy: _, reservations: __, ...described } = Promo.fields

/** Leaves out uses, which are columns of quotes. `redeemed` is counted only while redemptions are limited. */
export const promos = storedTable("promos", described, {
  // Basis points or cents.
  columns: { reduction: { kind: "reductionKind", basisPoints: "reductionValue", cents: "reductionValue" } }
})

/**
 * A promotion as one account sees it: whether the account has redeemed it, and its reservations (`null` if uses are not limited). Other
 * accounts' reservations are only counted, and only if redemptions are limited.
 */
export const PromoInUse = Schema.Struct({
  promo: promos.schema,
  version: Text,
  accountId: AccountId,
  redeemedBy: Schema.NullOr(Text),
  reservations: Schema.NullOr(Schema.Array(PromoReservation)),
  reservedByOthers: Integer
})

/** In place of an account's id: the view of a promotion that all accounts have alike. */
export const EVERY_ACCOUNT = ""

/** Names an account's view of a promotion; the code is normalised. */
export const promoId = (code: string, accountId: AccountId | typeof EVERY_ACCOUNT): string => `${code} ${accountId}`

/** SQL for whether accounts see the promotion `p` differently: not without limits (`isUnlimited` of `PlacementBatch`). */
export const isLimited = "(p.max_redemptions IS NOT NULL OR p.once_per_account)"

/** The value of an SQL expression, or null for a promotion without limits. */
const ifLimited = (sql: string): string => `CASE WHEN ${isLimited} THEN (${sql}) END`

/**
 * SQL for a `PromoInUse` of the promotion `p`, in a statement with `snapshot.now_ms`. `account` is an SQL expression for the account's id;
 * it must not refer to a table named `taken` or `named`.
 */
export const promoInUse = (account: string): string => `json_build_object(
  'promo', ${promos.list("p")},
  'version', p.version,
  'accountId', ${account},
  'redeemedBy', ${ifLimited(`
    SELECT ${account} FROM promo_uses taken
    WHERE taken.code = p.code AND taken.account_no = ${accountNo(account)} AND taken.until_ms IS NULL LIMIT 1
  `)},
  'reservations', ${ifLimited(`
    SELECT json_agg(
      json_build_object('quoteId', taken.quote_id, 'accountId', ${account}, 'untilMs', taken.until_ms)
    )
    FROM promo_uses taken WHERE taken.code = p.code AND taken.account_no = ${accountNo(account)} AND taken.until_ms IS NOT NULL
  `)},
  'reservedByOthers', CASE WHEN p.max_redemptions IS NULL THEN 0 ELSE (
    SELECT count(*) FROM promo_uses taken
    WHERE taken.code = p.code AND taken.until_ms > snapshot.now_ms AND taken.account_no IS DISTINCT FROM ${accountNo(account)}
  ) END
)`

/** Valid reservations of other accounts count as redemptions. */
export const promoOf = ({ promo, redeemedBy, reservations, reservedByOthers }: typeof PromoInUse.Type): Promo => ({
  ...promo,
  redeemed: promo.redeemed + reservedByOthers,
  redeemedBy: redeemedBy === null ? HashSet.empty() : HashSet.make(redeemedBy),
  reservations: reservations ?? []
})

export const projects = storedTable("projects", Project.fields)

export const opportunities = storedTable("opportunities", Opportunity.fields)
