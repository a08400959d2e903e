// The books: everything that a decision may look at. A store loads the part that a decision reads; the memory store holds all of it.
// The tables are persistent maps, so that a decision folds its own changes without affecting other readers.
import { HashMap, Option } from "effect"
import type { Account } from "#core/domain/Account.ts"
import type { ApiKey } from "#core/domain/ApiKey.ts"
import type { AuditRecord } from "#core/domain/AuditRecord.ts"
import type { LinkTarget } from "#core/domain/Cart.ts"
import type { Article, Site } from "#core/domain/Catalogue.ts"
import { type DailyUsage, noUsage } from "#core/domain/DailyUsage.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import type { Event } from "#core/domain/Event.ts"
import type { Binding } from "#core/domain/Idempotency.ts"
import type { Invoice } from "#core/domain/Invoice.ts"
import type { Link } from "#core/domain/Link.ts"
import type { Member } from "#core/domain/Member.ts"
import type { Order } from "#core/domain/Order.ts"
import type { BillingIdentity } from "#core/domain/Party.ts"
import type { PaymentSetAside } from "#core/domain/PaymentSetAside.ts"
import type { Promo } from "#core/domain/Promo.ts"
import type { Payment, Quote } from "#core/domain/Quote.ts"
import { type FreedMarks, nothingFreed } from "#core/domain/Retention.ts"
import type { Reversal } from "#core/domain/Reversal.ts"
import type { Session } from "#core/domain/Session.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import type { TopUp } from "#core/domain/TopUp.ts"
import type { Opportunity, Project } from "#core/domain/Visibility.ts"
import type { Hold, LedgerEntry } from "#core/domain/Wallet.ts"
import type { WelcomeUse } from "#core/domain/WelcomeUse.ts"

export type Table<A> = HashMap.HashMap<string, A>

export interface Books {
  readonly accounts: Table<Account>
  /** Removed ones too. */
  readonly members: Table<Member>
  readonly keys: Table<ApiKey>
  /** By `dailyUsageId`. */
  readonly dailyUsage: Table<DailyUsage>
  readonly sites: HashMap.HashMap<number, Site>
  readonly articles: HashMap.HashMap<number, Article>
  readonly promos: Table<Promo>
  /** By `welcomeUseId`. */
  readonly welcomeUses: Table<WelcomeUse>
  readonly projects: Table<Project>
  readonly opportunities: Table<Opportunity>
  readonly holds: Table<Hold>
  readonly ledger: Table<LedgerEntry>
  readonly topUps: Table<TopUp>
  readonly quotes: Table<Quote>
  readonly payments: Table<Payment>
  readonly reversals: Table<Reversal>
  /** Payments that do not fit their quote. One that was credited is among `payments` too. */
  readonly setAside: Table<PaymentSetAside>
  readonly orders: Table<Order>
  readonly links: Table<Link>
  /** By `bindingId`. */
  readonly bindings: Table<Binding>
  readonly subscriptions: Table<Subscription>
  readonly events: Table<Event>
  readonly deliveries: Table<Delivery>
  readonly audit: Table<AuditRecord>
  /** Issued beside the decisions, from what they have written. */
  readonly invoices: Table<Invoice>
  /** Kept beside the decisions; for the invariants only. */
  readonly sessions: Table<Session>
  /** By account. */
  readonly billingIdentities: Table<BillingIdentity>
  /** Orders up to this id have their invoice; "" before the first. For the invariants only. */
  readonly invoicedTo: string
  /**
   * By `linkedId`, those of the requested targets to which the account has a live link that is not cancelled. For warnings only: it is
   * neither locked nor updated by changes.
   */
  readonly linked: ReadonlySet<string>
  /** The operator's switch; `null` until it is set, so that the settings apply. */
  readonly fulfilment: Fulfilment | null
  /** Of records that retention has freed. For the invariants only. */
  readonly freed: FreedMarks
}

export const emptyBooks: Books = {
  accounts: HashMap.empty(),
  members: HashMap.empty(),
  keys: HashMap.empty(),
  dailyUsage: HashMap.empty(),
  sites: HashMap.empty(),
  articles: HashMap.empty(),
  promos: HashMap.empty(),
  welcomeUses: HashMap.empty(),
  projects: HashMap.empty(),
  opportunities: HashMap.empty(),
  holds: HashMap.empty(),
  ledger: HashMap.empty(),
  topUps: HashMap.empty(),
  quotes: HashMap.empty(),
  payments: HashMap.empty(),
  reversals: HashMap.empty(),
  setAside: HashMap.empty(),
  orders: HashMap.empty(),
  links: HashMap.empty(),
  bindings: HashMap.empty(),
  subscriptions: HashMap.empty(),
  events: HashMap.empty(),
  deliveries: HashMap.empty(),
  audit: HashMap.empty(),
  invoices: HashMap.empty(),
  sessions: HashMap.empty(),
  billingIdentities: HashMap.empty(),
  invoicedTo: "",
  linked: new Set(),
  fulfilment: null,
  freed: nothingFreed
}

export const dailyUsageId = (keyId: string, day: number): string => `${keyId}/${day}`

export const bindingId = (keyId: string, idempotencyKey: string): string => `${keyId}/${idempotencyKey}`

export const linkedId = (accountId: string, { siteId, host }: LinkTarget): string => `${accountId} ${siteId} ${host}`

/** The row with that id, or `undefined`. */
export const find = <K, A>(table: HashMap.HashMap<K, A>, key: K): A | undefined =>
  Option.getOrUndefined(HashMap.get(table, key))

/** The rows of these ids, as a table; `null` and unknown ids are skipped. */
export const pick = <K, A>(
  table: HashMap.HashMap<K, A>,
  ids: Iterable<K | null | undefined>
): HashMap.HashMap<K, A> => {
  let picked = HashMap.empty<K, A>()
  for (const id of ids) {
    const row = id == null ? undefined : find(table, id)
    if (id != null && row !== undefined) picked = HashMap.set(picked, id, row)
  }
  return picked
}

export const dailyUsageOf = (books: Books, keyId: string, day: number): DailyUsage =>
  find(books.dailyUsage, dailyUsageId(keyId, day)) ?? noUsage(keyId, day)

/** The links of an order, in the order they were bought. */
export const linksOf = (books: Books, order: Order): ReadonlyArray<Link> =>
  order.linkIds.flatMap((linkId) => find(books.links, linkId) ?? [])
