// Which rows stand in which drawer of the index, and at which rank: the whole of what can be looked up without searching.
// Pure; how drawers are kept is `Indexes`'.
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import type { ApiKey } from "#core/domain/ApiKey.ts"
import { targetHost } from "#core/domain/Cart.ts"
import type { Article } from "#core/domain/Catalogue.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import { canCancel, isOnline, type Link } from "#core/domain/Link.ts"
import { DAY_MS } from "#core/domain/DecisionContext.ts"
import { type Order, type OrderStatus, orderStatus } from "#core/domain/Order.ts"
import { isOpen, type Payment, type Quote } from "#core/domain/Quote.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import type { Opportunity, Project } from "#core/domain/Visibility.ts"
import type { Hold, LedgerEntry } from "#core/domain/Wallet.ts"

/** The name of every drawer. Each holds ids of one kind of row. */
export const drawers = {
  accounts: "accounts",
  quoteWithToken: (paymentToken: string) => `quote with token ${paymentToken}`,
  /** Quotes not given up, by when they were made. */
  lookAlikes: (keyId: string, itemsDigest: string) => `quotes of ${keyId} for ${itemsDigest}`,
  /** Open quotes, by when they expire. */
  due: "quotes due",
  dueOf: (accountId: string) => `quotes due of ${accountId}`,
  /** Live open quotes without a stored payment session, by when they were made. */
  withoutSession: "quotes without session",
  paymentsOf: (quoteId: string) => `payments of ${quoteId}`,
  keyWithHash: (hash: string) => `key with hash ${hash}`,
  keysOf: (accountId: string) => `keys of ${accountId}`,
  subscriptionsOf: (accountId: string) => `subscriptions of ${accountId}`,
  activeSubscriptionsOf: (keyId: string) => `active subscriptions of ${keyId}`,
  deliveriesOf: (webhookId: string) => `deliveries of ${webhookId}`,
  /** Pending ones, by when they are due. */
  deliveriesDueOf: (webhookId: string) => `deliveries due of ${webhookId}`,
  ordersOf: (keyId: string, status: OrderStatus | null) => `orders of ${keyId} that are ${status ?? "any"}`,
  /** Live links that are neither online nor cancelled. */
  queue: "links to work on",
  /** Live links not cancelled. */
  linksOn: (siteId: number) => `links on ${siteId}`,
  /** Published live links, by the days from order to publication. */
  daysToPublish: (siteId: number) => `days to publish on ${siteId}`,
  verifiedOn: (siteId: number) => `links verified on ${siteId}`,
  /** Live links not cancelled that point at this very host. */
  linksTo: (accountId: string, siteId: number, host: string) => `links of ${accountId} on ${siteId} to ${host}`,
  /** Live links not cancelled that point at this domain or a name below it, by site. */
  linksInto: (accountId: string, domain: string) => `links of ${accountId} into ${domain}`,
  linksFor: (opportunityId: string) => `links for ${opportunityId}`,
  /** Open holds, by when they expire. */
  openHoldsOf: (accountId: string) => `open holds of ${accountId}`,
  ledgerOf: (accountId: string) => `ledger of ${accountId}`,
  toppedUpAs: (accountId: string, reference: string) => `top-up of ${accountId} as ${reference}`,
  /** Articles not sold, by id. */
  unsoldArticlesOn: (siteId: number) => `unsold articles on ${siteId}`,
  projectsOf: (accountId: string) => `projects of ${accountId}`,
  /** By position. */
  opportunitiesOf: (projectId: string) => `opportunities of ${projectId}`
}

/** One place where a row stands. */
export interface Facet {
  readonly drawer: string
  readonly rank: number
}

type Facets = ReadonlyArray<Facet>

const at = (drawer: string, rank = 0): Facet => ({ drawer, rank })

const when = (condition: boolean, facets: () => Facets): Facets => (condition ? facets() : [])

const ofQuote = (quote: Quote): Facets => {
  const { keyId, accountId, itemsDigest, createdAtMs, expiresAtMs, mode, cardCents, paymentToken, sessionId } = quote
  return [
    ...when(cardCents > 0, () => [at(drawers.quoteWithToken(paymentToken))]),
    ...when(quote.status !== "abandoned", () => [at(drawers.lookAlikes(keyId, itemsDigest), createdAtMs)]),
    ...when(isOpen(quote), () => [at(drawers.due, expiresAtMs), at(drawers.dueOf(accountId), expiresAtMs)]),
    ...when(isOpen(quote) && mode === "live" && sessionId === null, () => [at(drawers.withoutSession, createdAtMs)])
  ]
}

const ofOrder = (order: Order, books: Books): Facets => [
  at(drawers.ordersOf(order.keyId, null)),
  at(drawers.ordersOf(order.keyId, orderStatus(linksOf(books, order))))
]

/** Every domain that a lower-case `hostIsWithin`: of `a.b.example`, these are `a.b.example`, `b.example` and `example`. */
const domainsAround = (host: string): ReadonlyArray<string> => {
  const labels = host.split(".")
  return labels.map((_, index) => labels.slice(index).join("."))
}

const ofLink = (link: Link): Facets => {
  const { accountId, siteId, status, opportunityId, history, publishedAtMs } = link
  if (link.mode === "sandbox" || status === "cancelled") return []
  const host = targetHost(link)
  const orderedAtMs = history[0]?.atMs ?? 0
  return [
    at(drawers.linksOn(siteId)),
    at(drawers.linksTo(accountId, siteId, host)),
    ...domainsAround(host).map((domain) => at(drawers.linksInto(accountId, domain), siteId)),
    ...(opportunityId === null ? [] : [at(drawers.linksFor(opportunityId))]),
    ...when(canCancel(status), () => [at(drawers.queue)]),
    ...when(isOnline(status), () => [
      at(drawers.daysToPublish(siteId), ((publishedAtMs ?? orderedAtMs) - orderedAtMs) / DAY_MS)
    ]),
    ...when(status === "verified", () => [at(drawers.verifiedOn(siteId))])
  ]
}

const ofHold = ({ accountId, state, expiresAtMs }: Hold): Facets =>
  when(state === "open", () => [at(drawers.openHoldsOf(accountId), expiresAtMs)])

const ofSubscription = ({ accountId, keyId, revokedAtMs }: Subscription): Facets => [
  at(drawers.subscriptionsOf(accountId)),
  ...when(revokedAtMs === null, () => [at(drawers.activeSubscriptionsOf(keyId))])
]

const ofDelivery = ({ webhookId, nextAttemptAtMs }: Delivery): Facets => [
  at(drawers.deliveriesOf(webhookId)),
  ...(nextAttemptAtMs === null ? [] : [at(drawers.deliveriesDueOf(webhookId), nextAttemptAtMs)])
]

const ofArticle = ({ articleId, siteId, sale }: Article): Facets =>
  when(sale.state !== "sold", () => [at(drawers.unsoldArticlesOn(siteId), articleId)])

const ofKey = ({ hash, accountId }: ApiKey): Facets => [at(drawers.keyWithHash(hash)), at(drawers.keysOf(accountId))]

const ofEntry = ({ accountId, reference }: LedgerEntry): Facets => [
  at(drawers.ledgerOf(accountId)),
  ...(reference === undefined ? [] : [at(drawers.toppedUpAs(accountId, reference))])
]

const ofPayment = ({ quoteId }: Payment): Facets => [at(drawers.paymentsOf(quoteId))]

const ofProject = ({ accountId }: Project): Facets => [at(drawers.projectsOf(accountId))]

const ofOpportunity = ({ projectId, position }: Opportunity): Facets => [
  at(drawers.opportunitiesOf(projectId), position)
]

/** A row of the books that stands in drawers. */
export type Row =
  | {
      readonly shelf:
        | "accounts"
        | "quotes"
        | "orders"
        | "links"
        | "holds"
        | "ledger"
        | "payments"
        | "keys"
        | "subscriptions"
        | "deliveries"
        | "projects"
        | "opportunities"
      readonly id: string
    }
  | { readonly shelf: "articles"; readonly id: number }

/** Where the row stands according to these books; nowhere if they do not have it. */
export const facetsOf = (books: Books, { shelf, id }: Row): Facets => {
  const filed = <A>(row: A | undefined, facets: (row: A) => Facets): Facets => (row === undefined ? [] : facets(row))
  switch (shelf) {
    case "accounts":
      return filed(find(books.accounts, id), () => [at(drawers.accounts)])
    case "quotes":
      return filed(find(books.quotes, id), ofQuote)
    case "orders":
      return filed(find(books.orders, id), (order) => ofOrder(order, books))
    case "links":
      return filed(find(books.links, id), ofLink)
    case "holds":
      return filed(find(books.holds, id), ofHold)
    case "ledger":
      return filed(find(books.ledger, id), ofEntry)
    case "payments":
      return filed(find(books.payments, id), ofPayment)
    case "keys":
      return filed(find(books.keys, id), ofKey)
    case "subscriptions":
      return filed(find(books.subscriptions, id), ofSubscription)
    case "deliveries":
      return filed(find(books.deliveries, id), ofDelivery)
    case "projects":
      return filed(find(books.projects, id), ofProject)
    case "opportunities":
      return filed(find(books.opportunities, id), ofOpportunity)
    case "articles":
      return filed(find(books.articles, id), ofArticle)
  }
}
