// The part of the books that a decision asked for, and nothing else: a decision that looks at something it did not name
// finds it missing here, as it would in a database. Pure.
import { HashMap } from "effect"
import { type Books, bindingId, emptyBooks, find, linkedId, pick, tallyId } from "#core/decisions/Books.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Link } from "#core/domain/Link.ts"
import { type Millis, utcDay } from "#core/domain/DecisionContext.ts"
import { normaliseCode } from "#core/domain/Promo.ts"
import type { Quote } from "#core/domain/Quote.ts"
import type { LedgerEntry } from "#core/domain/Wallet.ts"
import { drawers } from "./Drawers.ts"
import { type Index, idsIn } from "./Indexes.ts"

type Part = Partial<Books>

type Of<Tag extends Reads["_tag"]> = Extract<Reads, { readonly _tag: Tag }>

/** Where events of the key's orders may be sent: revoked subscriptions hear nothing any more. */
const activeSubscriptionsOf = (books: Books, index: Index, keyId: string) =>
  pick(books.subscriptions, idsIn(index, drawers.activeSubscriptionsOf(keyId)))

const linked = (index: Index, { accountId, targets }: Of<"ForPlacement">): ReadonlySet<string> => {
  const known = targets.filter(({ siteId, host }) => index.drawer(drawers.linksTo(accountId, siteId, host)).size > 0)
  return new Set(known.map((target) => linkedId(accountId, target)))
}

const forPlacement = (books: Books, index: Index, asked: Of<"ForPlacement">, nowMs: Millis): Part => ({
  keys: pick(books.keys, [asked.keyId]),
  subscriptions: activeSubscriptionsOf(books, index, asked.keyId),
  accounts: pick(books.accounts, [asked.accountId]),
  tallies: pick(books.tallies, [tallyId(asked.keyId, utcDay(nowMs))]),
  sites: pick(books.sites, asked.siteIds),
  articles: pick(books.articles, asked.articleIds),
  projects: pick(books.projects, asked.projectIds),
  opportunities: pick(books.opportunities, asked.opportunityIds),
  promos: asked.promoCode === null ? HashMap.empty() : pick(books.promos, [normaliseCode(asked.promoCode)]),
  bindings:
    asked.idempotencyKey === null
      ? HashMap.empty()
      : pick(books.bindings, [bindingId(asked.keyId, asked.idempotencyKey)]),
  linked: linked(index, asked)
})

const boundTo = ({ keyId, idempotencyKey }: Quote): string | null =>
  idempotencyKey === null ? null : bindingId(keyId, idempotencyKey)

const forQuote = (books: Books, index: Index, { quoteId, paymentId }: Of<"ForQuote">): Part => {
  const payments = pick(books.payments, [...idsIn(index, drawers.paymentsOf(quoteId)), paymentId])
  const quote = find(books.quotes, quoteId)
  if (quote === undefined) return { payments }
  const { accountId, keyId, holdId, orderId, discount, lines, createdAtMs } = quote
  const order = orderId === null ? undefined : find(books.orders, orderId)
  return {
    payments,
    quotes: pick(books.quotes, [quoteId]),
    accounts: pick(books.accounts, [accountId]),
    holds: pick(books.holds, [holdId]),
    articles: pick(
      books.articles,
      lines.map(({ item }) => item.articleId)
    ),
    promos: pick(books.promos, [discount.code]),
    orders: pick(books.orders, [orderId]),
    links: pick(books.links, order?.linkIds ?? []),
    bindings: pick(books.bindings, [boundTo(quote)]),
    tallies: pick(books.tallies, [tallyId(keyId, utcDay(createdAtMs))]),
    subscriptions: activeSubscriptionsOf(books, index, keyId)
  }
}

const forOrder = (books: Books, index: Index, orderId: string | undefined): Part => {
  const order = orderId === undefined ? undefined : find(books.orders, orderId)
  if (order === undefined) return {}
  const links = pick(books.links, order.linkIds)
  return {
    orders: pick(books.orders, [order.orderId]),
    accounts: pick(books.accounts, [order.accountId]),
    quotes: pick(books.quotes, [order.quoteId]),
    subscriptions: activeSubscriptionsOf(books, index, order.keyId),
    links,
    articles: pick(
      books.articles,
      Array.from(HashMap.values(links), ({ articleId }: Link) => articleId)
    )
  }
}

const forAccount = (books: Books, index: Index, accountId: string | undefined): Part =>
  accountId === undefined
    ? {}
    : {
        accounts: pick(books.accounts, [accountId]),
        keys: pick(books.keys, idsIn(index, drawers.keysOf(accountId))),
        subscriptions: pick(books.subscriptions, idsIn(index, drawers.subscriptionsOf(accountId)))
      }

const toppedUpAs = (books: Books, index: Index, { accountId, reference }: Of<"ForAccount">) =>
  reference === undefined
    ? HashMap.empty<string, LedgerEntry>()
    : pick(books.ledger, idsIn(index, drawers.toppedUpAs(accountId, reference)))

const forSubscription = (books: Books, index: Index, { webhookId, deliveryId }: Of<"ForSubscription">): Part => ({
  ...forAccount(books, index, find(books.subscriptions, webhookId)?.accountId),
  deliveries: pick(books.deliveries, [deliveryId])
})

const forDeliveries = (books: Books, deliveryIds: ReadonlyArray<string>): Part => {
  const deliveries = pick(books.deliveries, deliveryIds)
  const webhookIds = Array.from(HashMap.values(deliveries), ({ webhookId }) => webhookId)
  return { deliveries, subscriptions: pick(books.subscriptions, webhookIds) }
}

const forListing = (books: Books, asked: Of<"ForListing">): Part => ({
  sites: pick(books.sites, asked.siteIds),
  articles: pick(books.articles, asked.articleIds),
  promos: pick(books.promos, asked.promoCodes.map(normaliseCode)),
  projects: pick(books.projects, asked.projectIds),
  opportunities: pick(books.opportunities, asked.opportunityIds),
  accounts: pick(books.accounts, asked.accountIds)
})

const part = (books: Books, index: Index, reads: Reads, nowMs: Millis): Part => {
  switch (reads._tag) {
    case "ForPlacement":
      return forPlacement(books, index, reads, nowMs)
    case "ForQuote":
      return forQuote(books, index, reads)
    case "ForOrder":
      return forOrder(books, index, reads.orderId)
    case "ForLink":
      return forOrder(books, index, find(books.links, reads.linkId)?.orderId)
    case "ForAccount":
      return { ...forAccount(books, index, reads.accountId), ledger: toppedUpAs(books, index, reads) }
    case "ForKey":
      return forAccount(books, index, find(books.keys, reads.keyId)?.accountId)
    case "ForSubscription":
      return forSubscription(books, index, reads)
    case "ForDeliveries":
      return forDeliveries(books, reads.deliveryIds)
    case "ForListing":
      return forListing(books, reads)
  }
}

/** `nowMs` tells which day's tally is today's. The fulfilment switch comes with everything: it belongs to the shop. */
export const slice = (books: Books, index: Index, reads: Reads, nowMs: Millis): Books => ({
  ...emptyBooks,
  fulfilment: books.fulfilment,
  ...part(books, index, reads, nowMs)
})
