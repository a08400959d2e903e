// Everything a decision may look at. A store hands over the part that was asked for; the in-memory store keeps them all.
// Persistent maps, so that a decision can fold its own changes without touching what others see.
import { HashMap, Option } from "effect"
import type { Account } from "#core/domain/Account.ts"
import type { ApiKey } from "#core/domain/ApiKey.ts"
import type { LinkTarget } from "#core/domain/Cart.ts"
import type { Article, Site } from "#core/domain/Catalogue.ts"
import { emptyTally, type Tally } from "#core/domain/DailyCap.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import type { Event } from "#core/domain/Event.ts"
import type { Binding } from "#core/domain/Idempotency.ts"
import type { Link } from "#core/domain/Link.ts"
import type { Order } from "#core/domain/Order.ts"
import type { Promo } from "#core/domain/Promo.ts"
import type { Payment, Quote } from "#core/domain/Quote.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { Opportunity, Project } from "#core/domain/Visibility.ts"
import type { Hold, LedgerEntry } from "#core/domain/Wallet.ts"
import type { AuditRecord } from "./Change.ts"

export type Shelved<A> = HashMap.HashMap<string, A>

export interface Books {
  readonly accounts: Shelved<Account>
  readonly keys: Shelved<ApiKey>
  /** By `tallyId`. */
  readonly tallies: Shelved<Tally>
  readonly sites: HashMap.HashMap<number, Site>
  readonly articles: HashMap.HashMap<number, Article>
  readonly promos: Shelved<Promo>
  readonly projects: Shelved<Project>
  readonly opportunities: Shelved<Opportunity>
  readonly holds: Shelved<Hold>
  readonly ledger: Shelved<LedgerEntry>
  readonly quotes: Shelved<Quote>
  readonly payments: Shelved<Payment>
  readonly orders: Shelved<Order>
  readonly links: Shelved<Link>
  /** By `bindingId`. */
  readonly bindings: Shelved<Binding>
  readonly subscriptions: Shelved<Subscription>
  readonly events: Shelved<Event>
  readonly deliveries: Shelved<Delivery>
  readonly audit: Shelved<AuditRecord>
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
  tallies: HashMap.empty(),
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

export const tallyId = (keyId: string, day: number): string => `${keyId}/${day}`

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

export const tallyOf = (books: Books, keyId: string, day: number): Tally =>
  find(books.tallies, tallyId(keyId, day)) ?? emptyTally(keyId, day)

/** The links of an order, in the order they were bought. */
export const linksOf = (books: Books, order: Order): ReadonlyArray<Link> =>
  order.linkIds.flatMap((linkId) => find(books.links, linkId) ?? [])
