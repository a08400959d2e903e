// The secondary indexes' keys, and under which of them each row of the books is indexed, with its score.
import { type Books, find, linksOf, type RowIn, type TableName } from "#core/decisions/Books.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import type { Article } from "#core/domain/catalogue/Catalogue.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import { documentId, type Invoice } from "#core/domain/invoicing/Invoice.ts"
import { type Account, emailKey } from "#core/domain/members/Account.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { Binding } from "#core/domain/ordering/Idempotency.ts"
import { canCancel, isOnline, type Link } from "#core/domain/ordering/Link.ts"
import { type Order, type OrderStatus, orderStatus } from "#core/domain/ordering/Order.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { awaitsPayment, isOpen, isPaymentPending, type Payment, type Quote } from "#core/domain/ordering/Quote.ts"
import type { Reversal } from "#core/domain/ordering/Reversal.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import { DAY_MS, type Mode } from "#core/domain/shared/DecisionContext.ts"
import type { Hold, LedgerEntry } from "#core/domain/wallet/Wallet.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { type Event, isOrderEvent } from "#core/domain/webhooks/Event.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"

/** The key of every index. Each indexes the ids of one table. */
export const indexKeys = {
  accounts: "accounts",
  accountsWith: (email: string) => `accounts with ${emailKey(email)}`,
  /** Members that are not removed. */
  memberWith: (email: string) => `member with ${emailKey(email)}`,
  membersOf: (accountId: string) => `members of ${accountId}`,
  quoteWithToken: (paymentToken: string) => `quote with token ${paymentToken}`,
  /** Quotes not abandoned, by creation time. */
  lookAlikes: (keyId: string, itemsDigest: string) => `quotes of ${keyId} for ${itemsDigest}`,
  /** Open quotes without a payment under way, by expiry. */
  due: "quotes due",
  dueOf: (accountId: string) => `quotes due of ${accountId}`,
  /** Open quotes with a payment under way, by expiry. */
  pending: "quotes pending",
  /** Open quotes, by expiry. */
  openOf: (accountId: string) => `open quotes of ${accountId}`,
  /** Live quotes that await payment without a stored payment session, by creation time. */
  withoutSession: "quotes without session",
  reversalsOf: (quoteId: string) => `reversals of ${quoteId}`,
  setAsideOf: (quoteId: string) => `payments set aside of ${quoteId}`,
  paymentsOf: (quoteId: string) => `payments of ${quoteId}`,
  keyWithHash: (hash: string) => `key with hash ${hash}`,
  keysOf: (accountId: string) => `keys of ${accountId}`,
  subscriptionsOf: (accountId: string) => `subscriptions of ${accountId}`,
  activeSubscriptionsOf: (keyId: string) => `active subscriptions of ${keyId}`,
  deliveriesOf: (webhookId: string) => `deliveries of ${webhookId}`,
  /** By creation time. */
  deliveriesMade: "deliveries",
  deliveriesOfEvent: (eventId: string) => `deliveries of ${eventId}`,
  /** Of an order or a quote. */
  eventsOf: (id: string) => `events of ${id}`,
  /** Sandbox quotes that are not open, by creation time. */
  sandboxQuotesMade: "sandbox quotes",
  /** Bindings with a stored response, by the time of binding. */
  answersStored: "bindings with responses",
  /** By creation time. */
  testsOf: (webhookId: string) => `tests of ${webhookId}`,
  /** Pending deliveries, by due time. */
  deliveriesDueOf: (webhookId: string) => `deliveries due of ${webhookId}`,
  ordersOf: (keyId: string, status: OrderStatus | null) => `orders of ${keyId} that are ${status ?? "any"}`,
  /** Live links that are neither online nor cancelled. */
  queue: "links to work on",
  /** Live links not cancelled. */
  linksOn: (siteId: number) => `links on ${siteId}`,
  /** Published live links, by the days from order to publication. */
  daysToPublish: (siteId: number) => `days to publish on ${siteId}`,
  verifiedOn: (siteId: number) => `links verified on ${siteId}`,
  /** Live links not cancelled to exactly this host. */
  linksTo: (accountId: string, siteId: number, host: string) => `links of ${accountId} on ${siteId} to ${host}`,
  /** Links of a mode, not cancelled, to this domain or a name below it, by site. */
  linksInto: (accountId: string, mode: Mode, domain: string) => `${mode} links of ${accountId} into ${domain}`,
  linksFor: (opportunityId: string) => `links for ${opportunityId}`,
  /** Open holds, by expiry. */
  openHoldsOf: (accountId: string) => `open holds of ${accountId}`,
  ledgerOf: (accountId: string) => `ledger of ${accountId}`,
  toppedUpAs: (accountId: string, reference: string) => `top-up of ${accountId} as ${reference}`,
  /** Live orders without invoice, cancelled live links without credit note, deposits without receipt. */
  ordersToInvoice: "orders to invoice",
  linksToCredit: "links to credit",
  depositsToReceipt: "deposits to receipt",
  /** By time of issue. */
  invoicesOf: (accountId: string) => `invoices of ${accountId}`,
  invoices: "invoices",
  /** Articles not sold, by id. */
  unsoldArticlesOn: (siteId: number) => `unsold articles on ${siteId}`,
  projectsOf: (accountId: string) => `projects of ${accountId}`,
  /** By position. */
  opportunitiesOf: (projectId: string) => `opportunities of ${projectId}`
}

/** One key under which a row is indexed, and its score there. */
export interface IndexEntry {
  readonly key: string
  readonly score: number
}

type IndexEntries = ReadonlyArray<IndexEntry>

const at = (key: string, score = 0): IndexEntry => ({ key, score })

const when = (condition: boolean, entries: () => IndexEntries): IndexEntries => (condition ? entries() : [])

const ofQuote = (quote: Quote): IndexEntries => {
  const { keyId, accountId, itemsDigest, createdAtMs, expiresAtMs, mode, cardCents, paymentToken, sessionId } = quote
  return [
    ...when(cardCents > 0, () => [at(indexKeys.quoteWithToken(paymentToken))]),
    ...when(quote.status !== "abandoned", () => [at(indexKeys.lookAlikes(keyId, itemsDigest), createdAtMs)]),
    ...when(!isOpen(quote) && mode === "sandbox", () => [at(indexKeys.sandboxQuotesMade, createdAtMs)]),
    ...when(isOpen(quote), () => [
      at(indexKeys.openOf(accountId), expiresAtMs),
      ...(isPaymentPending(quote)
        ? [at(indexKeys.pending, expiresAtMs)]
        : [at(indexKeys.due, expiresAtMs), at(indexKeys.dueOf(accountId), expiresAtMs)])
    ]),
    ...when(awaitsPayment(quote) && mode === "live" && sessionId === null, () => [
      at(indexKeys.withoutSession, createdAtMs)
    ])
  ]
}

const ofOrder = (order: Order, books: Books): IndexEntries => [
  at(indexKeys.ordersOf(order.keyId, null)),
  at(indexKeys.ordersOf(order.keyId, orderStatus(linksOf(books, order)))),
  ...when(order.mode === "live" && find(books.invoices, documentId("invoice", order.orderId)) === undefined, () => [
    at(indexKeys.ordersToInvoice)
  ])
]

/** The lower-case host's own name and its parent domains: `a.b.example`, `b.example`, `example`. */
const domainsAround = (host: string): ReadonlyArray<string> => {
  const labels = host.split(".")
  return labels.map((_, index) => labels.slice(index).join("."))
}

const ofCancelled = ({ linkId, mode, netCents }: Link, { invoices }: Books): IndexEntries =>
  when(mode === "live" && netCents > 0 && find(invoices, documentId("credit_note", linkId)) === undefined, () => [
    at(indexKeys.linksToCredit)
  ])

const ofLink = (link: Link, books: Books): IndexEntries => {
  const { accountId, siteId, status, opportunityId, history, publishedAtMs } = link
  if (status === "cancelled") return ofCancelled(link, books)
  const host = targetHost(link)
  const into = domainsAround(host).map((domain) => at(indexKeys.linksInto(accountId, link.mode, domain), siteId))
  if (link.mode === "sandbox") return into
  const orderedAtMs = history[0]?.atMs ?? 0
  return [
    at(indexKeys.linksOn(siteId)),
    at(indexKeys.linksTo(accountId, siteId, host)),
    ...into,
    ...(opportunityId === null ? [] : [at(indexKeys.linksFor(opportunityId))]),
    ...when(canCancel(status), () => [at(indexKeys.queue)]),
    ...when(isOnline(status), () => [
      at(indexKeys.daysToPublish(siteId), ((publishedAtMs ?? orderedAtMs) - orderedAtMs) / DAY_MS)
    ]),
    ...when(status === "verified", () => [at(indexKeys.verifiedOn(siteId))])
  ]
}

const ofHold = ({ accountId, state, expiresAtMs }: Hold): IndexEntries =>
  when(state === "open", () => [at(indexKeys.openHoldsOf(accountId), expiresAtMs)])

const ofSubscription = ({ accountId, keyId, revokedAtMs }: Subscription): IndexEntries => [
  at(indexKeys.subscriptionsOf(accountId)),
  ...when(revokedAtMs === null, () => [at(indexKeys.activeSubscriptionsOf(keyId))])
]

const ofDelivery = ({ webhookId, eventId, event, createdAtMs, nextAttemptAtMs }: Delivery): IndexEntries => [
  at(indexKeys.deliveriesOf(webhookId)),
  at(indexKeys.deliveriesOfEvent(eventId)),
  at(indexKeys.deliveriesMade, createdAtMs),
  ...when(event === "webhook.test", () => [at(indexKeys.testsOf(webhookId), createdAtMs)]),
  ...(nextAttemptAtMs === null ? [] : [at(indexKeys.deliveriesDueOf(webhookId), nextAttemptAtMs)])
]

const ofArticle = ({ articleId, siteId, sale }: Article): IndexEntries =>
  when(sale.state !== "sold", () => [at(indexKeys.unsoldArticlesOn(siteId), articleId)])

const ofKey = ({ hash, accountId }: ApiKey): IndexEntries => [
  at(indexKeys.keyWithHash(hash)),
  at(indexKeys.keysOf(accountId))
]

const ofMember = ({ accountId, email, removedAtMs }: Member): IndexEntries =>
  when(removedAtMs === null, () => [at(indexKeys.memberWith(email)), at(indexKeys.membersOf(accountId))])

const ofEntry = ({ accountId, reference, kind, entryId }: LedgerEntry, { invoices }: Books): IndexEntries => [
  at(indexKeys.ledgerOf(accountId)),
  ...when(kind === "top_up" && find(invoices, documentId("receipt", entryId)) === undefined, () => [
    at(indexKeys.depositsToReceipt)
  ]),
  ...(reference === undefined ? [] : [at(indexKeys.toppedUpAs(accountId, reference))])
]

const ofInvoice = ({ accountId, issuedAtMs }: Invoice): IndexEntries => [
  at(indexKeys.invoices, issuedAtMs),
  at(indexKeys.invoicesOf(accountId), issuedAtMs)
]

const ofEvent = (event: Event): IndexEntries => [
  at(indexKeys.eventsOf(isOrderEvent(event) ? event.orderId : event.quoteId))
]

const ofBinding = ({ response, boundAtMs }: Binding): IndexEntries =>
  when(response !== null, () => [at(indexKeys.answersStored, boundAtMs)])

const ofOpportunity = ({ projectId, position }: Opportunity): IndexEntries => [
  at(indexKeys.opportunitiesOf(projectId), position)
]

/** By table: the index entries of a row. */
const entriesIn = {
  accounts: ({ email }: Account) => [at(indexKeys.accounts), at(indexKeys.accountsWith(email))],
  quotes: ofQuote,
  orders: ofOrder,
  links: ofLink,
  holds: ofHold,
  ledger: ofEntry,
  invoices: ofInvoice,
  reversals: ({ quoteId }: Reversal) => [at(indexKeys.reversalsOf(quoteId))],
  setAside: ({ quoteId }: PaymentSetAside) => [at(indexKeys.setAsideOf(quoteId))],
  payments: ({ quoteId }: Payment) => [at(indexKeys.paymentsOf(quoteId))],
  members: ofMember,
  keys: ofKey,
  subscriptions: ofSubscription,
  deliveries: ofDelivery,
  events: ofEvent,
  bindings: ofBinding,
  projects: ({ accountId }: Project) => [at(indexKeys.projectsOf(accountId))],
  opportunities: ofOpportunity,
  articles: ofArticle
} satisfies { readonly [Name in TableName]?: (row: RowIn<Name>, books: Books) => IndexEntries }

/** A row of an indexed table. */
export interface Row {
  readonly table: keyof typeof entriesIn
  readonly id: string
}

export const isIndexed = (table: TableName): table is Row["table"] => table in entriesIn

/** The row's index entries according to these books; none where they do not have the row. */
export const indexEntriesOf = (books: Books, { table, id }: Row): IndexEntries => {
  const row = table === "articles" ? find(books.articles, Number(id)) : find<string, object>(books[table], id)
  // The entries of a row of this table; TypeScript loses the relation when both are looked up by name.
  const entries = entriesIn[table] as (row: object, books: Books) => IndexEntries
  return row === undefined ? [] : entries(row, books)
}
