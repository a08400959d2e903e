// The rows that the changes of a decision come to, as `commit_changes` takes them: whole rows, new ones apart from changed ones,
// and each that others decide on with the version over which it is written. Of which every order writes some, they come as lists.
import { HashMap } from "effect"
import { linksOf } from "#core/decisions/Books.ts"
import { type Order, orderStatus } from "#core/domain/Order.ts"
import type { Commit } from "./Commits.ts"
import { audit, flatAccount, keyRow, tallies, writtenAccounts } from "./rows/AccountRows.ts"
import {
  bindings,
  bookedEntries,
  events,
  flatBinding,
  flatLink,
  holds,
  listedLinks,
  ordersWithStatus,
  payments,
  promoUses,
  quotes
} from "./rows/OrderRows.ts"
import { filled, isKnown, on, over, type Part, sorted, stemmed, type Writing } from "./Writing.ts"
import { offerRows, promoRows, seenVersions, writtenPromos } from "./WrittenOffer.ts"
import { webhookRows, writtenSubscriptions } from "./WrittenWebhooks.ts"

/** All that were decided on, changed or not: that is how an account guards what is its own. And those that are new. */
const takenAccounts = (writing: Writing): ReadonlyArray<string> =>
  Array.from(HashMap.keys(writing.after.accounts)).filter(
    (id) => writing.loaded.versions.accounts.has(id) || !isKnown(writing, (books) => books.accounts, id)
  )

const accountRows = (writing: Writing): Part => {
  const { accounts } = writing.loaded.versions
  return {
    accounts: on(writing.after.accounts, takenAccounts(writing)).map((account) =>
      writtenAccounts.values(over(writing, accounts, account.accountId, flatAccount(account)))
    )
  }
}

const registerRows = (writing: Writing): Part => {
  const { touched } = writing
  const keys = sorted(writing, (books) => books.keys, touched.keys)
  const rows = filled({
    new_keys: keys.fresh.map(keyRow),
    keys: keys.changed.map(keyRow),
    audit: touched.audit.map(audit.row)
  })
  return stemmed(rows, writing.stem)
}

const orderRows = (writing: Writing): Part => {
  const { after, touched } = writing
  const orderIds = new Set([...touched.orders, ...on(after.links, touched.links).map(({ orderId }) => orderId)])
  const quoted = sorted(writing, (books) => books.quotes, touched.quotes)
  const held = sorted(writing, (books) => books.holds, touched.holds)
  const ordered = sorted(writing, (books) => books.orders, orderIds)
  const linked = sorted(writing, (books) => books.links, touched.links)
  const bound = sorted(writing, (books) => books.bindings, touched.bindings)
  const withStatus = (order: Order) => ({ ...order, status: orderStatus(linksOf(after, order)) })
  return {
    tallies: on(after.tallies, touched.tallies).map(tallies.values),
    new_quotes: quoted.fresh.map(quotes.values),
    new_holds: held.fresh.map(holds.values),
    new_orders: ordered.fresh.map((order) => ordersWithStatus.values(withStatus(order))),
    new_links: linked.fresh.map((link) => listedLinks.values(flatLink(link))),
    new_bindings: bound.fresh.map((binding) => bindings.values(flatBinding(binding))),
    progress: filled({
      quotes: quoted.changed.map(quotes.row),
      holds: held.changed.map(holds.row),
      orders: ordered.changed.map((order) => ordersWithStatus.row(withStatus(order))),
      links: linked.changed.map((link) => listedLinks.row(flatLink(link))),
      bindings: bound.changed.map((binding) => bindings.row(flatBinding(binding))),
      payments: touched.payments.map(payments.row),
      promo_uses_gone: [...touched.promoUses.values()].filter(({ gone }) => gone).map(promoUses.row)
    }),
    ledger: touched.ledger.map(bookedEntries.values),
    events: touched.events.map(events.values)
  }
}

const writtenRows = (writing: Writing): Part =>
  filled({
    ...accountRows(writing),
    ...promoRows(writing),
    offer: offerRows(writing),
    registers: registerRows(writing),
    ...orderRows(writing),
    webhooks: webhookRows(writing),
    seen: seenVersions(writing)
  })

const named = (shelf: string, ids: Iterable<string | number>): ReadonlyArray<string> =>
  Array.from(ids, (id) => `${shelf} ${id}`)

/** What is written over a version, by name. */
const takenBy = (writing: Writing): ReadonlyArray<string> => {
  const { touched } = writing
  return [
    ...named("account", takenAccounts(writing)),
    ...named("promo", writtenPromos(writing)),
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

export const commitOf = (writing: Writing): Commit => ({ rows: writtenRows(writing), taken: takenBy(writing) })
