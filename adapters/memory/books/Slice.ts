// The part of the books that a decision's reads name. Anything else is missing here, as it would be in a database.
import { HashMap, Iterable } from "effect"
import { type Books, bindingId, dailyUsageId, emptyBooks, find, linkedId, pick } from "#core/decisions/Books.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { hasExpired, type Quote } from "#core/domain/ordering/Quote.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import { normaliseCode } from "#core/domain/pricing/Promo.ts"
import { isSameDomain, welcomeDomains, welcomeDomainsOf } from "#core/domain/pricing/WelcomeUse.ts"
import { type Millis, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, DeliveryId, KeyId, OrderId } from "#core/domain/shared/Ids.ts"
import { TESTS_WINDOW_MS } from "#core/domain/webhooks/Delivery.ts"
import { idsIn, type ReadonlyIndexes } from "./Indexes.ts"
import { indexKeys } from "./IndexKeys.ts"

type PartialBooks = Partial<Books>

type Of<Tag extends Reads["_tag"]> = Extract<Reads, { readonly _tag: Tag }>

/** Where events of the key's orders are sent: subscriptions that are not revoked. */
const activeSubscriptionsOf = (books: Books, indexes: ReadonlyIndexes, keyId: KeyId) =>
  pick(books.subscriptions, idsIn(indexes, indexKeys.activeSubscriptionsOf(keyId)))

const linked = (indexes: ReadonlyIndexes, { accountId, targets }: Of<"ForPlacement">): ReadonlySet<string> => {
  const known = targets.filter(({ siteId, host }) => indexes.get(indexKeys.linksTo(accountId, siteId, host)).size > 0)
  return new Set(known.map((target) => linkedId(accountId, target)))
}

const holdsArticles = ({ mode, lines }: Quote): boolean =>
  mode === "live" && lines.some(({ item }) => item.articleId !== undefined)

/** The account's open live quotes that reserve articles, if the cart names some. */
const holdingArticles = (
  { quotes }: Books,
  indexes: ReadonlyIndexes,
  { accountId, articleIds }: Of<"ForPlacement">,
  nowMs: Millis
): Books["quotes"] =>
  articleIds.length === 0
    ? HashMap.empty()
    : HashMap.filter(
        pick(quotes, idsIn(indexes, indexKeys.openOf(accountId))),
        (quote) => holdsArticles(quote) && !hasExpired(quote, nowMs)
      )

/** What decides whether a self-opened account gets the welcome offer for these domains. */
const welcomeUsesFor = (books: Books, accountId: AccountId, domains: ReadonlyArray<string>): Books["welcomeUses"] =>
  find(books.accounts, accountId)?.selfOpened === true
    ? HashMap.filter(books.welcomeUses, (use) => domains.some((domain) => isSameDomain(use.domain, domain)))
    : HashMap.empty()

const lookAlikes = (
  { quotes }: Books,
  indexes: ReadonlyIndexes,
  { accountId, lookAlikesOf }: Of<"ForPlacement">,
  nowMs: Millis
): Books["quotes"] => {
  if (lookAlikesOf === undefined) return HashMap.empty()
  const recent = idsIn(indexes, indexKeys.keysOf(accountId)).flatMap((keyId) => {
    const newest = indexes.get(indexKeys.lookAlikes(keyId, lookAlikesOf)).before(null)
    return Array.from(Iterable.takeWhile(newest, ({ score }) => score >= nowMs - SIMILAR_ORDER_WINDOW_MS))
  })
  return pick(
    quotes,
    recent.map(({ id }) => id)
  )
}

const bindingOf = ({ keyId, idempotencyKey }: Pick<Quote, "keyId" | "idempotencyKey">): string | null =>
  idempotencyKey === null ? null : bindingId(keyId, idempotencyKey)

const forPlacement = (
  books: Books,
  indexes: ReadonlyIndexes,
  reads: Of<"ForPlacement">,
  nowMs: Millis
): PartialBooks => ({
  keys: pick(books.keys, [reads.keyId]),
  subscriptions: activeSubscriptionsOf(books, indexes, reads.keyId),
  accounts: pick(books.accounts, [reads.accountId]),
  dailyUsage: pick(books.dailyUsage, [dailyUsageId(reads.keyId, utcDay(nowMs))]),
  sites: pick(books.sites, reads.siteIds),
  articles: pick(books.articles, reads.articleIds),
  quotes: HashMap.union(holdingArticles(books, indexes, reads, nowMs), lookAlikes(books, indexes, reads, nowMs)),
  projects: pick(books.projects, reads.projectIds),
  opportunities: pick(books.opportunities, reads.opportunityIds),
  promos: pick(books.promos, [reads.promoCode && normaliseCode(reads.promoCode)]),
  welcomeUses: welcomeUsesFor(books, reads.accountId, welcomeDomainsOf(reads.targets.map(({ host }) => host))),
  bindings: pick(books.bindings, [bindingOf(reads)]),
  linked: linked(indexes, reads)
})

const forQuote = (books: Books, indexes: ReadonlyIndexes, { quoteId, paymentId }: Of<"ForQuote">): PartialBooks => {
  const payments = pick(books.payments, [...idsIn(indexes, indexKeys.paymentsOf(quoteId)), paymentId])
  const setAside = pick(books.setAside, [...idsIn(indexes, indexKeys.setAsideOf(quoteId)), paymentId])
  const quote = find(books.quotes, quoteId)
  if (quote === undefined) return { payments, setAside }
  const { accountId, keyId, holdId, orderId, discount, lines, createdAtMs } = quote
  const order = find(books.orders, orderId)
  return {
    payments,
    setAside,
    reversals: pick(books.reversals, idsIn(indexes, indexKeys.reversalsOf(quoteId))),
    quotes: pick(books.quotes, [quoteId]),
    accounts: pick(books.accounts, [accountId]),
    holds: pick(books.holds, [holdId]),
    articles: pick(
      books.articles,
      lines.map(({ item }) => item.articleId)
    ),
    promos: pick(books.promos, [discount.code]),
    welcomeUses: welcomeUsesFor(books, accountId, welcomeDomains(lines.map(({ item }) => item))),
    orders: pick(books.orders, [orderId]),
    links: pick(books.links, order?.linkIds ?? []),
    bindings: pick(books.bindings, [bindingOf(quote)]),
    dailyUsage: pick(books.dailyUsage, [dailyUsageId(keyId, utcDay(createdAtMs))]),
    subscriptions: activeSubscriptionsOf(books, indexes, keyId)
  }
}

const forApproval = (books: Books, indexes: ReadonlyIndexes, { quoteId }: Of<"ForApproval">): PartialBooks => {
  const quote = find(books.quotes, quoteId)
  if (quote === undefined) return {}
  return {
    ...forQuote(books, indexes, { _tag: "ForQuote", quoteId }),
    keys: pick(books.keys, [quote.keyId]),
    members: pick(books.members, idsIn(indexes, indexKeys.membersOf(quote.accountId)))
  }
}

const forOrder = (books: Books, indexes: ReadonlyIndexes, orderId: OrderId | undefined): PartialBooks => {
  const order = find(books.orders, orderId)
  if (order === undefined) return {}
  const links = pick(books.links, order.linkIds)
  return {
    orders: pick(books.orders, [order.orderId]),
    accounts: pick(books.accounts, [order.accountId]),
    quotes: pick(books.quotes, [order.quoteId]),
    payments: pick(books.payments, idsIn(indexes, indexKeys.paymentsOf(order.quoteId))),
    setAside: pick(books.setAside, idsIn(indexes, indexKeys.setAsideOf(order.quoteId))),
    reversals: pick(books.reversals, idsIn(indexes, indexKeys.reversalsOf(order.quoteId))),
    subscriptions: activeSubscriptionsOf(books, indexes, order.keyId),
    links,
    articles: pick(
      books.articles,
      Array.from(HashMap.values(links), ({ articleId }: Link) => articleId)
    )
  }
}

const forAccount = (books: Books, indexes: ReadonlyIndexes, accountId: AccountId | undefined): PartialBooks => {
  if (accountId === undefined) return {}
  return {
    accounts: pick(books.accounts, [accountId]),
    members: pick(books.members, idsIn(indexes, indexKeys.membersOf(accountId))),
    keys: pick(books.keys, idsIn(indexes, indexKeys.keysOf(accountId))),
    subscriptions: pick(books.subscriptions, idsIn(indexes, indexKeys.subscriptionsOf(accountId)))
  }
}

const forEmail = (books: Books, indexes: ReadonlyIndexes, { email, accountId }: Of<"ForEmail">): PartialBooks => ({
  accounts: pick(books.accounts, [...idsIn(indexes, indexKeys.accountsWith(email)), accountId]),
  members: pick(books.members, [
    ...idsIn(indexes, indexKeys.memberWith(email)),
    ...(accountId === undefined ? [] : idsIn(indexes, indexKeys.membersOf(accountId)))
  ])
})

const forSubscription = (
  books: Books,
  indexes: ReadonlyIndexes,
  { webhookId, deliveryId, tests = false }: Of<"ForSubscription">,
  nowMs: Millis
): PartialBooks => {
  const afterMs = nowMs - TESTS_WINDOW_MS
  const recent = tests
    ? Iterable.takeWhile(indexes.get(indexKeys.testsOf(webhookId)).before(null), ({ score }) => score > afterMs)
    : []
  return {
    ...forAccount(books, indexes, find(books.subscriptions, webhookId)?.accountId),
    deliveries: pick(books.deliveries, [deliveryId, ...Iterable.map(recent, ({ id }) => id)])
  }
}

const forDeliveries = (books: Books, deliveryIds: ReadonlyArray<DeliveryId>): PartialBooks => {
  const deliveries = pick(books.deliveries, deliveryIds)
  const webhookIds = Array.from(HashMap.values(deliveries), ({ webhookId }) => webhookId)
  return { deliveries, subscriptions: pick(books.subscriptions, webhookIds) }
}

const forListing = (books: Books, reads: Of<"ForListing">): PartialBooks => ({
  sites: pick(books.sites, reads.siteIds),
  articles: pick(books.articles, reads.articleIds),
  promos: pick(books.promos, reads.promoCodes.map(normaliseCode)),
  projects: pick(books.projects, reads.projectIds),
  opportunities: pick(books.opportunities, reads.opportunityIds),
  accounts: pick(books.accounts, reads.accountIds)
})

const partFor = (books: Books, indexes: ReadonlyIndexes, reads: Reads, nowMs: Millis): PartialBooks => {
  switch (reads._tag) {
    case "ForPlacement":
      return forPlacement(books, indexes, reads, nowMs)
    case "ForQuote":
      return forQuote(books, indexes, reads)
    case "ForApproval":
      return forApproval(books, indexes, reads)
    case "ForOrder":
      return forOrder(books, indexes, reads.orderId)
    case "ForLink":
      return forOrder(books, indexes, find(books.links, reads.linkId)?.orderId)
    case "ForEmail":
      return forEmail(books, indexes, reads)
    case "ForAccount": {
      const { accountId, reference } = reads
      const entryIds = reference === undefined ? [] : idsIn(indexes, indexKeys.toppedUpAs(accountId, reference))
      return { ...forAccount(books, indexes, accountId), ledger: pick(books.ledger, entryIds) }
    }
    case "ForTopUp": {
      const topUp = find(books.topUps, reads.topUpId)
      const accountId = topUp?.accountId ?? reads.accountId
      const { reference } = reads
      const isBooked = accountId !== undefined && reference !== undefined
      return {
        ...forAccount(books, indexes, accountId),
        topUps: pick(books.topUps, [reads.topUpId]),
        ledger: pick(books.ledger, isBooked ? idsIn(indexes, indexKeys.toppedUpAs(accountId, reference)) : [])
      }
    }
    case "ForKey":
      return forAccount(books, indexes, find(books.keys, reads.keyId)?.accountId)
    case "ForSubscription":
      return forSubscription(books, indexes, reads, nowMs)
    case "ForDeliveries":
      return forDeliveries(books, reads.deliveryIds)
    case "ForListing":
      return forListing(books, reads)
  }
}

/** `nowMs` selects today's usage. The fulfilment switch is part of every slice. */
export const slice = (books: Books, indexes: ReadonlyIndexes, reads: Reads, nowMs: Millis): Books => ({
  ...emptyBooks,
  fulfilment: books.fulfilment,
  ...partFor(books, indexes, reads, nowMs)
})
