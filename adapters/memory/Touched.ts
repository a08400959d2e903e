// Which rows a change touches, so that only their places in the index are looked at again. What the change does to them is
// `core/decisions/Apply`'s.
import { type Books, find } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { drawers, type Row } from "./Drawers.ts"
import { type Index, idsIn } from "./Indexes.ts"

const quote = (id: string): Row => ({ shelf: "quotes", id })
const hold = (id: string): Row => ({ shelf: "holds", id })
const link = (id: string): Row => ({ shelf: "links", id })
const order = (id: string): Row => ({ shelf: "orders", id })
const key = (id: string): Row => ({ shelf: "keys", id })
const subscription = (id: string): Row => ({ shelf: "subscriptions", id })
const delivery = (id: string): Row => ({ shelf: "deliveries", id })
const article = (id: number): Row => ({ shelf: "articles", id })
const ledger = ({ entryId: id }: { readonly entryId: string }): Row => ({ shelf: "ledger", id })

/** A link takes its order along, whose status is made of its links'. */
const linkAndOrder = (books: Books, linkId: string): ReadonlyArray<Row> => {
  const orderId = find(books.links, linkId)?.orderId
  return orderId === undefined ? [link(linkId)] : [link(linkId), order(orderId)]
}

/** What was pending before the change may have been dropped by it. */
const pendingOf = (index: Index, webhookId: string): ReadonlyArray<Row> =>
  idsIn(index, drawers.deliveriesDueOf(webhookId)).map(delivery)

/** `books` as they are after the change, `index` as it was before. */
export const touched = (books: Books, index: Index, change: Change): ReadonlyArray<Row> => {
  switch (change._tag) {
    case "AccountOpened":
      return [{ shelf: "accounts", id: change.account.accountId }]
    case "QuoteOpened":
      return [quote(change.quote.quoteId)]
    case "SessionStored":
    case "QuoteSettled":
    case "QuoteAbandoned":
    case "QuoteCredited":
      return [quote(change.quoteId)]
    case "Credited":
      return [ledger(change.entry)]
    case "HoldPlaced":
      return [hold(change.hold.holdId), ledger(change.entry)]
    case "HoldCaptured":
    case "HoldReleased":
      return [hold(change.holdId), ledger(change.entry)]
    case "PaymentRecorded":
      return [{ shelf: "payments", id: change.payment.paymentId }]
    case "OrderPlaced":
      return [order(change.order.orderId), ...change.links.map(({ linkId }) => link(linkId))]
    case "LinkMoved":
      return linkAndOrder(books, change.move.linkId)
    case "ArticleReserved":
    case "ArticleSold":
    case "ArticleFreed":
      return [article(change.articleId)]
    case "ArticleListed":
      return [article(change.article.articleId)]
    case "KeyIssued":
      return [key(change.key.keyId)]
    case "KeyRevoked":
    case "KeyLimited":
      return [key(change.keyId)]
    case "SubscriptionAdded":
      return [subscription(change.subscription.webhookId)]
    case "SubscriptionRevoked":
      return [subscription(change.webhookId), ...pendingOf(index, change.webhookId)]
    case "EndpointFared":
      return change.health.disabledAtMs === null ? [] : pendingOf(index, change.webhookId)
    case "DeliveryQueued":
    case "DeliveryMoved":
      return [delivery(change.delivery.deliveryId)]
    case "ProjectSaved":
      return [{ shelf: "projects", id: change.project.projectId }]
    case "OpportunitySaved":
      return [{ shelf: "opportunities", id: change.opportunity.opportunityId }]
    case "PromoReserved":
    case "PromoSpent":
    case "PromoReleased":
    case "WelcomeReserved":
    case "WelcomeSpent":
    case "WelcomeReleased":
    case "CapCounted":
    case "SpendCounted":
    case "KeyBound":
    case "AnswerFrozen":
    case "SiteListed":
    case "PromoDefined":
    case "FulfilmentSwitched":
    case "EventRaised":
    case "SecretRotated":
    case "AuditRecorded":
      return []
  }
}
