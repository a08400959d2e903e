// The ids of the rows that a decision's changes affect, and the rows that are only ever inserted. What the other rows contain is in the
// books with the changes applied.
import { bindingId, dailyUsageId } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { AuditRecord } from "#core/domain/AuditRecord.ts"
import type { Event } from "#core/domain/Event.ts"
import type { Payment } from "#core/domain/Quote.ts"
import type { LedgerEntry } from "#core/domain/Wallet.ts"
import { welcomeUseId } from "#core/domain/WelcomeUse.ts"
import type { LedgerEntryWithHold } from "../rows/OrderRows.ts"

/** A use of a promotion by a quote: reserved until a time, spent (`null`), or released. */
export interface PromoUse {
  readonly code: string
  readonly quoteId: string
  readonly accountId: string
  readonly untilMs: number | null
  readonly isReleased: boolean
}

/** Ids of changed rows, per table of the books, and inserted rows. */
export class ChangedRows {
  /** New or changed addresses, by account. */
  readonly emails = new Set<string>()
  /** Accounts whose name, note or state changed. */
  readonly accountStates = new Set<string>()
  readonly members = new Set<string>()
  readonly topUps = new Set<string>()
  readonly keys = new Set<string>()
  readonly dailyUsage = new Set<string>()
  readonly bindings = new Set<string>()
  readonly subscriptions = new Set<string>()
  readonly endpoints = new Set<string>()
  readonly deliveries = new Set<string>()
  /** Revoked subscriptions. */
  readonly endedSubscriptions = new Set<string>()
  readonly sites = new Set<number>()
  readonly articles = new Set<number>()
  readonly promos = new Set<string>()
  /** Promotions whose definition was replaced. */
  readonly redefinedPromos = new Set<string>()
  /** The last change of each use, by code and quote. */
  readonly promoUses = new Map<string, PromoUse>()
  readonly welcomeUses = new Set<string>()
  readonly projects = new Set<string>()
  readonly opportunities = new Set<string>()
  readonly quotes = new Set<string>()
  readonly holds = new Set<string>()
  readonly setAside = new Set<string>()
  readonly reversals = new Set<string>()
  readonly orders = new Set<string>()
  readonly links = new Set<string>()
  shop = false
  readonly ledger: Array<LedgerEntryWithHold> = []
  readonly payments: Array<Payment> = []
  readonly events: Array<Event> = []
  readonly audit: Array<AuditRecord> = []
}

type Recorders = {
  readonly [Tag in Change["_tag"]]: (rows: ChangedRows, change: Extract<Change, { readonly _tag: Tag }>) => void
}

const changeHold = (rows: ChangedRows, holdId: string, entry: LedgerEntry): void => {
  rows.holds.add(holdId)
  rows.ledger.push({ ...entry, holdId })
}

const changeUse = (rows: ChangedRows, use: PromoUse): void => {
  rows.promos.add(use.code)
  rows.promoUses.set(`${use.code} ${use.quoteId}`, use)
}

/** The account is written anyway, like every account that is loaded. */
const changeWelcomeUses = (
  rows: ChangedRows,
  { domains, accountId }: Extract<Change, { readonly _tag: `Welcome${string}` }>
): void => {
  for (const domain of domains) rows.welcomeUses.add(welcomeUseId(domain, accountId))
}

const recorders: Recorders = {
  AccountOpened: (rows, { account }) => {
    rows.emails.add(account.accountId)
    if (account.selfOpened) rows.accountStates.add(account.accountId)
  },
  AccountStateChanged: (rows, { accountId }) => void rows.accountStates.add(accountId),
  TopUpSaved: (rows, { topUp }) => void rows.topUps.add(topUp.topUpId),
  MemberSaved: (rows, { member }) => void rows.members.add(member.memberId),
  EmailChanged: (rows, { accountId }) => void rows.emails.add(accountId),
  WelcomeReserved: changeWelcomeUses,
  WelcomeSpent: changeWelcomeUses,
  WelcomeReleased: changeWelcomeUses,
  Credited: (rows, { entry }) => void rows.ledger.push({ ...entry, holdId: null }),
  Debited: (rows, { entry }) => void rows.ledger.push({ ...entry, holdId: null }),
  HoldPlaced: (rows, { hold, entry }) => changeHold(rows, hold.holdId, entry),
  HoldCaptured: (rows, { holdId, entry }) => changeHold(rows, holdId, entry),
  HoldReleased: (rows, { holdId, entry }) => changeHold(rows, holdId, entry),
  QuoteOpened: (rows, { quote }) => void rows.quotes.add(quote.quoteId),
  SessionStored: (rows, { quoteId }) => void rows.quotes.add(quoteId),
  PaymentPending: (rows, { quoteId }) => void rows.quotes.add(quoteId),
  SessionEnded: (rows, { quoteId }) => void rows.quotes.add(quoteId),
  QuoteApproved: (rows, { quoteId, holdId }) => {
    rows.quotes.add(quoteId)
    if (holdId !== null) rows.holds.add(holdId)
  },
  QuoteSettled: (rows, { quoteId }) => void rows.quotes.add(quoteId),
  QuoteAbandoned: (rows, { quoteId }) => void rows.quotes.add(quoteId),
  QuoteCredited: (rows, { quoteId }) => void rows.quotes.add(quoteId),
  PaymentRecorded: (rows, { payment }) => void rows.payments.push(payment),
  PaymentSetAside: (rows, { setAside }) => void rows.setAside.add(setAside.paymentId),
  ReversalRecorded: (rows, { reversal }) => void rows.reversals.add(reversal.reversalId),
  OrderPlaced: (rows, { order, links }) => {
    rows.orders.add(order.orderId)
    for (const { linkId } of links) rows.links.add(linkId)
  },
  LinkMoved: (rows, { move }) => void rows.links.add(move.linkId),
  ArticleReserved: (rows, { articleId }) => void rows.articles.add(articleId),
  ArticleSold: (rows, { articleId }) => void rows.articles.add(articleId),
  ArticleFreed: (rows, { articleId }) => void rows.articles.add(articleId),
  PromoReserved: (rows, { code, reservation }) => changeUse(rows, { code, ...reservation, isReleased: false }),
  PromoSpent: (rows, { code, quoteId, accountId }) =>
    changeUse(rows, { code, quoteId, accountId, untilMs: null, isReleased: false }),
  PromoReleased: (rows, { code, quoteId, accountId }) =>
    changeUse(rows, { code, quoteId, accountId, untilMs: null, isReleased: true }),
  DailyOrderCounted: (rows, { keyId, day }) => void rows.dailyUsage.add(dailyUsageId(keyId, day)),
  DailySpendChanged: (rows, { keyId, day }) => void rows.dailyUsage.add(dailyUsageId(keyId, day)),
  KeyBound: (rows, { binding }) => void rows.bindings.add(bindingId(binding.keyId, binding.idempotencyKey)),
  ResponseStored: (rows, { keyId, idempotencyKey }) => void rows.bindings.add(bindingId(keyId, idempotencyKey)),
  KeyIssued: (rows, { key }) => void rows.keys.add(key.keyId),
  KeyRevoked: (rows, { keyId }) => void rows.keys.add(keyId),
  ConsentRenewed: (rows, { keyId }) => void rows.keys.add(keyId),
  KeyLimited: (rows, { keyId }) => void rows.keys.add(keyId),
  SubscriptionAdded: (rows, { subscription }) => void rows.subscriptions.add(subscription.webhookId),
  SubscriptionRevoked: (rows, { webhookId }) => {
    rows.subscriptions.add(webhookId)
    rows.endedSubscriptions.add(webhookId)
  },
  SigningKeysChanged: (rows, { webhookId }) => void rows.subscriptions.add(webhookId),
  EndpointHealthChanged: (rows, { webhookId }) => void rows.endpoints.add(webhookId),
  DeliveryQueued: (rows, { delivery }) => void rows.deliveries.add(delivery.deliveryId),
  DeliveryMoved: (rows, { delivery }) => void rows.deliveries.add(delivery.deliveryId),
  SiteListed: (rows, { site }) => void rows.sites.add(site.siteId),
  ArticleListed: (rows, { article }) => void rows.articles.add(article.articleId),
  PromoDefined: (rows, { promo }) => {
    rows.promos.add(promo.code)
    rows.redefinedPromos.add(promo.code)
  },
  ProjectSaved: (rows, { project }) => void rows.projects.add(project.projectId),
  OpportunitySaved: (rows, { opportunity }) => void rows.opportunities.add(opportunity.opportunityId),
  FulfilmentSwitched: (rows) => {
    rows.shop = true
  },
  EventRaised: (rows, { event }) => void rows.events.push(event),
  AuditRecorded: (rows, { record }) => void rows.audit.push(record)
}

export const changedRowsOf = (changes: ReadonlyArray<Change>): ChangedRows => {
  const rows = new ChangedRows()
  for (const change of changes) {
    // The recorder of a tag takes changes with that tag; TypeScript loses this relation when it is looked up.
    const record = recorders[change._tag] as (rows: ChangedRows, change: Change) => void
    record(rows, change)
  }
  return rows
}
