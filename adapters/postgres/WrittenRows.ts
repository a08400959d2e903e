// The rows that the changes of a decision come to, as `commit_changes` takes them: whole rows, new ones apart from changed ones,
// and each that others decide on with the version over which it is written.
import { HashMap } from "effect"
import { linksOf } from "#core/decisions/Books.ts"
import { orderStatus } from "#core/domain/Order.ts"
import type { Commit } from "./Commits.ts"
import { accountRow, audit, keyRow, tallies } from "./rows/AccountRows.ts"
import {
  bindingRow,
  bookedEntries,
  events,
  holds,
  linkRow,
  ordersWithStatus,
  payments,
  promoUses,
  quotes
} from "./rows/OrderRows.ts"
import { filled, on, over, type Part, sorted, stemmed, type Writing } from "./Writing.ts"
import { offerRows, promoRows, seenVersions, writtenPromos } from "./WrittenOffer.ts"
import { webhookRows, writtenSubscriptions } from "./WrittenWebhooks.ts"

/** All that were decided on, changed or not: that is how an account guards what is its own. And those that are new. */
const writtenAccounts = ({ loaded, after }: Writing): ReadonlyArray<string> =>
  Array.from(HashMap.keys(after.accounts)).filter(
    (id) => loaded.versions.accounts.has(id) || !HashMap.has(loaded.books.accounts, id)
  )

const accountRows = (writing: Writing): Part => ({
  accounts: on(writing.after.accounts, writtenAccounts(writing)).map((account) =>
    over(writing, writing.loaded.versions.accounts, account.accountId, accountRow(account))
  )
})

const registerRows = (writing: Writing): Part => {
  const { touched } = writing
  const keys = sorted(writing, (books) => books.keys, touched.keys, keyRow)
  const rows = filled({
    new_keys: keys.fresh,
    keys: keys.changed,
    audit: touched.audit.map((record) => audit.row({ ...record }))
  })
  return stemmed(rows, writing.stem)
}

const orderRows = (writing: Writing): Part => {
  const { after, touched } = writing
  const orderIds = new Set([...touched.orders, ...on(after.links, touched.links).map(({ orderId }) => orderId)])
  const orders = sorted(
    writing,
    (books) => books.orders,
    orderIds,
    (order) => ordersWithStatus.row({ ...order, status: orderStatus(linksOf(after, order)) })
  )
  const quoteRows = sorted(
    writing,
    (books) => books.quotes,
    touched.quotes,
    (quote) => quotes.row({ ...quote })
  )
  const holdRows = sorted(
    writing,
    (books) => books.holds,
    touched.holds,
    (hold) => holds.row({ ...hold })
  )
  const links = sorted(writing, (books) => books.links, touched.links, linkRow)
  const bindings = sorted(writing, (books) => books.bindings, touched.bindings, bindingRow)
  const uses = [...touched.promoUses.values()]
  return {
    tallies: on(after.tallies, touched.tallies).map((tally) => tallies.row({ ...tally })),
    new_quotes: quoteRows.fresh,
    new_holds: holdRows.fresh,
    new_orders: orders.fresh,
    new_links: links.fresh,
    new_bindings: bindings.fresh,
    progress: filled({
      quotes: quoteRows.changed,
      holds: holdRows.changed,
      orders: orders.changed,
      links: links.changed,
      bindings: bindings.changed,
      payments: touched.payments.map((payment) => payments.row({ ...payment })),
      promo_uses_gone: uses.filter(({ gone }) => gone).map((use) => promoUses.row({ ...use }))
    }),
    ledger: touched.ledger.map((entry) => bookedEntries.row({ ...entry })),
    events: touched.events.map((event) => events.row({ ...event }))
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
    ...named("account", writtenAccounts(writing)),
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
