// The books: everything that a decision may look at. A store loads the part that a decision reads; the memory store holds all of it.
// The tables are persistent maps, so that a decision folds its own changes without affecting other readers.
import { HashMap, Option } from "effect"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import type { Article, Site } from "#core/domain/catalogue/Catalogue.ts"
import { noSiteDomains, type SiteDomains } from "#core/domain/catalogue/SiteDomain.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { BillingIdentity } from "#core/domain/invoicing/Party.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import type { Invitation } from "#core/domain/members/Invitation.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { Session } from "#core/domain/members/Session.ts"
import { type FreedMarks, nothingFreed } from "#core/domain/operations/Retention.ts"
import { type DailyUsage, noUsage } from "#core/domain/ordering/DailyCap.ts"
import { type Binding, boundScopeOf } from "#core/domain/ordering/Idempotency.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import type { Payment, Quote } from "#core/domain/ordering/Quote.ts"
import type { Reversal } from "#core/domain/ordering/Reversal.ts"
import type { LinkTarget } from "#core/domain/pricing/Cart.ts"
import type { Promo } from "#core/domain/pricing/Promo.ts"
import { type WelcomeUse, welcomeUseId } from "#core/domain/pricing/WelcomeUse.ts"
import type { Fulfilment } from "#core/domain/ShopSettings.ts"
import type { AccountId, KeyId } from "#core/domain/shared/Ids.ts"
import type { Hold } from "#core/domain/wallet/Hold.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { TopUp } from "#core/domain/wallet/TopUp.ts"
import type { TopUpReversal } from "#core/domain/wallet/TopUpReversal.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import type { Event } from "#core/domain/webhooks/Event.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"

export const dailyUsageId = (keyId: KeyId, day: number): string => `${keyId}/${day}`

/** The binding of a credential alone. */
export const bindingId = (keyId: KeyId, idempotencyKey: string): string => `${keyId}/${idempotencyKey}`

/** The binding of all credentials of an account in a mode. */
export const accountBindingId = (
  { accountId, mode }: Pick<Binding, "accountId" | "mode">,
  idempotencyKey: string
): string => `${accountId}/${mode}/${idempotencyKey}`

/** The tables of the books, by what names a row. */
export const idIn = {
  accounts: ({ accountId }: Account) => accountId,
  /** Removed ones too. */
  members: ({ memberId }: Member) => memberId,
  /** Until retention frees them. */
  invitations: ({ invitationId }: Invitation) => invitationId,
  keys: ({ keyId }: ApiKey) => keyId,
  dailyUsage: ({ keyId, day }: DailyUsage) => dailyUsageId(keyId, day),
  sites: ({ siteId }: Site) => siteId,
  articles: ({ articleId }: Article) => articleId,
  promos: ({ code }: Promo) => code,
  welcomeUses: ({ domain, accountId }: WelcomeUse) => welcomeUseId(domain, accountId),
  projects: ({ projectId }: Project) => projectId,
  opportunities: ({ opportunityId }: Opportunity) => opportunityId,
  holds: ({ holdId }: Hold) => holdId,
  ledger: ({ entryId }: LedgerEntry) => entryId,
  topUps: ({ topUpId }: TopUp) => topUpId,
  topUpReversals: ({ reversalId }: TopUpReversal) => reversalId,
  quotes: ({ quoteId }: Quote) => quoteId,
  payments: ({ paymentId }: Payment) => paymentId,
  reversals: ({ reversalId }: Reversal) => reversalId,
  /** Payments that could not be booked. One that was credited to a quote's account is among `payments` too. */
  setAside: ({ paymentId }: PaymentSetAside) => paymentId,
  orders: ({ orderId }: Order) => orderId,
  links: ({ linkId }: Link) => linkId,
  bindings: (binding: Binding) =>
    binding.boundScope === null
      ? bindingId(binding.keyId, binding.idempotencyKey)
      : accountBindingId(binding, binding.idempotencyKey),
  subscriptions: ({ webhookId }: Subscription) => webhookId,
  events: ({ eventId }: Event) => eventId,
  deliveries: ({ deliveryId }: Delivery) => deliveryId,
  audit: ({ auditId }: AuditRecord) => auditId,
  /** Issued beside the decisions, from what they have written. */
  invoices: ({ invoiceId }: Invoice) => invoiceId,
  /** Kept beside the decisions; for the invariants only. */
  sessions: ({ sessionId }: Session) => sessionId
}

export type TableName = keyof typeof idIn
export type IdIn<Name extends TableName> = ReturnType<(typeof idIn)[Name]>
export type RowIn<Name extends TableName> = Parameters<(typeof idIn)[Name]>[0]

/** What names a row of that table. */
export const idOf = <Name extends TableName>(name: Name) =>
  // TypeScript loses the relation between a table's name and its rows when it looks the function up.
  idIn[name] as unknown as (row: RowIn<Name>) => IdIn<Name>

type Tables = { readonly [Name in TableName]: HashMap.HashMap<IdIn<Name>, RowIn<Name>> }

export interface Books extends Tables {
  /** Identities by account. */
  readonly billingIdentities: HashMap.HashMap<AccountId, BillingIdentity>
  /** Orders up to this id have their invoice; "" before the first. For the invariants only. */
  readonly invoicedTo: string
  /**
   * The requested targets, by `linkedId`, to which the account has a live link that is not cancelled. Only warnings read it: it is
   * neither locked nor updated by changes.
   */
  readonly linked: ReadonlySet<string>
  /** Only listings read them: neither locked nor updated by changes. */
  readonly siteDomains: SiteDomains
  /** The operator's switch; `null` until it is set, so that the settings apply. */
  readonly fulfilment: Fulfilment | null
  /** Marks of what retention has freed. Only the invariants read them. */
  readonly freed: FreedMarks
}

// `idIn` has the name of every table, and nothing else.
export const tableNames = Object.keys(idIn) as ReadonlyArray<TableName>

export const emptyBooks: Books = {
  // Each name with a table that has no rows, of whatever type.
  ...(Object.fromEntries(tableNames.map((name) => [name, HashMap.empty()])) as Tables),
  billingIdentities: HashMap.empty(),
  invoicedTo: "",
  linked: new Set(),
  siteDomains: noSiteDomains,
  fulfilment: null,
  freed: nothingFreed
}

export const linkedId = (accountId: AccountId, { siteId, host }: LinkTarget): string => `${accountId} ${siteId} ${host}`

/** The row with that id; `undefined` without one. In a table without rows it is not looked for, which would take the hash of the id. */
export const find = <K, A>(table: HashMap.HashMap<K, A>, key: NoInfer<K> | null | undefined): A | undefined =>
  key == null || HashMap.isEmpty(table) ? undefined : Option.getOrUndefined(HashMap.get(table, key))

/** The table with a changed row; a table without that row stays as it is. */
export const update = <K, A extends object>(
  table: HashMap.HashMap<K, A>,
  id: NoInfer<K>,
  change: (row: A) => Partial<NoInfer<A>>
): HashMap.HashMap<K, A> => {
  const row = find(table, id)
  return row === undefined ? table : HashMap.set(table, id, { ...row, ...change(row) })
}

/** The books with this row, new or in place of what was known of it. */
export const withRow = <Name extends TableName>(books: Books, name: Name, row: RowIn<Name>): Books => {
  // The table of that name has rows of this type.
  const table = books[name] as unknown as HashMap.HashMap<IdIn<Name>, RowIn<Name>>
  return { ...books, [name]: HashMap.set(table, idOf(name)(row), row) }
}

/** The rows of these ids, as a table; `null` and unknown ids are skipped. */
export const pick = <K, A>(
  table: HashMap.HashMap<K, A>,
  ids: Iterable<NoInfer<K> | null | undefined>
): HashMap.HashMap<K, A> => {
  let picked = HashMap.empty<K, A>()
  for (const id of ids) {
    const row = find(table, id)
    if (id != null && row !== undefined) picked = HashMap.set(picked, id, row)
  }
  return picked
}

/** The binding that a request of this caller finds: the credential's own, otherwise that of its account and mode. */
export const boundFor = (
  { bindings }: Pick<Books, "bindings">,
  caller: Pick<Binding, "keyId" | "accountId" | "mode">,
  idempotencyKey: string
): Binding | undefined =>
  find(bindings, bindingId(caller.keyId, idempotencyKey)) ??
  (boundScopeOf(caller.keyId, idempotencyKey) === null
    ? undefined
    : find(bindings, accountBindingId(caller, idempotencyKey)))

/** The binding to a quote. */
export const bindingOf = (
  { bindings }: Pick<Books, "bindings">,
  quote: Pick<Quote, "quoteId" | "keyId" | "accountId" | "mode" | "idempotencyKey">
): Binding | undefined => {
  const { quoteId, keyId, idempotencyKey } = quote
  if (idempotencyKey === null) return undefined
  const wide = find(bindings, accountBindingId(quote, idempotencyKey))
  return wide?.quoteId === quoteId ? wide : find(bindings, bindingId(keyId, idempotencyKey))
}

export const dailyUsageOf = (books: Books, keyId: KeyId, day: number): DailyUsage =>
  find(books.dailyUsage, dailyUsageId(keyId, day)) ?? noUsage(keyId, day)

/** The links of an order, in the order they were bought. */
export const linksOf = (books: Books, order: Order): ReadonlyArray<Link> =>
  order.linkIds.flatMap((linkId) => find(books.links, linkId) ?? [])
