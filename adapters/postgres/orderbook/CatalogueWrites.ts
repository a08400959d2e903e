// Rows of promotions and of the catalogue that a decision writes, and the versions of the rows that it only read.
import { find } from "#core/decisions/Books.ts"
import { type WelcomeUse, welcomeUseId } from "#core/domain/WelcomeUse.ts"
import { articleRow, opportunities, projects, promoId, promoRow, siteRow } from "../rows/CatalogueRows.ts"
import { hostPath, welcomeUseColumns, welcomeUses } from "../rows/OrderRows.ts"
import type { PromoUse } from "./ChangedRows.ts"
import { writtenSubscriptions } from "./WebhookWrites.ts"
import {
  existedBefore,
  omitEmpty,
  type RowSet,
  rowsFor,
  versionedRows,
  type WriteContext,
  withVersion
} from "./WriteContext.ts"

const isLimited = ({ loaded }: WriteContext, code: string): boolean =>
  find(loaded.books.promos, code)?.maxRedemptions != null

/** The quote is new, and so is its use. */
const isFirst = (write: WriteContext, { quoteId }: PromoUse): boolean =>
  write.changed.quotes.has(quoteId) && !existedBefore(write, (books) => books.quotes, quoteId)

/** Whether the use was neither spent nor reserved before. */
const isTaken = (write: WriteContext, use: PromoUse): boolean => {
  if (use.isReleased) return false
  if (isFirst(write, use)) return true
  const { nowMs, promos } = write.loaded
  const known = promos.get(promoId(use.code, use.accountId))?.reservations ?? []
  return !known.some(({ quoteId, untilMs }) => quoteId === use.quoteId && untilMs > nowMs)
}

/**
 * What a decision adds to the uses of limited promotions. The commit compares the sum with the limit instead of a version, so that
 * batches of different accounts do not conflict until the last uses.
 */
const promoCounts = (write: WriteContext) => {
  const { loaded, after, changed } = write
  const uses = [...changed.promoUses.values()].filter((use) => isTaken(write, use))
  return [...changed.promos].flatMap((code) => {
    if (changed.redefinedPromos.has(code) || !isLimited(write, code)) return []
    const before = find(loaded.books.promos, code)?.redeemed ?? 0
    const spent = (find(after.promos, code)?.redeemed ?? before) - before
    const taken = uses.filter((use) => use.code === code).length
    return spent === 0 && taken === 0 ? [] : [{ code, spent, taken, now_ms: loaded.nowMs }]
  })
}

export const promoRows = (write: WriteContext): RowSet => {
  const { loaded, after, changed } = write
  const uses = [...changed.promoUses.values()].filter(({ isReleased }) => !isReleased)
  return {
    promos: versionedRows(write, after.promos, loaded.versions.promos, changed.redefinedPromos, (promo) =>
      promoRow({ ...promo, redeemed: loaded.redeemed.get(promo.code) ?? 0 })
    ),
    promo_counts: promoCounts(write),
    recounted: [...changed.redefinedPromos],
    used_promos: [...new Set(uses.map(({ code }) => code))]
  }
}

/** Uses of self-opened accounts that were not reserved before. */
const takenWelcomes = ({ loaded, after, changed }: WriteContext): ReadonlyArray<WelcomeUse> =>
  rowsFor(after.welcomeUses, changed.welcomeUses).filter(({ domain, accountId, quoteId, untilMs }) => {
    if (untilMs === 0 || !find(after.accounts, accountId)?.selfOpened) return false
    const before = find(loaded.books.welcomeUses, welcomeUseId(domain, accountId))
    return before?.quoteId !== quoteId || (before.untilMs !== null && before.untilMs <= loaded.nowMs)
  })

export const welcomeRows = (write: WriteContext): RowSet => ({
  welcome_uses: rowsFor(write.after.welcomeUses, write.changed.welcomeUses).map((use) =>
    welcomeUses.values(welcomeUseColumns(use))
  ),
  welcome_taken: takenWelcomes(write).map(({ domain, accountId }) => ({
    host_path: hostPath(domain),
    account_id: accountId,
    now_ms: write.loaded.nowMs
  }))
})

/** Two commits that take the offer for domains under one name are not written together. */
export const welcomeConflictKeys = (write: WriteContext): ReadonlyArray<string> =>
  takenWelcomes(write).map(({ domain }) => `welcome ${domain.split(".").slice(-2).join(".")}`)

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
    promos: readOnly(versions.promos, "code", changed.redefinedPromos),
    sites: readOnly(versions.sites, "site_id", changed.sites),
    articles: readOnly(versions.articles, "article_id", changed.articles),
    projects: readOnly(versions.projects, "project_id", changed.projects),
    opportunities: readOnly(versions.opportunities, "opportunity_id", changed.opportunities),
    subscriptions: readOnly(versions.subscriptions, "webhook_id", writtenSubscriptions(write))
  })
}
