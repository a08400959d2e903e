import { emailKey } from "#core/domain/members/Account.ts"
import type { OrderStatus } from "#core/domain/ordering/Order.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type {
  AccountId,
  DeliveryId,
  EntryId,
  EventId,
  HoldId,
  InvoiceId,
  KeyId,
  LinkId,
  MemberId,
  OpportunityId,
  OrderId,
  PaymentId,
  ProjectId,
  QuoteId,
  ReversalId,
  WebhookId
} from "#core/domain/shared/Ids.ts"

declare const indexed: unique symbol

/** The key of an index of such ids. */
export type IndexKey<Id extends string> = string & { readonly [indexed]: Id }

/** The type is all that a key has of its ids. */
const indexOf = <Id extends string>(key: string): IndexKey<Id> => key as IndexKey<Id>

/** The key of every index. Each indexes the ids of one table. */
export const indexKeys = {
  accounts: indexOf<AccountId>("accounts"),
  accountsWith: (email: string) => indexOf<AccountId>(`accounts with ${emailKey(email)}`),
  /** Members that are not removed. */
  memberWith: (email: string) => indexOf<MemberId>(`member with ${emailKey(email)}`),
  membersOf: (accountId: AccountId) => indexOf<MemberId>(`members of ${accountId}`),
  quoteWithToken: (paymentToken: string) => indexOf<QuoteId>(`quote with token ${paymentToken}`),
  /** Quotes not abandoned, by creation time. */
  lookAlikes: (keyId: KeyId, itemsDigest: string) => indexOf<QuoteId>(`quotes of ${keyId} for ${itemsDigest}`),
  /** Open quotes without a payment under way, by expiry. */
  due: indexOf<QuoteId>("quotes due"),
  dueOf: (accountId: AccountId) => indexOf<QuoteId>(`quotes due of ${accountId}`),
  /** Open quotes with a payment under way, by expiry. */
  pending: indexOf<QuoteId>("quotes pending"),
  /** Open quotes, by expiry. */
  openOf: (accountId: AccountId) => indexOf<QuoteId>(`open quotes of ${accountId}`),
  /** Live quotes that await payment without a stored payment session, by creation time. */
  withoutSession: indexOf<QuoteId>("quotes without session"),
  reversalsOf: (quoteId: QuoteId) => indexOf<ReversalId>(`reversals of ${quoteId}`),
  setAsideOf: (quoteId: QuoteId) => indexOf<PaymentId>(`payments set aside of ${quoteId}`),
  paymentsOf: (quoteId: QuoteId) => indexOf<PaymentId>(`payments of ${quoteId}`),
  keyWithHash: (hash: string) => indexOf<KeyId>(`key with hash ${hash}`),
  keysOf: (accountId: AccountId) => indexOf<KeyId>(`keys of ${accountId}`),
  subscriptionsOf: (accountId: AccountId) => indexOf<WebhookId>(`subscriptions of ${accountId}`),
  activeSubscriptionsOf: (keyId: KeyId) => indexOf<WebhookId>(`active subscriptions of ${keyId}`),
  deliveriesOf: (webhookId: WebhookId) => indexOf<DeliveryId>(`deliveries of ${webhookId}`),
  /** Sorted by creation time. */
  deliveriesMade: indexOf<DeliveryId>("deliveries"),
  deliveriesOfEvent: (eventId: EventId) => indexOf<DeliveryId>(`deliveries of ${eventId}`),
  /** Events of an order or a quote. */
  eventsOf: (id: OrderId | QuoteId) => indexOf<EventId>(`events of ${id}`),
  /** Sandbox quotes that are not open, by creation time. */
  sandboxQuotesMade: indexOf<QuoteId>("sandbox quotes"),
  /** Bindings with a stored response, by the time of binding. */
  answersStored: indexOf<string>("bindings with responses"),
  /** Sorted by creation time. */
  testsOf: (webhookId: WebhookId) => indexOf<DeliveryId>(`tests of ${webhookId}`),
  /** Pending deliveries, by due time. */
  deliveriesDueOf: (webhookId: WebhookId) => indexOf<DeliveryId>(`deliveries due of ${webhookId}`),
  ordersOf: (keyId: KeyId, status: OrderStatus | null) =>
    indexOf<OrderId>(`orders of ${keyId} that are ${status ?? "any"}`),
  /** Live links that are neither online nor cancelled. */
  queue: indexOf<LinkId>("links to work on"),
  /** Live links not cancelled. */
  linksOn: (siteId: number) => indexOf<LinkId>(`links on ${siteId}`),
  /** Published live links, by the days from order to publication. */
  daysToPublish: (siteId: number) => indexOf<LinkId>(`days to publish on ${siteId}`),
  verifiedOn: (siteId: number) => indexOf<LinkId>(`links verified on ${siteId}`),
  /** Live links not cancelled to exactly this host. */
  linksTo: (accountId: AccountId, siteId: number, host: string) =>
    indexOf<LinkId>(`links of ${accountId} on ${siteId} to ${host}`),
  /** Links of a mode, not cancelled, to this domain or a subdomain of it, by site. */
  linksInto: (accountId: AccountId, mode: Mode, domain: string) =>
    indexOf<LinkId>(`${mode} links of ${accountId} into ${domain}`),
  linksFor: (opportunityId: OpportunityId) => indexOf<LinkId>(`links for ${opportunityId}`),
  /** Open holds, by expiry. */
  openHoldsOf: (accountId: AccountId) => indexOf<HoldId>(`open holds of ${accountId}`),
  ledgerOf: (accountId: AccountId) => indexOf<EntryId>(`ledger of ${accountId}`),
  toppedUpAs: (accountId: AccountId, reference: string) => indexOf<EntryId>(`top-up of ${accountId} as ${reference}`),
  /** Live orders without invoice, cancelled live links without credit note, top-ups without receipt. */
  ordersToInvoice: indexOf<OrderId>("orders to invoice"),
  linksToCredit: indexOf<LinkId>("links to credit"),
  topUpsToReceipt: indexOf<EntryId>("top-ups to receipt"),
  /** Sorted by time of issue. */
  invoicesOf: (accountId: AccountId) => indexOf<InvoiceId>(`invoices of ${accountId}`),
  invoices: indexOf<InvoiceId>("invoices"),
  /** Articles not sold, by id. */
  unsoldArticlesOn: (siteId: number) => indexOf<string>(`unsold articles on ${siteId}`),
  projectsOf: (accountId: AccountId) => indexOf<ProjectId>(`projects of ${accountId}`),
  /** Sorted by position. */
  opportunitiesOf: (projectId: ProjectId) => indexOf<OpportunityId>(`opportunities of ${projectId}`)
}
