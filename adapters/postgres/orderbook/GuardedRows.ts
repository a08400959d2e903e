// Rows that decisions about other accounts read or write: the catalogue, promotions, the welcome offer and webhooks. They are written over
// the version that was loaded, or compared with it.
import { find, idOf, type RowIn, type TableName } from "#core/decisions/Books.ts"
import {
  type ChangedRow,
  differsIn,
  dropsDeliveries,
  laterRows,
  membersOf,
  wasSwitched
} from "#core/decisions/Difference.ts"
import { isPaymentPending, type Quote } from "#core/domain/ordering/Quote.ts"
import { Promo } from "#core/domain/pricing/Promo.ts"
import { type WelcomeUse, welcomeUseId } from "#core/domain/pricing/WelcomeUse.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { articleColumns, articles, opportunities, projects, promos, siteColumns, sites } from "../rows/CatalogueRows.ts"
import { deliveries, subscriptions } from "../rows/DeliveryRows.ts"
import { hostPath, welcomeUses } from "../rows/OrderRows.ts"
import { omitEmpty, type RowSet, withVersion } from "./Commits.ts"
import type { WriteContext } from "./LoadedBooks.ts"
import { rowsOver } from "./WrittenRows.ts"

/**
 * Where sites get a domain, the catalogue is written over the listing that was loaded, so that no two get one; and those that were not
 * ordered when they were loaded still are not.
 */
const domainRows = ({ loaded, changed: { sites } }: WriteContext): RowSet => {
  const { stem, ordered } = loaded.books.siteDomains
  const taken = sites.filter(({ before, after }) => before?.domain !== after.domain)
  const unsold = taken.flatMap(({ before, after }) => (before && !ordered.has(after.siteId) ? [after.siteId] : []))
  return { ...(taken.length === 0 ? {} : { over_catalogue: [stem] }), unsold_sites: unsold }
}

export const offerRows = (write: WriteContext): RowSet => {
  const { loaded, changed, version } = write
  const { fulfilment } = changed
  const rows = omitEmpty({
    ...rowsOver(write, "sites", sites, changed.sites, siteColumns),
    ...rowsOver(write, "articles", articles, changed.articles, articleColumns),
    ...rowsOver(write, "projects", projects, changed.projects),
    ...rowsOver(write, "opportunities", opportunities, changed.opportunities),
    ...domainRows(write),
    shop: fulfilment === null ? [] : [{ only_row: true, fulfilment, version, over_version: loaded.versions.shop }]
  })
  return withVersion(rows, version)
}

/** The code that the quote uses: reserved while it is open, spent by its order. */
export const promoCodeOf = ({ mode, discount }: Quote): string | null =>
  mode === "live" && discount.source === "promo" ? (discount.code ?? null) : null

/** Whether the quote takes the welcome offer: reserves it while it is open, and spends it by its order. */
export const takesWelcome = ({ mode, discount }: Quote): boolean => mode === "live" && discount.source === "welcome"

interface CodeUse {
  readonly code: string
  /** Reserved until then; `null` once it is spent. */
  readonly untilMs: number | null
}

const codeUseOf = (quote: Quote | undefined): CodeUse | undefined => {
  const code = quote === undefined ? null : promoCodeOf(quote)
  if (quote === undefined || code === null || quote.status === "abandoned") return undefined
  if (quote.status === "paid") return { code, untilMs: null }
  return { code, untilMs: isPaymentPending(quote) ? Number.POSITIVE_INFINITY : quote.expiresAtMs }
}

interface ChangedUse {
  readonly code: string
  readonly isSpent: boolean
  /** It was neither spent nor reserved before. */
  readonly isTaken: boolean
}

/** Uses of codes follow from their quotes. */
const changedUses = ({ loaded, changed }: WriteContext): ReadonlyArray<ChangedUse> =>
  changed.quotes.flatMap(({ before, after }) => {
    const use = codeUseOf(after)
    const known = codeUseOf(before)
    if (use === undefined || use.untilMs === known?.untilMs) return []
    const isTaken = known === undefined || (known.untilMs !== null && known.untilMs <= loaded.nowMs)
    return [{ code: use.code, isSpent: use.untilMs === null, isTaken }]
  })

const DEFINITION = membersOf(Promo, "redeemed", "redeemedBy", "reservations")

const redefinedPromos = ({ changed }: WriteContext): ReadonlyArray<ChangedRow<Promo>> =>
  changed.promos.filter((row) => differsIn(row, DEFINITION))

/** Uses are counted in the database. */
const unused = (promo: Promo): Promo => ({ ...promo, redeemed: 0 })

/**
 * What a decision adds to the uses of limited promotions. The commit compares the sum with the limit instead of a version, so that
 * batches of different accounts do not conflict until the last uses.
 */
const promoCounts = ({ loaded }: WriteContext, uses: ReadonlyArray<ChangedUse>) =>
  [...new Set(uses.map(({ code }) => code))].flatMap((code) => {
    const ofCode = uses.filter((use) => use.code === code)
    const spent = ofCode.filter(({ isSpent }) => isSpent).length
    const taken = ofCode.filter(({ isTaken }) => isTaken).length
    const isLimited = find(loaded.books.promos, code)?.maxRedemptions != null
    return isLimited && spent + taken > 0 ? [{ code, spent, taken, now_ms: loaded.nowMs }] : []
  })

const isReserved = (reservations: Promo["reservations"], quoteId: QuoteId): boolean =>
  reservations.some((one) => one.quoteId === quoteId)

/** Uses are stored as columns of their quote: one that did not follow from its quote would be lost, which is a defect. */
const checkUses = ({ after: { quotes }, changed }: WriteContext, uses: ReadonlyArray<ChangedUse>): void => {
  for (const { before, after } of changed.promos) {
    if (before === undefined) continue
    const [earlier, later] = [before.reservations, after.reservations]
    const moved = [...earlier.filter((one) => !later.includes(one)), ...later.filter((one) => !earlier.includes(one))]
    const spent = uses.filter(({ code, isSpent }) => isSpent && code === after.code).length
    const fits =
      after.redeemed - before.redeemed === spent &&
      moved.every(({ quoteId }) => isReserved(later, quoteId) === (codeUseOf(find(quotes, quoteId))?.untilMs != null))
    if (!fits) throw new Error(`uses of code ${after.code} do not follow from their quotes`)
  }
}

export const promoRows = (write: WriteContext): RowSet => {
  const redefined = redefinedPromos(write)
  const codes = redefined.map(({ after }) => after.code)
  const uses = changedUses(write)
  checkUses(write, uses)
  return {
    ...rowsOver(write, "promos", promos, redefined, unused),
    promo_counts: promoCounts(
      write,
      uses.filter(({ code }) => !codes.includes(code))
    ),
    recounted: codes,
    used_promos: [...new Set(uses.map(({ code }) => code))]
  }
}

/** Uses of self-opened accounts that were not reserved before. */
const takenWelcomes = ({ loaded, after, changed }: WriteContext): ReadonlyArray<WelcomeUse> =>
  laterRows(changed.welcomeUses).filter(({ domain, accountId, quoteId, untilMs }) => {
    if (untilMs === 0 || !find(after.accounts, accountId)?.selfOpened) return false
    const before = find(loaded.books.welcomeUses, welcomeUseId(domain, accountId))
    return before?.quoteId !== quoteId || (before.untilMs !== null && before.untilMs <= loaded.nowMs)
  })

export const welcomeRows = (write: WriteContext): RowSet => ({
  new_welcome_uses: laterRows(write.changed.welcomeUses).map((use) =>
    welcomeUses.values({ ...use, domain: hostPath(use.domain) })
  ),
  welcome_taken: takenWelcomes(write).map(({ domain, accountId }) => ({
    host_path: hostPath(domain),
    account_id: accountId,
    now_ms: write.loaded.nowMs
  }))
})

const hasNewHealth = ({ before, after }: ChangedRow<Subscription>): boolean =>
  before !== undefined && before.health !== after.health

const BESIDE_HEALTH = membersOf(Subscription, "health")

/** The change of a subscription but for its health, which is written over another version. */
const withoutHealth = ({ before, after }: ChangedRow<Subscription>): ChangedRow<Subscription> => ({
  before,
  after: before === undefined ? after : { ...after, health: before.health }
})

/** Disabling and enabling an endpoint changes what decisions queue for it; any other change of its health has a separate version. */
const isWritten = (row: ChangedRow<Subscription>): boolean => wasSwitched(row) || differsIn(row, BESIDE_HEALTH)

export const webhookRows = (write: WriteContext): RowSet => {
  const { loaded, changed, version } = write
  const written = changed.subscriptions.filter(isWritten)
  const rows = omitEmpty({
    ...rowsOver(write, "subscriptions", subscriptions, written.map(withoutHealth), (one) => ({
      ...one,
      healthVersion: version
    })),
    endpoints: changed.subscriptions.filter(hasNewHealth).map(({ before, after: { webhookId, health } }) => {
      const healthVersion = loaded.versions.endpoints.get(webhookId)
      return subscriptions.changes(
        { webhookId, health: before?.health, healthVersion },
        { webhookId, health, healthVersion: version }
      )
    }),
    ...rowsOver(write, "deliveries", deliveries, changed.deliveries),
    ended: laterRows(changed.subscriptions.filter(dropsDeliveries)).map(({ webhookId }) => webhookId)
  })
  return withVersion(rows, version)
}

/** The tables that other decisions write, by the names of their ids. */
const ID_COLUMNS = {
  promos: "code",
  sites: "site_id",
  articles: "article_id",
  projects: "project_id",
  opportunities: "opportunity_id",
  subscriptions: "webhook_id"
} as const

type GuardedName = keyof typeof ID_COLUMNS

// The names of its members.
const guardedNames = Object.keys(ID_COLUMNS) as ReadonlyArray<GuardedName>

const idsOf = <Name extends TableName>(name: Name, rows: ReadonlyArray<RowIn<Name>>): ReadonlySet<string | number> =>
  new Set(rows.map(idOf(name)))

/** The ids of the rows that are written over a version, and so need not be compared too. */
const writtenIds = (write: WriteContext, name: GuardedName): ReadonlySet<string | number> => {
  const { changed } = write
  if (name === "promos") return idsOf(name, laterRows(redefinedPromos(write)))
  if (name === "subscriptions") return idsOf(name, laterRows(changed.subscriptions.filter(isWritten)))
  return idsOf<TableName>(
    name,
    changed[name].map(({ after }) => after)
  )
}

/** The commit checks that the loaded rows that are not written still have the versions that the decision read. */
export const unchangedVersions = (write: WriteContext): RowSet => {
  const { changed, loaded, version } = write
  const seen = guardedNames.map((name) => {
    const written = writtenIds(write, name)
    const unwritten = [...loaded.versions[name]].filter(([id]) => !written.has(id))
    return [name, unwritten.map(([id, version]) => ({ [ID_COLUMNS[name]]: id, version }))]
  })
  return omitEmpty({
    shop: [changed.fulfilment === null ? loaded.versions.shop : version],
    ...Object.fromEntries(seen)
  })
}
