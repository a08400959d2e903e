// The part of the books that a decision's reads name. Anything else is missing here, as it would be in a database.
import { HashMap } from "effect"
import { type Books, bindingOf, boundFor, dailyUsageId, emptyBooks, find, idIn, pick } from "#core/decisions/Books.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { Binding } from "#core/domain/ordering/Idempotency.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { hasExpired, isOpen, type Quote } from "#core/domain/ordering/Quote.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import { normaliseCode } from "#core/domain/pricing/Promo.ts"
import { type Millis, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, DeliveryId, MemberId, OrderId, PaymentId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type Delivery, TESTS_WINDOW_MS } from "#core/domain/webhooks/Delivery.ts"
import { linkedTargets } from "./AccountLinks.ts"
import { forAccount, forClosing, forEmail, forInvitation, membersOf } from "./AccountSlice.ts"
import { forReplay } from "./MissedEvents.ts"
import { siteDomainsFor } from "./SiteDomains.ts"
import { welcomeUsesFor, welcomeUsesOf } from "./WelcomeUses.ts"

type PartialBooks = Partial<Books>

type Of<Tag extends Reads["_tag"]> = Extract<Reads, { readonly _tag: Tag }>

/** Where events of what a key places may be sent: its subscriptions that are not revoked, and those for its whole account. */
const activeSubscriptionsOf = (
  { subscriptions }: Books,
  { keyId, accountId }: Pick<Quote, "keyId" | "accountId">
): Books["subscriptions"] =>
  HashMap.filter(
    subscriptions,
    (one) => one.accountId === accountId && one.revokedAtMs === null && (one.keyId === keyId || one.scope === "account")
  )

const holdsArticles = ({ mode, lines }: Quote): boolean =>
  mode === "live" && lines.some(({ item }) => item.articleId !== undefined)

/** The account's open live quotes that reserve articles, if the cart names some. */
const holdingArticles = (
  { quotes }: Books,
  { accountId, articleIds }: Of<"ForPlacement">,
  nowMs: Millis
): Books["quotes"] =>
  articleIds.length === 0
    ? HashMap.empty()
    : HashMap.filter(
        quotes,
        (quote) => quote.accountId === accountId && isOpen(quote) && holdsArticles(quote) && !hasExpired(quote, nowMs)
      )

const lookAlikes = (
  { quotes, keys }: Books,
  { accountId, lookAlikesOf }: Of<"ForPlacement">,
  nowMs: Millis
): Books["quotes"] => {
  if (lookAlikesOf === undefined) return HashMap.empty()
  return HashMap.filter(
    quotes,
    ({ keyId, itemsDigest, status, createdAtMs }) =>
      itemsDigest === lookAlikesOf &&
      status !== "abandoned" &&
      createdAtMs >= nowMs - SIMILAR_ORDER_WINDOW_MS &&
      find(keys, keyId)?.accountId === accountId
  )
}

const bindingTable = (binding: Binding | undefined): Books["bindings"] =>
  binding === undefined ? HashMap.empty() : HashMap.make([idIn.bindings(binding), binding])

const forPlacement = (books: Books, reads: Of<"ForPlacement">, nowMs: Millis): PartialBooks => ({
  keys: pick(books.keys, [reads.keyId]),
  subscriptions: activeSubscriptionsOf(books, reads),
  accounts: pick(books.accounts, [reads.accountId]),
  dailyUsage: pick(books.dailyUsage, [dailyUsageId(reads.keyId, utcDay(nowMs))]),
  sites: pick(books.sites, reads.siteIds),
  articles: pick(books.articles, reads.articleIds),
  quotes: HashMap.union(holdingArticles(books, reads, nowMs), lookAlikes(books, reads, nowMs)),
  projects: pick(books.projects, reads.projectIds),
  opportunities: pick(books.opportunities, reads.opportunityIds),
  promos: pick(books.promos, [reads.promoCode && normaliseCode(reads.promoCode)]),
  welcomeUses: welcomeUsesFor(books, reads.accountId, reads.welcomeDomains),
  bindings: bindingTable(reads.idempotencyKey === null ? undefined : boundFor(books, reads, reads.idempotencyKey)),
  linked: linkedTargets(books, reads.accountId, reads.targets)
})

/** What was paid for a quote, and the payment of that id. */
const paidFor = ({ payments, setAside, reversals }: Books, quoteId: QuoteId, paymentId?: PaymentId) => ({
  payments: HashMap.filter(payments, (one) => one.quoteId === quoteId || one.paymentId === paymentId),
  setAside: HashMap.filter(setAside, (one) => one.quoteId === quoteId || one.paymentId === paymentId),
  reversals: HashMap.filter(reversals, (one) => one.quoteId === quoteId)
})

const forQuote = (books: Books, { quoteId, paymentId }: Of<"ForQuote">): PartialBooks => {
  const paid = paidFor(books, quoteId, paymentId)
  const quote = find(books.quotes, quoteId)
  if (quote === undefined) return paid
  const { accountId, keyId, holdId, orderId, discount, lines, createdAtMs } = quote
  const order = find(books.orders, orderId)
  return {
    ...paid,
    quotes: pick(books.quotes, [quoteId]),
    accounts: pick(books.accounts, [accountId]),
    holds: pick(books.holds, [holdId]),
    articles: pick(
      books.articles,
      lines.map(({ item }) => item.articleId)
    ),
    promos: pick(books.promos, [discount.code]),
    welcomeUses: welcomeUsesOf(books, quote),
    orders: pick(books.orders, [orderId]),
    links: pick(books.links, order?.linkIds ?? []),
    bindings: bindingTable(bindingOf(books, quote)),
    dailyUsage: pick(books.dailyUsage, [dailyUsageId(keyId, utcDay(createdAtMs))]),
    keys: pick(books.keys, [keyId]),
    subscriptions: activeSubscriptionsOf(books, quote)
  }
}

const forApproval = (books: Books, { quoteId }: Of<"ForApproval">): PartialBooks => {
  const quote = find(books.quotes, quoteId)
  if (quote === undefined) return {}
  return {
    ...forQuote(books, { _tag: "ForQuote", quoteId }),
    members: membersOf(books, quote.accountId)
  }
}

const forOrder = (books: Books, orderId: OrderId | undefined): PartialBooks => {
  const order = find(books.orders, orderId)
  if (order === undefined) return {}
  const links = pick(books.links, order.linkIds)
  return {
    orders: pick(books.orders, [order.orderId]),
    accounts: pick(books.accounts, [order.accountId]),
    quotes: pick(books.quotes, [order.quoteId]),
    ...paidFor(books, order.quoteId),
    keys: pick(books.keys, [order.keyId]),
    subscriptions: activeSubscriptionsOf(books, order),
    links,
    articles: pick(
      books.articles,
      Array.from(HashMap.values(links), ({ articleId }: Link) => articleId)
    )
  }
}

const forChange = (books: Books, { orderId, accountId, keyId, target }: Of<"ForChange">): PartialBooks => {
  const order = find(books.orders, orderId)
  if (order === undefined) return {}
  const others = { ...books, links: HashMap.filter(books.links, (link) => link.orderId !== orderId) }
  return {
    ...forOrder(books, orderId),
    members: membersOf(books, order.accountId),
    keys: HashMap.filter(pick(books.keys, [order.keyId, keyId]), (key) => key.accountId === order.accountId),
    linked: linkedTargets(others, accountId, [target])
  }
}
const activeMember = ({ members }: Books, memberId: MemberId | undefined): Books["members"] =>
  HashMap.filter(pick(members, [memberId]), ({ removedAtMs }) => removedAtMs === null)

const forSubscription = (
  books: Books,
  { webhookId, deliveryId, tests = false }: Of<"ForSubscription">,
  nowMs: Millis
): PartialBooks => {
  const isRecentTest = (one: Delivery) =>
    one.webhookId === webhookId && one.event === "webhook.test" && one.createdAtMs > nowMs - TESTS_WINDOW_MS
  const recent = tests ? HashMap.filter(books.deliveries, isRecentTest) : HashMap.empty<DeliveryId, Delivery>()
  return {
    ...forAccount(books, find(books.subscriptions, webhookId)?.accountId),
    deliveries: HashMap.union(recent, pick(books.deliveries, [deliveryId]))
  }
}

const forDeliveries = (books: Books, deliveryIds: ReadonlyArray<DeliveryId>): PartialBooks => {
  const deliveries = pick(books.deliveries, deliveryIds)
  const webhookIds = Array.from(HashMap.values(deliveries), ({ webhookId }) => webhookId)
  return { deliveries, subscriptions: pick(books.subscriptions, webhookIds) }
}

const toppedUpAs = (
  { ledger }: Books,
  accountId: AccountId | undefined,
  reference: string | undefined
): Books["ledger"] =>
  reference === undefined
    ? HashMap.empty()
    : HashMap.filter(ledger, (entry) => entry.accountId === accountId && entry.reference === reference)

const forListing = (books: Books, reads: Of<"ForListing">): PartialBooks => ({
  ...(reads.listedSites === undefined ? {} : { siteDomains: siteDomainsFor(books, reads.listedSites) }),
  sites: pick(books.sites, reads.siteIds),
  articles: pick(books.articles, reads.articleIds),
  promos: pick(books.promos, reads.promoCodes.map(normaliseCode)),
  projects: pick(books.projects, reads.projectIds),
  opportunities: pick(books.opportunities, reads.opportunityIds),
  accounts: pick(books.accounts, reads.accountIds)
})

const partFor = (books: Books, reads: Reads, nowMs: Millis): PartialBooks => {
  switch (reads._tag) {
    case "ForPlacement":
      return forPlacement(books, reads, nowMs)
    case "ForQuote":
      return forQuote(books, reads)
    case "ForApproval":
      return forApproval(books, reads)
    case "ForOrder":
      return { ...forOrder(books, reads.orderId), members: activeMember(books, reads.memberId) }
    case "ForLink":
      return forOrder(books, find(books.links, reads.linkId)?.orderId)
    case "ForChange":
      return forChange(books, reads)
    case "ForEmail":
      return forEmail(books, reads)
    case "ForInvitation":
      return forInvitation(books, reads.invitationId)
    case "ForAccount": {
      const { accountId, reference } = reads
      return { ...forAccount(books, accountId), ledger: toppedUpAs(books, accountId, reference) }
    }
    case "ForClosing":
      return forClosing(books, reads.accountId)
    case "ForTopUp": {
      const accountId = find(books.topUps, reads.topUpId)?.accountId ?? reads.accountId
      return {
        ...forAccount(books, accountId),
        topUps: pick(books.topUps, [reads.topUpId]),
        topUpReversals: HashMap.filter(books.topUpReversals, (one) => one.topUpId === reads.topUpId),
        setAside: HashMap.filter(books.setAside, (one) => one.paymentId === reads.reference),
        ledger: toppedUpAs(books, accountId, reads.reference)
      }
    }
    case "ForKey":
      return forAccount(books, find(books.keys, reads.keyId)?.accountId)
    case "ForSubscription":
      return forSubscription(books, reads, nowMs)
    case "ForReplay":
      return forReplay(books, reads)
    case "ForDeliveries":
      return forDeliveries(books, reads.deliveryIds)
    case "ForListing":
      return forListing(books, reads)
  }
}

/** `nowMs` selects today's usage. The fulfilment switch is part of every slice. */
export const slice = (books: Books, reads: Reads, nowMs: Millis): Books => ({
  ...emptyBooks,
  fulfilment: books.fulfilment,
  ...partFor(books, reads, nowMs)
})
