// The rows of promotions and of what else is on offer that a decision writes, and the versions of what it only looked at.
import { find } from "#core/decisions/Books.ts"
import { articleRow, opportunities, projects, promoRow, siteRow } from "./rows/OfferRows.ts"
import { promoUses } from "./rows/OrderRows.ts"
import type { PromoUse } from "./TouchedRows.ts"
import { filled, isKnown, on, over, type Part, stemmed, type Writing } from "./Writing.ts"
import { writtenSubscriptions } from "./WrittenWebhooks.ts"

/** Only limited promotions, and those described anew, are written: a use of any other is nothing that anybody decides on. */
export const writtenPromos = ({ loaded, touched }: Writing): ReadonlyArray<string> =>
  [...touched.promos].filter(
    (code) => touched.recounted.has(code) || find(loaded.books.promos, code)?.maxRedemptions != null
  )

/** What is redeemed by now. The books count others' reservations in, so only the difference is taken from them. */
const redeemedNow = ({ loaded, after, touched }: Writing, code: string): number => {
  const known = loaded.redeemed.get(code) ?? 0
  const was = find(loaded.books.promos, code)?.redeemed ?? 0
  return touched.recounted.has(code) ? known : known + (find(after.promos, code)?.redeemed ?? was) - was
}

export const promoRows = (writing: Writing): Part => {
  const { loaded, after, touched } = writing
  const uses = [...touched.promoUses.values()].filter(({ gone }) => !gone)
  /** A quote that is new has used nothing before. */
  const isFirst = ({ quoteId }: PromoUse) =>
    touched.quotes.has(quoteId) && !isKnown(writing, (books) => books.quotes, quoteId)
  return {
    promos: on(after.promos, writtenPromos(writing)).map((promo) =>
      over(
        writing,
        loaded.versions.promos,
        promo.code,
        promoRow({ ...promo, redeemed: redeemedNow(writing, promo.code) })
      )
    ),
    recounted: [...touched.recounted],
    new_promo_uses: uses.filter(isFirst).map(promoUses.values),
    promo_uses: uses.filter((use) => !isFirst(use)).map(promoUses.values)
  }
}

export const offerRows = (writing: Writing): Part => {
  const { loaded, after, touched, stem } = writing
  const { versions } = loaded
  const rows = filled({
    sites: on(after.sites, touched.sites).map((one) => over(writing, versions.sites, one.siteId, siteRow(one))),
    articles: on(after.articles, touched.articles).map((one) =>
      over(writing, versions.articles, one.articleId, articleRow(one))
    ),
    projects: on(after.projects, touched.projects).map((one) =>
      over(writing, versions.projects, one.projectId, projects.row(one))
    ),
    opportunities: on(after.opportunities, touched.opportunities).map((one) =>
      over(writing, versions.opportunities, one.opportunityId, opportunities.row(one))
    ),
    shop: touched.shop ? [{ fulfilment: after.fulfilment, version: stem, previous: versions.shop }] : []
  })
  return stemmed(rows, stem)
}

/** Ids and versions of the rows that were loaded, but for those that are written. */
const onlySeen = <Id>(
  versions: ReadonlyMap<Id, string>,
  column: string,
  written: Iterable<Id>
): ReadonlyArray<Part> => {
  const taken = new Set(written)
  return Array.from(versions)
    .filter(([id]) => !taken.has(id))
    .map(([id, version]) => ({ [column]: id, version }))
}

export const seenVersions = (writing: Writing): Part => {
  const { touched, loaded } = writing
  const { versions } = loaded
  return filled({
    shop: [touched.shop ? writing.stem : versions.shop],
    promos: onlySeen(versions.promos, "code", writtenPromos(writing)),
    sites: onlySeen(versions.sites, "site_id", touched.sites),
    articles: onlySeen(versions.articles, "article_id", touched.articles),
    projects: onlySeen(versions.projects, "project_id", touched.projects),
    opportunities: onlySeen(versions.opportunities, "opportunity_id", touched.opportunities),
    subscriptions: onlySeen(versions.subscriptions, "webhook_id", writtenSubscriptions(writing))
  })
}
