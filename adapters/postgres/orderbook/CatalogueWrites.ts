// Rows of promotions and of the catalogue that a decision writes, and the versions of the rows that it only read.
import { find } from "#core/decisions/Books.ts"
import { articleRow, opportunities, projects, promoRow, siteRow } from "../rows/CatalogueRows.ts"
import { promoUses } from "../rows/OrderRows.ts"
import type { PromoUse } from "./ChangedRows.ts"
import { writtenSubscriptions } from "./WebhookWrites.ts"
import { existedBefore, omitEmpty, type RowSet, versionedRows, type WriteContext, withVersion } from "./WriteContext.ts"

/** Promotions whose row is written: limited or redefined ones. No decision depends on how often others were used. */
export const writtenPromoCodes = ({ loaded, changed }: WriteContext): ReadonlyArray<string> =>
  [...changed.promos].filter(
    (code) => changed.redefinedPromos.has(code) || find(loaded.books.promos, code)?.maxRedemptions != null
  )

/** The loaded count plus the difference in the books, whose own count includes reservations of other accounts. */
const redeemedAfter = ({ loaded, after, changed }: WriteContext, code: string): number => {
  const known = loaded.redeemed.get(code) ?? 0
  const was = find(loaded.books.promos, code)?.redeemed ?? 0
  return changed.redefinedPromos.has(code) ? known : known + (find(after.promos, code)?.redeemed ?? was) - was
}

export const promoRows = (write: WriteContext): RowSet => {
  const { loaded, after, changed } = write
  const uses = [...changed.promoUses.values()].filter(({ isReleased }) => !isReleased)
  /** The quote is new, so there is no row of its use yet. */
  const isFirst = ({ quoteId }: PromoUse) =>
    changed.quotes.has(quoteId) && !existedBefore(write, (books) => books.quotes, quoteId)
  return {
    promos: versionedRows(write, after.promos, loaded.versions.promos, writtenPromoCodes(write), (promo) =>
      promoRow({ ...promo, redeemed: redeemedAfter(write, promo.code) })
    ),
    recounted: [...changed.redefinedPromos],
    new_promo_uses: uses.filter(isFirst).map(promoUses.values),
    promo_uses: uses.filter((use) => !isFirst(use)).map(promoUses.values)
  }
}

export const catalogueRows = (write: WriteContext): RowSet => {
  const { loaded, after, changed, version } = write
  const { versions } = loaded
  const rows = omitEmpty({
    sites: versionedRows(write, after.sites, versions.sites, changed.sites, siteRow),
    articles: versionedRows(write, after.articles, versions.articles, changed.articles, articleRow),
    projects: versionedRows(write, after.projects, versions.projects, changed.projects, projects.row),
    opportunities: versionedRows(
      write,
      after.opportunities,
      versions.opportunities,
      changed.opportunities,
      opportunities.row
    ),
    shop: changed.shop ? [{ fulfilment: after.fulfilment, version, previous: versions.shop }] : []
  })
  return withVersion(rows, version)
}

/** Ids and versions of the loaded rows that are not written. */
const readOnly = <Id>(
  versions: ReadonlyMap<Id, string>,
  column: string,
  written: Iterable<Id>
): ReadonlyArray<RowSet> => {
  const writtenIds = new Set(written)
  return Array.from(versions)
    .filter(([id]) => !writtenIds.has(id))
    .map(([id, version]) => ({ [column]: id, version }))
}

/** The commit checks that these rows still have the versions that the decision read. */
export const unchangedVersions = (write: WriteContext): RowSet => {
  const { changed, loaded } = write
  const { versions } = loaded
  return omitEmpty({
    shop: [changed.shop ? write.version : versions.shop],
    promos: readOnly(versions.promos, "code", writtenPromoCodes(write)),
    sites: readOnly(versions.sites, "site_id", changed.sites),
    articles: readOnly(versions.articles, "article_id", changed.articles),
    projects: readOnly(versions.projects, "project_id", changed.projects),
    opportunities: readOnly(versions.opportunities, "opportunity_id", changed.opportunities),
    subscriptions: readOnly(versions.subscriptions, "webhook_id", writtenSubscriptions(write))
  })
}
