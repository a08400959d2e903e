// The rows that a decision writes, under the names that the SQL function `commit_changes` gives them: new rows apart from changed ones,
// versioned rows with the version that they replace, and rows that every order has as lists of values.
import { HashMap } from "effect"
import { linksOf } from "#core/decisions/Books.ts"
import { emailKey } from "#core/domain/Account.ts"
import { type Order, orderStatus } from "#core/domain/Order.ts"
import {
  accountColumns,
  accountStates,
  accountWrites,
  audit,
  dailyUsage,
  keyRow,
  members,
  topUps
} from "../rows/AccountRows.ts"
import {
  bindingColumns,
  bindings,
  events,
  holds,
  indexedLinks,
  ledgerEntriesWithHold,
  linkColumns,
  ordersWithStatus,
  payments,
  promoUses,
  reversals,
  setAside
} from "../rows/OrderRows.ts"
import { newQuotes, quotes } from "../rows/QuoteRows.ts"
import { catalogueRows, promoRows, unchangedVersions, welcomeConflictKeys, welcomeRows } from "./CatalogueWrites.ts"
import type { Commit } from "./Commits.ts"
import { webhookRows, writtenSubscriptions } from "./WebhookWrites.ts"
import {
  existedBefore,
  omitEmpty,
  type RowSet,
  rowsFor,
  splitNewAndChanged,
  versionedRows,
  type WriteContext,
  withVersion
} from "./WriteContext.ts"

/** New accounts, and all that were loaded, changed or not: an account's version guards all its rows. */
const writtenAccounts = (write: WriteContext): ReadonlyArray<string> =>
  Array.from(HashMap.keys(write.after.accounts)).filter(
    (id) => write.loaded.versions.accounts.has(id) || !existedBefore(write, (books) => books.accounts, id)
  )

const accountRows = (write: WriteContext): RowSet => {
  const { loaded, after } = write
  const rows = versionedRows(write, after.accounts, loaded.versions.accounts, writtenAccounts(write), accountColumns)
  return { accounts: rows.map(accountWrites.values) }
}

const keyAndAuditRows = (write: WriteContext): RowSet => {
  const { after, changed } = write
  const readdressed = Array.from(changed.emails).filter((id) => existedBefore(write, (books) => books.accounts, id))
  const keys = splitNewAndChanged(write, (books) => books.keys, changed.keys)
  const rows = omitEmpty({
    emails: rowsFor(after.accounts, readdressed).map(({ accountId, email }) => ({ account_id: accountId, email })),
    account_states: rowsFor(after.accounts, changed.accountStates).map(accountStates.row),
    members: rowsFor(after.members, changed.members).map(members.row),
    top_ups: rowsFor(after.topUps, changed.topUps).map(topUps.row),
    new_keys: keys.fresh.map(keyRow),
    keys: keys.changed.map(keyRow),
    audit: changed.audit.map(audit.row)
  })
  return withVersion(rows, write.version)
}

const orderRows = (write: WriteContext): RowSet => {
  const { after, changed } = write
  const orderIds = new Set([...changed.orders, ...rowsFor(after.links, changed.links).map(({ orderId }) => orderId)])
  const quoted = splitNewAndChanged(write, (books) => books.quotes, changed.quotes)
  const held = splitNewAndChanged(write, (books) => books.holds, changed.holds)
  const ordered = splitNewAndChanged(write, (books) => books.orders, orderIds)
  const linked = splitNewAndChanged(write, (books) => books.links, changed.links)
  const bound = splitNewAndChanged(write, (books) => books.bindings, changed.bindings)
  const withStatus = (order: Order) => ({ ...order, status: orderStatus(linksOf(after, order)) })
  return {
    tallies: rowsFor(after.dailyUsage, changed.dailyUsage).map(dailyUsage.values),
    new_quotes: quoted.fresh.map(newQuotes.values),
    new_holds: held.fresh.map(holds.values),
    new_orders: ordered.fresh.map((order) => ordersWithStatus.values(withStatus(order))),
    new_links: linked.fresh.map((link) => indexedLinks.values(linkColumns(link))),
    new_bindings: bound.fresh.map((binding) => bindings.values(bindingColumns(binding))),
    progress: omitEmpty({
      quotes: quoted.changed.map(quotes.row),
      holds: held.changed.map(holds.row),
      orders: ordered.changed.map((order) => ordersWithStatus.row(withStatus(order))),
      links: linked.changed.map((link) => indexedLinks.row(linkColumns(link))),
      bindings: bound.changed.map((binding) => bindings.row(bindingColumns(binding))),
      payments: changed.payments.map(payments.row),
      set_aside: rowsFor(after.setAside, changed.setAside).map(setAside.row),
      reversals: rowsFor(after.reversals, changed.reversals).map(reversals.row),
      promo_uses_gone: [...changed.promoUses.values()].filter(({ isReleased }) => isReleased).map(promoUses.row)
    }),
    ledger: changed.ledger.map(ledgerEntriesWithHold.values),
    events: changed.events.map(events.values)
  }
}

const writtenRows = (write: WriteContext): RowSet =>
  omitEmpty({
    ...accountRows(write),
    ...promoRows(write),
    ...welcomeRows(write),
    offer: catalogueRows(write),
    registers: keyAndAuditRows(write),
    ...orderRows(write),
    webhooks: webhookRows(write),
    seen: unchangedVersions(write)
  })

const named = (table: string, ids: Iterable<string | number>): ReadonlyArray<string> =>
  Array.from(ids, (id) => `${table} ${id}`)

/** The rows that are written over a version, and the addresses that only one account may have. */
const conflictKeysOf = (write: WriteContext): ReadonlyArray<string> => {
  const { after, changed } = write
  return [
    ...named("account", writtenAccounts(write)),
    ...named(
      "e-mail",
      rowsFor(after.accounts, changed.emails).map(({ email }) => emailKey(email))
    ),
    ...named(
      "e-mail",
      rowsFor(after.members, changed.members).map(({ email }) => emailKey(email))
    ),
    ...welcomeConflictKeys(write),
    ...named("promo", changed.redefinedPromos),
    ...named("site", changed.sites),
    ...named("article", changed.articles),
    ...named("project", changed.projects),
    ...named("opportunity", changed.opportunities),
    ...named("shop", changed.shop ? [""] : []),
    ...named("subscription", writtenSubscriptions(write)),
    ...named("endpoint", changed.endpoints),
    ...named("delivery", changed.deliveries)
  ]
}

export const commitOf = (write: WriteContext): Commit => ({
  rows: writtenRows(write),
  conflictKeys: conflictKeysOf(write)
})
