// Folds one change into the books. Total and without judgement: whether a change is right was decided before.
import { HashMap, HashSet } from "effect"
import type { WelcomeOffer } from "#core/domain/Account.ts"
import type { ApiKey } from "#core/domain/ApiKey.ts"
import type { Article } from "#core/domain/Catalogue.ts"
import type { DailyUsage } from "#core/domain/DailyUsage.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import type { Link } from "#core/domain/Link.ts"
import type { Promo } from "#core/domain/Promo.ts"
import type { Quote } from "#core/domain/Quote.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import type { Hold, LedgerEntry } from "#core/domain/Wallet.ts"
import { type Books, bindingId, dailyUsageId, dailyUsageOf, find } from "./Books.ts"
import type { Change, LinkMove } from "./Change.ts"

const record = (books: Books, entry: LedgerEntry): Books => ({
  ...books,
  ledger: HashMap.set(books.ledger, entry.entryId, entry),
  accounts: HashMap.modify(books.accounts, entry.accountId, (account) => ({
    ...account,
    wallet: { balanceCents: entry.balanceAfterCents, heldCents: entry.heldAfterCents }
  }))
})

const onHold = (books: Books, holdId: string, state: Hold["state"]): Books => ({
  ...books,
  holds: HashMap.modify(books.holds, holdId, (hold) => ({ ...hold, state }))
})

const onQuote = (books: Books, quoteId: string, change: (quote: Quote) => Partial<Quote>): Books => ({
  ...books,
  quotes: HashMap.modify(books.quotes, quoteId, (quote) => ({ ...quote, ...change(quote) }))
})

const onArticle = (books: Books, articleId: number, change: (article: Article) => Article["sale"]): Books => ({
  ...books,
  articles: HashMap.modify(books.articles, articleId, (article) => ({ ...article, sale: change(article) }))
})

const onPromo = (books: Books, code: string, change: (promo: Promo) => Partial<Promo>): Books => ({
  ...books,
  promos: HashMap.modify(books.promos, code, (promo) => ({ ...promo, ...change(promo) }))
})

const onWelcome = (books: Books, accountId: string, change: (welcome: WelcomeOffer) => WelcomeOffer): Books => ({
  ...books,
  accounts: HashMap.modify(books.accounts, accountId, (account) => ({ ...account, welcome: change(account.welcome) }))
})

const onKey = (books: Books, keyId: string, change: Partial<ApiKey>): Books => ({
  ...books,
  keys: HashMap.modify(books.keys, keyId, (key) => ({ ...key, ...change }))
})

const onTally = (
  books: Books,
  keyId: string,
  day: number,
  change: (tally: DailyUsage) => Partial<DailyUsage>
): Books => {
  const tally = dailyUsageOf(books, keyId, day)
  return {
    ...books,
    dailyUsage: HashMap.set(books.dailyUsage, dailyUsageId(keyId, day), { ...tally, ...change(tally) })
  }
}

const onSubscription = (
  books: Books,
  webhookId: string,
  change: (one: Subscription) => Partial<Subscription>
): Books => ({
  ...books,
  subscriptions: HashMap.modify(books.subscriptions, webhookId, (one) => ({ ...one, ...change(one) }))
})

const shelveDelivery = (books: Books, delivery: Delivery): Books => ({
  ...books,
  deliveries: HashMap.set(books.deliveries, delivery.deliveryId, delivery)
})

/** Looks at every delivery: a subscription ends rarely, and an index would have to be kept on every event. */
const dropDeliveries = (books: Books, webhookId: string): Books => ({
  ...books,
  deliveries: HashMap.map(books.deliveries, (delivery) =>
    delivery.webhookId === webhookId && delivery.state === "pending"
      ? { ...delivery, state: "dropped" as const, nextAttemptAtMs: null }
      : delivery
  )
})

const moved = (link: Link, move: LinkMove): Link => ({
  ...link,
  status: move.to,
  statusReason: move.reason,
  publishedUrl: move.to === "published" ? move.publishedUrl : link.publishedUrl,
  publishedAtMs: move.to === "published" ? move.atMs : link.publishedAtMs,
  history: [...link.history, { status: move.to, atMs: move.atMs }]
})

const without = (promo: Promo, gone: string) => promo.reservations.filter(({ quoteId }) => quoteId !== gone)

type Folds<Tag extends Change["_tag"]> = {
  readonly [T in Tag]: (books: Books, change: Extract<Change, { readonly _tag: T }>) => Books
}

const onMoney = {
  Credited: (books, { entry }) => record(books, entry),
  HoldPlaced: (books, { hold, entry }) => ({
    ...record(books, entry),
    holds: HashMap.set(books.holds, hold.holdId, hold)
  }),
  HoldCaptured: (books, { holdId, entry }) => record(onHold(books, holdId, "captured"), entry),
  HoldReleased: (books, { holdId, entry }) => record(onHold(books, holdId, "released"), entry),
  QuoteOpened: (books, { quote }) => ({ ...books, quotes: HashMap.set(books.quotes, quote.quoteId, quote) }),
  SessionStored: (books, { quoteId, sessionId, paymentUrl }) =>
    onQuote(books, quoteId, () => ({ sessionId, paymentUrl })),
  QuoteSettled: (books, { quoteId, orderId, holdId }) =>
    onQuote(books, quoteId, () => ({ status: "paid", abandonedBy: null, orderId, holdId })),
  QuoteAbandoned: (books, { quoteId, by }) => onQuote(books, quoteId, () => ({ status: "abandoned", abandonedBy: by })),
  QuoteCredited: (books, { quoteId, cents }) =>
    onQuote(books, quoteId, (quote) => ({ creditedCents: quote.creditedCents + cents })),
  PaymentRecorded: (books, { payment }) => ({
    ...books,
    payments: HashMap.set(books.payments, payment.paymentId, payment)
  }),
  OrderPlaced: (books, { order, links }) => ({
    ...books,
    orders: HashMap.set(books.orders, order.orderId, order),
    links: links.reduce((all, link) => HashMap.set(all, link.linkId, link), books.links)
  }),
  LinkMoved: (books, { move }) => ({
    ...books,
    links: HashMap.modify(books.links, move.linkId, (link) => moved(link, move))
  })
} satisfies Partial<Folds<Change["_tag"]>>

/** What quotes reserve and orders spend: articles, promotions, the welcome offer, the day of a key. */
const onReservations = {
  ArticleReserved: (books, { articleId, quoteId, untilMs }) =>
    onArticle(books, articleId, () => ({ state: "reserved", quoteId, untilMs })),
  ArticleSold: (books, { articleId, quoteId }) => onArticle(books, articleId, () => ({ state: "sold", quoteId })),
  ArticleFreed: (books, { articleId, quoteId }) =>
    onArticle(books, articleId, ({ sale }) =>
      sale.state !== "free" && sale.quoteId === quoteId ? { state: "free" } : sale
    ),
  PromoReserved: (books, { code, reservation }) =>
    onPromo(books, code, (promo) => ({ reservations: [...without(promo, reservation.quoteId), reservation] })),
  PromoSpent: (books, { code, accountId, quoteId }) =>
    onPromo(books, code, (promo) => ({
      redeemed: promo.redeemed + 1,
      redeemedBy: HashSet.add(promo.redeemedBy, accountId),
      reservations: without(promo, quoteId)
    })),
  PromoReleased: (books, { code, quoteId }) =>
    onPromo(books, code, (promo) => ({ reservations: without(promo, quoteId) })),
  WelcomeReserved: (books, { accountId, quoteId, untilMs }) =>
    onWelcome(books, accountId, () => ({ state: "reserved", quoteId, untilMs })),
  WelcomeSpent: (books, { accountId, quoteId }) => onWelcome(books, accountId, () => ({ state: "spent", quoteId })),
  WelcomeReleased: (books, { accountId, quoteId }) =>
    onWelcome(books, accountId, (welcome) =>
      welcome.state === "reserved" && welcome.quoteId === quoteId ? { state: "available" } : welcome
    ),
  DailyOrderCounted: (books, { keyId, day }) => onTally(books, keyId, day, ({ quotes }) => ({ quotes: quotes + 1 })),
  DailySpendChanged: (books, { keyId, day, cents }) =>
    onTally(books, keyId, day, ({ spentCents }) => ({ spentCents: spentCents + cents }))
} satisfies Partial<Folds<Change["_tag"]>>

/** Accounts, keys, subscriptions, the catalogue, and what is only ever added to. */
const onRegisters = {
  AccountOpened: (books, { account }) => ({
    ...books,
    accounts: HashMap.set(books.accounts, account.accountId, account)
  }),
  KeyIssued: (books, { key }) => ({ ...books, keys: HashMap.set(books.keys, key.keyId, key) }),
  KeyRevoked: (books, { keyId, atMs }) => onKey(books, keyId, { revokedAtMs: atMs }),
  KeyLimited: (books, { keyId, limits }) => onKey(books, keyId, { limits }),
  KeyBound: (books, { binding }) => ({
    ...books,
    bindings: HashMap.set(books.bindings, bindingId(binding.keyId, binding.idempotencyKey), binding)
  }),
  ResponseStored: (books, { keyId, idempotencyKey, response: answer }) => ({
    ...books,
    bindings: HashMap.modify(books.bindings, bindingId(keyId, idempotencyKey), (binding) => ({
      ...binding,
      response: answer
    }))
  }),
  SubscriptionAdded: (books, { subscription }) => ({
    ...books,
    subscriptions: HashMap.set(books.subscriptions, subscription.webhookId, subscription)
  }),
  SubscriptionRevoked: (books, { webhookId, atMs }) =>
    dropDeliveries(
      onSubscription(books, webhookId, () => ({ revokedAtMs: atMs })),
      webhookId
    ),
  SecretRotated: (books, { webhookId, sealedSigningKey, previousKeys }) =>
    onSubscription(books, webhookId, () => ({ sealedSigningKey, previousKeys })),
  EndpointHealthChanged: (books, { webhookId, health }) => {
    const before = find(books.subscriptions, webhookId)?.health.disabledAtMs ?? null
    const fared = onSubscription(books, webhookId, () => ({ health }))
    return before === null && health.disabledAtMs !== null ? dropDeliveries(fared, webhookId) : fared
  },
  DeliveryQueued: (books, { delivery }) => shelveDelivery(books, delivery),
  DeliveryMoved: (books, { delivery }) => shelveDelivery(books, delivery),
  SiteListed: (books, { site }) => ({ ...books, sites: HashMap.set(books.sites, site.siteId, site) }),
  ArticleListed: (books, { article }) => ({
    ...books,
    articles: HashMap.set(books.articles, article.articleId, article)
  }),
  PromoDefined: (books, { promo }) => ({ ...books, promos: HashMap.set(books.promos, promo.code, promo) }),
  ProjectSaved: (books, { project }) => ({
    ...books,
    projects: HashMap.set(books.projects, project.projectId, project)
  }),
  OpportunitySaved: (books, { opportunity }) => ({
    ...books,
    opportunities: HashMap.set(books.opportunities, opportunity.opportunityId, opportunity)
  }),
  FulfilmentSwitched: (books, { fulfilment }) => ({ ...books, fulfilment }),
  EventRaised: (books, { event }) => ({ ...books, events: HashMap.set(books.events, event.eventId, event) }),
  AuditRecorded: (books, { record }) => ({ ...books, audit: HashMap.set(books.audit, record.auditId, record) })
} satisfies Partial<Folds<Change["_tag"]>>

const folds: Folds<Change["_tag"]> = { ...onMoney, ...onReservations, ...onRegisters }

export const apply = (books: Books, change: Change): Books => {
  // The table pairs each tag with the fold of that very change; TypeScript cannot follow the pairing through an index.
  const fold = folds[change._tag] as (books: Books, change: Change) => Books
  return fold(books, change)
}
