// The rows of promotions and of what else is on offer that a decision writes, and the versions of what it only looked at.
import { find } from "#core/decisions/Books.ts"
import { articleRow, opportunities, projects, promoRow, siteRow } from "../rows/CatalogueRows.ts"
import { promoUses } from "../rows/OrderRows.ts"
import type { PromoUse } from "./ChangedRows.ts"
import { writtenSubscriptions } from "./WebhookWrites.ts"
import {
  existedBefore,
  omitEmpty,
  type RowSet,
  rowsFor,
  versioned,
  type WriteContext,
  withVersion
} from "./WriteContext.ts"

/** Only limited promotions, and those described anew, are written: a use of any other is nothing that anybody decides on. */
export const writtenPromoCodes = ({ loaded, changed: touched }: WriteContext): ReadonlyArray<string> =>
  [...touched.promos].filter(
    (code) => touched.redefinedPromos.has(code) || find(loaded.books.promos, code)?.maxRedemptions != null
  )

/** What is redeemed by now. The books count others' reservations in, so only the difference is taken from them. */
const redeemedNow = ({ loaded, after, changed: touched }: WriteContext, code: string): number => {
  const known = loaded.redeemed.get(code) ?? 0
  const was = find(loaded.books.promos, code)?.redeemed ?? 0
  return touched.redefinedPromos.has(code) ? known : known + (find(after.promos, code)?.redeemed ?? was) - was
}

export const promoRows = (writing: WriteContext): RowSet => {
  const { loaded, after, changed: touched } = writing
  const uses = [...touched.promoUses.values()].filter(({ isReleased: gone }) => !gone)
  /** A quote that is new has used nothing before. */
  const isFirst = ({ quoteId }: PromoUse) =>
    touched.quotes.has(quoteId) && !existedBefore(writing, (books) => books.quotes, quoteId)
  return {
    promos: rowsFor(after.promos, writtenPromoCodes(writing)).map((promo) =>
      versioned(
        writing,
        loaded.versions.promos,
        promo.code,
        promoRow({ ...promo, redeemed: redeemedNow(writing, promo.code) })
      )
    ),
    recounted: [...touched.redefinedPromos],
    new_promo_uses: uses.filter(isFirst).map(promoUses.values),
    promo_uses: uses.filter((use) => !isFirst(use)).map(promoUses.values)
  }
}

export const catalogueRows = (writing: WriteContext): RowSet => {
  const { loaded, after, changed: touched, version: stem } = writing
  const { versions } = loaded
  const rows = omitEmpty({
    sites: rowsFor(after.sites, touched.sites).map((one) =>
      versioned(writing, versions.sites, one.siteId, siteRow(one))
    ),
    articles: rowsFor(after.articles, touched.articles).map((one) =>
      versioned(writing, versions.articles, one.articleId, articleRow(one))
    ),
    projects: rowsFor(after.projects, touched.projects).map((one) =>
      versioned(writing, versions.projects, one.projectId, projects.row(one))
    ),
    opportunities: rowsFor(after.opportunities, touched.opportunities).map((one) =>
      versioned(writing, versions.opportunities, one.opportunityId, opportunities.row(one))
    ),
    shop: touched.shop ? [{ fulfilment: after.fulfilment, version: stem, previous: versions.shop }] : []
  })
  return withVersion(rows, stem)
}

/** Ids and versions of the rows that were loaded, but for those that are written. */
const onlySeen = <Id>(
  versions: ReadonlyMap<Id, string>,
  column: string,
  written: Iterable<Id>
): ReadonlyArray<RowSet> => {
  const taken = new Set(written)
  return Array.from(versions)
    .filter(([id]) => !taken.has(id))
    .map(([id, version]) => ({ [column]: id, version }))
}

export const unchangedVersions = (writing: WriteContext): RowSet => {
  const { changed: touched, loaded } = writing
  const { versions } = loaded
  return omitEmpty({
    shop: [touched.shop ? writing.version : versions.shop],
    promos: onlySeen(versions.promos, "code", writtenPromoCodes(writing)),
    sites: onlySeen(versions.sites, "site_id", touched.sites),
    articles: onlySeen(versions.articles, "article_id", touched.articles),
    projects: onlySeen(versions.projects, "project_id", touched.projects),
    opportunities: onlySeen(versions.opportunities, "opportunity_id", touched.opportunities),
    subscriptions: onlySeen(versions.subscriptions, "webhook_id", writtenSubscriptions(writing))
  })
}
