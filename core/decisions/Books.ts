// Everything a decision may look at. A store hands over the part that was asked for; the in-memory store keeps them all.
// Persistent maps, so that a decision can fold its own changes without touching what others see.
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
import type { Link } from "#core/domain/Link.ts"
import type { Order } from "#core/domain/Order.ts"
import type { Promo } from "#core/domain/Promo.ts"
import type { Payment, Quote } from "#core/domain/Quote.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import type { Opportunity, Project } from "#core/domain/Visibility.ts"
import type { Hold, LedgerEntry } from "#core/domain/Wallet.ts"

export type Table<A> = HashMap.HashMap<string, A>

export interface Books {
  readonly accounts: Table<Account>
  readonly keys: Table<ApiKey>
  /** By `tallyId`. */
  readonly dailyUsage: Table<DailyUsage>
  readonly sites: HashMap.HashMap<number, Site>
  readonly articles: HashMap.HashMap<number, Article>
  readonly promos: Table<Promo>
  readonly projects: Table<Project>
  readonly opportunities: Table<Opportunity>
  readonly holds: Table<Hold>
  readonly ledger: Table<LedgerEntry>
  readonly quotes: Table<Quote>
  readonly payments: Table<Payment>
  readonly orders: Table<Order>
  readonly links: Table<Link>
  /** By `bindingId`. */
  readonly bindings: Table<Binding>
  readonly subscriptions: Table<Subscription>
  readonly events: Table<Event>
  readonly deliveries: Table<Delivery>
  readonly audit: Table<AuditRecord>
  /**
   * By `linkedId`, which of the targets asked about the account has live links to that are not cancelled. For advice only: it is
   * as it was when the books were read, and neither guarded nor folded.
   */
  readonly linked: ReadonlySet<string>
  /** The operator's switch; `null` leaves it to the terms. */
  readonly fulfilment: Fulfilment | null
}

export const emptyBooks: Books = {
  accounts: HashMap.empty(),
  keys: HashMap.empty(),
  dailyUsage: HashMap.empty(),
  sites: HashMap.empty(),
  articles: HashMap.empty(),
  promos: HashMap.empty(),
  projects: HashMap.empty(),
  opportunities: HashMap.empty(),
  holds: HashMap.empty(),
  ledger: HashMap.empty(),
  quotes: HashMap.empty(),
  payments: HashMap.empty(),
  orders: HashMap.empty(),
  links: HashMap.empty(),
  bindings: HashMap.empty(),
  subscriptions: HashMap.empty(),
  events: HashMap.empty(),
  deliveries: HashMap.empty(),
  audit: HashMap.empty(),
  linked: new Set(),
  fulfilment: null
}

export const dailyUsageId = (keyId: string, day: number): string => `${keyId}/${day}`

export const bindingId = (keyId: string, idempotencyKey: string): string => `${keyId}/${idempotencyKey}`

export const linkedId = (accountId: string, { siteId, host }: LinkTarget): string => `${accountId} ${siteId} ${host}`

/** The entry, or `undefined`. */
export const find = <K, A>(shelf: HashMap.HashMap<K, A>, key: K): A | undefined =>
  Option.getOrUndefined(HashMap.get(shelf, key))

/** Those of the ids that are on the shelf; `null` names nothing. */
export const pick = <K, A>(
  shelf: HashMap.HashMap<K, A>,
  ids: Iterable<K | null | undefined>
): HashMap.HashMap<K, A> => {
  let picked = HashMap.empty<K, A>()
  for (const id of ids) {
    const row = id == null ? undefined : find(shelf, id)
    if (id != null && row !== undefined) picked = HashMap.set(picked, id, row)
  }
  return picked
}

export const dailyUsageOf = (books: Books, keyId: string, day: number): DailyUsage =>
  find(books.dailyUsage, dailyUsageId(keyId, day)) ?? noUsage(keyId, day)

/** The links of an order, in the order they were bought. */
export const linksOf = (books: Books, order: Order): ReadonlyArray<Link> =>
  order.linkIds.flatMap((linkId) => find(books.links, linkId) ?? [])
