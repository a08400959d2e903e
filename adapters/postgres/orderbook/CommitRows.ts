// The rows that the changes of a decision come to, as `commit_changes` takes them: whole rows, new ones apart from changed ones,
// and each that others decide on with the version over which it is written. Of which every order writes some, they come as lists.
import { HashMap } from "effect"
import { linksOf } from "#core/decisions/Books.ts"
import { type Order, orderStatus } from "#core/domain/Order.ts"
import { accountColumns, accountWrites, audit, keyRow, tallies } from "../rows/AccountRows.ts"
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
  quotes
} from "../rows/OrderRows.ts"
import { catalogueRows, promoRows, unchangedVersions, writtenPromoCodes } from "./CatalogueWrites.ts"
import type { Commit } from "./Commits.ts"
import { webhookRows, writtenSubscriptions } from "./WebhookWrites.ts"
import {
  existedBefore,
  omitEmpty,
  type RowSet,
  rowsFor,
  splitNewAndChanged,
  versioned,
  type WriteContext,
  withVersion
} from "./WriteContext.ts"

/** All that were decided on, changed or not: that is how an account guards what is its own. And those that are new. */
const takenAccounts = (writing: WriteContext): ReadonlyArray<string> =>
  Array.from(HashMap.keys(writing.after.accounts)).filter(
    (id) => writing.loaded.versions.accounts.has(id) || !existedBefore(writing, (books) => books.accounts, id)
  )

const accountRows = (writing: WriteContext): RowSet => {
  const { accounts } = writing.loaded.versions
  return {
    accounts: rowsFor(writing.after.accounts, takenAccounts(writing)).map((account) =>
      accountWrites.values(versioned(writing, accounts, account.accountId, accountColumns(account)))
    )
  }
}

const registerRows = (writing: WriteContext): RowSet => {
  const { changed: touched } = writing
  const keys = splitNewAndChanged(writing, (books) => books.keys, touched.keys)
  const rows = omitEmpty({
    new_keys: keys.fresh.map(keyRow),
    keys: keys.changed.map(keyRow),
    audit: touched.audit.map(audit.row)
  })
  return withVersion(rows, writing.version)
}

const orderRows = (writing: WriteContext): RowSet => {
  const { after, changed: touched } = writing
  const orderIds = new Set([...touched.orders, ...rowsFor(after.links, touched.links).map(({ orderId }) => orderId)])
  const quoted = splitNewAndChanged(writing, (books) => books.quotes, touched.quotes)
  const held = splitNewAndChanged(writing, (books) => books.holds, touched.holds)
  const ordered = splitNewAndChanged(writing, (books) => books.orders, orderIds)
  const linked = splitNewAndChanged(writing, (books) => books.links, touched.links)
  const bound = splitNewAndChanged(writing, (books) => books.bindings, touched.bindings)
  const withStatus = (order: Order) => ({ ...order, status: orderStatus(linksOf(after, order)) })
  return {
    tallies: rowsFor(after.dailyUsage, touched.tallies).map(tallies.values),
    new_quotes: quoted.fresh.map(quotes.values),
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
      payments: touched.payments.map(payments.row),
      promo_uses_gone: [...touched.promoUses.values()].filter(({ isReleased: gone }) => gone).map(promoUses.row)
    }),
    ledger: touched.ledger.map(ledgerEntriesWithHold.values),
    events: touched.events.map(events.values)
  }
}

const writtenRows = (writing: WriteContext): RowSet =>
  omitEmpty({
    ...accountRows(writing),
    ...promoRows(writing),
    offer: catalogueRows(writing),
    registers: registerRows(writing),
    ...orderRows(writing),
    webhooks: webhookRows(writing),
    seen: unchangedVersions(writing)
  })

const named = (shelf: string, ids: Iterable<string | number>): ReadonlyArray<string> =>
  Array.from(ids, (id) => `${shelf} ${id}`)

/** What is written over a version, by name. */
const takenBy = (writing: WriteContext): ReadonlyArray<string> => {
  const { changed: touched } = writing
  return [
    ...named("account", takenAccounts(writing)),
    ...named("promo", writtenPromoCodes(writing)),
    ...named("site", touched.sites),
    ...named("article", touched.articles),
    ...named("project", touched.projects),
    ...named("opportunity", touched.opportunities),
    ...named("shop", touched.shop ? [""] : []),
    ...named("subscription", writtenSubscriptions(writing)),
    ...named("endpoint", touched.endpoints),
    ...named("delivery", touched.deliveries)
  ]
}

export const commitOf = (writing: WriteContext): Commit => ({
  rows: writtenRows(writing),
  conflictKeys: takenBy(writing)
})
