// Under which keys of the secondary indexes each row of the books is indexed, with its score.
import { type Books, find, linksOf, type RowIn, type TableName } from "#core/decisions/Books.ts"
import type { ApiKey } from "#core/domain/access/ApiKey.ts"
import type { Article } from "#core/domain/catalogue/Catalogue.ts"
import type { Opportunity, Project } from "#core/domain/catalogue/Visibility.ts"
import { documentId, type Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { Binding } from "#core/domain/ordering/Idempotency.ts"
import { canCancel, isOnline, type Link } from "#core/domain/ordering/Link.ts"
import { type Order, orderStatus } from "#core/domain/ordering/Order.ts"
import type { PaymentSetAside } from "#core/domain/ordering/PaymentSetAside.ts"
import { awaitsPayment, isOpen, isPaymentPending, type Payment, type Quote } from "#core/domain/ordering/Quote.ts"
import type { Reversal } from "#core/domain/ordering/Reversal.ts"
import { targetHost } from "#core/domain/pricing/Cart.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import type { Hold } from "#core/domain/wallet/Hold.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { type Event, isOrderEvent } from "#core/domain/webhooks/Event.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { type IndexKey, indexKeys } from "./IndexKeys.ts"

/** One key under which a row is indexed, and its score there. */
export interface IndexEntry {
  readonly key: IndexKey<string>
  readonly score: number
}

type IndexEntries = ReadonlyArray<IndexEntry>

const at = (key: IndexKey<string>, score = 0): IndexEntry => ({ key, score })

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
    at(indexKeys.topUpsToReceipt)
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

/** The index entries of a row, by its table. */
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
