// Folds one change into the books. Total and unconditional: the decision has already checked the change.
import { HashMap, HashSet } from "effect"
import { pausedAt } from "#core/domain/access/ApiKey.ts"
import type { ArticleState } from "#core/domain/catalogue/Catalogue.ts"
import type { WelcomeOffer } from "#core/domain/members/Account.ts"
import type { DailyUsage } from "#core/domain/ordering/DailyCap.ts"
import { withNewText } from "#core/domain/ordering/LinkChange.ts"
import { moved } from "#core/domain/ordering/LinkHistory.ts"
import { changedQuote, type QuoteChange } from "#core/domain/ordering/QuoteChange.ts"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { type WelcomeUse, welcomeUseId } from "#core/domain/pricing/WelcomeUse.ts"
import type { HoldId, KeyId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Hold } from "#core/domain/wallet/Hold.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { dropped } from "#core/domain/webhooks/Delivery.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { type Books, dailyUsageId, dailyUsageOf, find, idIn, update, withRow } from "./Books.ts"
import type { Change } from "./Change.ts"

const book = (books: Books, entry: LedgerEntry): Books => ({
  ...books,
  ledger: HashMap.set(books.ledger, entry.entryId, entry),
  accounts: update(books.accounts, entry.accountId, () => ({
    wallet: { balanceCents: entry.balanceAfterCents, heldCents: entry.heldAfterCents }
  }))
})

const endHold = (books: Books, holdId: HoldId, state: Hold["state"], entry: LedgerEntry): Books =>
  book({ ...books, holds: update(books.holds, holdId, () => ({ state })) }, entry)

const updateSale = (books: Books, articleId: number, change: (sale: ArticleState) => ArticleState): Books => ({
  ...books,
  articles: update(books.articles, articleId, ({ sale }) => ({ sale: change(sale) }))
})

const updatePromo = (books: Books, code: string, change: (promo: Promo) => Partial<Promo>): Books => ({
  ...books,
  promos: update(books.promos, code, change)
})

const updateWelcome = (
  books: Books,
  welcome: WelcomeOffer,
  { accountId, quoteId, domains, registrable }: Omit<Extract<Change, { readonly _tag: "WelcomeSpent" }>, "_tag">,
  untilMs: WelcomeUse["untilMs"]
): Books => ({
  ...books,
  accounts: update(books.accounts, accountId, () => ({ welcome })),
  welcomeUses: domains.reduce((uses, domain) => {
    const id = welcomeUseId(domain, accountId)
    const computed = registrable === undefined ? {} : { registrable }
    return HashMap.set(uses, id, { ...find(uses, id), domain, accountId, quoteId, untilMs, ...computed })
  }, books.welcomeUses)
})

const updateUsage = (
  books: Books,
  keyId: KeyId,
  day: number,
  change: (usage: DailyUsage) => Partial<DailyUsage>
): Books => {
  const usage = dailyUsageOf(books, keyId, day)
  const dailyUsage = HashMap.set(books.dailyUsage, dailyUsageId(keyId, day), { ...usage, ...change(usage) })
  return { ...books, dailyUsage }
}

const updateSubscription = (books: Books, webhookId: WebhookId, change: Partial<Subscription>): Books => ({
  ...books,
  subscriptions: update(books.subscriptions, webhookId, () => change)
})

/** Scans all deliveries: a subscription ends rarely, while an index would cost on every event. */
const dropDeliveries = (books: Books, webhookId: WebhookId): Books => ({
  ...books,
  deliveries: HashMap.map(books.deliveries, (delivery) =>
    delivery.webhookId === webhookId ? dropped(delivery) : delivery
  )
})

/** Drops what is pending if the change disables the endpoint. */
const changeEndpoint = (books: Books, webhookId: WebhookId, change: Partial<Subscription>): Books => {
  const wasDisabled = (find(books.subscriptions, webhookId)?.health.disabledAtMs ?? null) !== null
  const after = updateSubscription(books, webhookId, change)
  return !wasDisabled && change.health?.disabledAtMs != null ? dropDeliveries(after, webhookId) : after
}

const without = (promo: Promo, gone: string) => promo.reservations.filter(({ quoteId }) => quoteId !== gone)

type Folds<Tag extends Change["_tag"]> = {
  readonly [T in Tag]: (books: Books, change: Extract<Change, { readonly _tag: T }>) => Books
}

const changeQuote = (books: Books, change: QuoteChange): Books => ({
  ...books,
  quotes: update(books.quotes, change.quoteId, (quote) => changedQuote(quote, change))
})

const onMoney = {
  Credited: (books, { entry }) => book(books, entry),
  Debited: (books, { entry }) => book(books, entry),
  OwedChanged: (books, { accountId, owedCents }) => ({
    ...books,
    accounts: HashMap.modify(books.accounts, accountId, ({ owedCents: _, ...account }) =>
      owedCents === 0 ? account : { ...account, owedCents }
    )
  }),
  TopUpReversed: (books, { reversal }) => withRow(books, "topUpReversals", reversal),
  TopUpSaved: (books, { topUp }) => withRow(books, "topUps", topUp),
  HoldPlaced: (books, { hold, entry }) => book({ ...books, holds: HashMap.set(books.holds, hold.holdId, hold) }, entry),
  CreditCaptured: (books, { entry }) => book(books, entry),
  HoldCaptured: (books, { holdId, entry }) => endHold(books, holdId, "captured", entry),
  HoldReleased: (books, { holdId, entry }) => endHold(books, holdId, "released", entry),
  QuoteOpened: (books, { quote }) => ({ ...books, quotes: HashMap.set(books.quotes, quote.quoteId, quote) }),
  SessionStored: changeQuote,
  PaymentPending: changeQuote,
  SessionEnded: changeQuote,
  QuoteSettled: changeQuote,
  QuoteApproved: (books, change) => {
    const { holdId, expiresAtMs } = change
    const after = changeQuote(books, change)
    return holdId === null ? after : { ...after, holds: update(after.holds, holdId, () => ({ expiresAtMs })) }
  },
  QuoteAbandoned: changeQuote,
  QuoteCredited: changeQuote,
  PaymentRecorded: (books, { payment }) => withRow(books, "payments", payment),
  PaymentSetAside: (books, { setAside }) => withRow(books, "setAside", setAside),
  ReversalRecorded: (books, { reversal }) => withRow(books, "reversals", reversal),
  OrderPlaced: (books, { order, links }) => ({
    ...books,
    orders: HashMap.set(books.orders, order.orderId, order),
    links: links.reduce((all, link) => HashMap.set(all, link.linkId, link), books.links)
  }),
  LinkMoved: (books, { move }) => ({ ...books, links: update(books.links, move.linkId, (link) => moved(link, move)) }),
  LinkChanged: (books, { change }) => ({ ...books, links: update(books.links, change.linkId, withNewText(change)) })
} satisfies Partial<Folds<Change["_tag"]>>

/** Articles, promotions, the welcome offer and the daily usage of keys. */
const onReservations = {
  ArticleReserved: (books, { articleId, quoteId, untilMs }) =>
    updateSale(books, articleId, () => ({ state: "reserved", quoteId, untilMs })),
  ArticleSold: (books, { articleId, quoteId }) => updateSale(books, articleId, () => ({ state: "sold", quoteId })),
  ArticleFreed: (books, { articleId, quoteId }) =>
    updateSale(books, articleId, (sale) =>
      sale.state !== "free" && sale.quoteId === quoteId ? { state: "free" } : sale
    ),
  PromoReserved: (books, { code, reservation }) =>
    updatePromo(books, code, (promo) => ({
      reservations: [...without(promo, reservation.quoteId), reservation]
    })),
  PromoSpent: (books, { code, accountId, quoteId }) =>
    updatePromo(books, code, (promo) => ({
      redeemed: promo.redeemed + 1,
      redeemedBy: HashSet.add(promo.redeemedBy, accountId),
      reservations: without(promo, quoteId)
    })),
  PromoReleased: (books, { code, quoteId }) =>
    updatePromo(books, code, (promo) => ({ reservations: without(promo, quoteId) })),
  WelcomeReserved: (books, { untilMs, ...taken }) =>
    updateWelcome(books, { state: "reserved", quoteId: taken.quoteId, untilMs }, taken, untilMs),
  WelcomeSpent: (books, taken) => updateWelcome(books, { state: "spent", quoteId: taken.quoteId }, taken, null),
  WelcomeReleased: (books, released) => {
    const welcome = find(books.accounts, released.accountId)?.welcome
    const isHeld = welcome?.state === "reserved" && welcome.quoteId === released.quoteId
    return isHeld ? updateWelcome(books, { state: "available" }, released, 0) : books
  },
  DailyOrderCounted: (books, { keyId, day }) =>
    updateUsage(books, keyId, day, ({ quotes }) => ({ quotes: quotes + 1 })),
  DailySpendChanged: (books, { keyId, day, cents }) =>
    updateUsage(books, keyId, day, ({ spentCents }) => ({ spentCents: spentCents + cents })),
  NearLimitTold: (books, { keyId, day, atMs }) => updateUsage(books, keyId, day, () => ({ nearLimitAtMs: atMs }))
} satisfies Partial<Folds<Change["_tag"]>>

/** Accounts, keys, subscriptions, deliveries, the catalogue, and records that are only ever added. */
const onRegisters = {
  AccountOpened: (books, { account }) => ({
    ...books,
    accounts: HashMap.set(books.accounts, account.accountId, account)
  }),
  EmailChanged: (books, { accountId, email }) => ({
    ...books,
    accounts: update(books.accounts, accountId, () => ({ email }))
  }),
  AccountStateChanged: (books, { accountId, state }) => ({
    ...books,
    accounts: HashMap.modify(books.accounts, accountId, ({ email, wallet, owedCents, welcome, createdAtMs }) => ({
      ...{ accountId, email, wallet, welcome, createdAtMs },
      ...(owedCents === undefined ? {} : { owedCents }),
      ...state
    }))
  }),
  MemberSaved: (books, { member }) => ({ ...books, members: HashMap.set(books.members, member.memberId, member) }),
  InvitationSaved: (books, { invitation }) => ({
    ...books,
    invitations: HashMap.set(books.invitations, invitation.invitationId, invitation)
  }),
  KeyIssued: (books, { key }) => ({ ...books, keys: HashMap.set(books.keys, key.keyId, key) }),
  KeyRevoked: (books, { keyId, atMs, by }) => ({
    ...books,
    keys: update(books.keys, keyId, () => ({ revokedAtMs: atMs, ...(by === undefined ? {} : { revokedBy: by }) }))
  }),
  ConsentRenewed: (books, { keyId, label, scopes, limits, consent }) => ({
    ...books,
    keys: update(books.keys, keyId, () => ({ label, scopes, limits, consent }))
  }),
  KeyRotated: (books, { _tag, keyId, ...text }) => ({ ...books, keys: update(books.keys, keyId, () => text) }),
  KeyLimited: (books, { keyId, limits }) => ({ ...books, keys: update(books.keys, keyId, () => ({ limits })) }),
  KeyPaused: (books, { keyId, atMs }) => ({ ...books, keys: HashMap.modify(books.keys, keyId, pausedAt(atMs)) }),
  KeyBound: (books, { binding }) => ({
    ...books,
    bindings: HashMap.set(books.bindings, idIn.bindings(binding), binding)
  }),
  ResponseStored: (books, { binding, response }) => ({
    ...books,
    bindings: update(books.bindings, idIn.bindings(binding), () => ({ response }))
  }),
  SubscriptionAdded: (books, { subscription }) => ({
    ...books,
    subscriptions: HashMap.set(books.subscriptions, subscription.webhookId, subscription)
  }),
  SubscriptionRevoked: (books, { webhookId, atMs }) =>
    dropDeliveries(updateSubscription(books, webhookId, { revokedAtMs: atMs }), webhookId),
  SigningKeysChanged: (books, { _tag, webhookId, ...keys }) => updateSubscription(books, webhookId, keys),
  RedeliveryCounted: (books, { webhookId, redeliveredAtMs }) =>
    updateSubscription(books, webhookId, { redeliveredAtMs }),
  SubscriptionChanged: (books, { webhookId, changed }) => changeEndpoint(books, webhookId, changed),
  EndpointHealthChanged: (books, { webhookId, health }) => changeEndpoint(books, webhookId, { health }),
  DeliveryQueued: (books, { delivery }) => withRow(books, "deliveries", delivery),
  DeliveryMoved: (books, { delivery }) => withRow(books, "deliveries", delivery),
  SiteListed: (books, { site }) => ({ ...books, sites: HashMap.set(books.sites, site.siteId, site) }),
  ArticleListed: (books, { article }) => withRow(books, "articles", article),
  PromoDefined: (books, { promo }) => ({ ...books, promos: HashMap.set(books.promos, promo.code, promo) }),
  ProjectSaved: (books, { project }) => ({
    ...books,
    projects: HashMap.set(books.projects, project.projectId, project)
  }),
  OpportunitySaved: (books, { opportunity }) => withRow(books, "opportunities", opportunity),
  FulfilmentSwitched: (books, { fulfilment }) => ({ ...books, fulfilment }),
  EventRaised: (books, { event }) => ({ ...books, events: HashMap.set(books.events, event.eventId, event) }),
  AuditRecorded: (books, { record }) => ({ ...books, audit: HashMap.set(books.audit, record.auditId, record) })
} satisfies Partial<Folds<Change["_tag"]>>

const folds: Folds<Change["_tag"]> = { ...onMoney, ...onReservations, ...onRegisters }

export const apply = (books: Books, change: Change): Books => {
  // The table pairs each tag with the fold of its change; TypeScript loses the pairing when indexing.
  const fold = folds[change._tag] as (books: Books, change: Change) => Books
  return fold(books, change)
}
