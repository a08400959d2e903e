// The rows that a change affects, so that only these are re-indexed.
import { type Books, bindingId, find } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { idsIn, type ReadonlyIndexes } from "./Indexes.ts"
import { indexKeys, type Row } from "./IndexKeys.ts"

const quote = (id: string): Row => ({ table: "quotes", id })
const hold = (id: string): Row => ({ table: "holds", id })
const link = (id: string): Row => ({ table: "links", id })
const order = (id: string): Row => ({ table: "orders", id })
const key = (id: string): Row => ({ table: "keys", id })
const subscription = (id: string): Row => ({ table: "subscriptions", id })
const delivery = (id: string): Row => ({ table: "deliveries", id })
const article = (id: number): Row => ({ table: "articles", id: String(id) })
const ledger = ({ entryId: id }: { readonly entryId: string }): Row => ({ table: "ledger", id })

/** The link, and its order, whose status is derived from its links. */
const linkAndOrder = (books: Books, linkId: string): ReadonlyArray<Row> => {
  const orderId = find(books.links, linkId)?.orderId
  return orderId === undefined ? [link(linkId)] : [link(linkId), order(orderId)]
}

/** Deliveries pending before the change, which it may have dropped. */
const pendingOf = (indexes: ReadonlyIndexes, webhookId: string): ReadonlyArray<Row> =>
  idsIn(indexes, indexKeys.deliveriesDueOf(webhookId)).map(delivery)

/** `books` are those after the change, `indexes` those before it. */
export const changedRows = (books: Books, indexes: ReadonlyIndexes, change: Change): ReadonlyArray<Row> => {
  switch (change._tag) {
    case "AccountOpened":
      return [{ table: "accounts", id: change.account.accountId }]
    case "EmailChanged":
    case "AccountStateChanged":
      return [{ table: "accounts", id: change.accountId }]
    case "MemberSaved":
      return [{ table: "members", id: change.member.memberId }]
    case "QuoteOpened":
      return [quote(change.quote.quoteId)]
    case "SessionStored":
    case "PaymentPending":
    case "SessionEnded":
    case "QuoteSettled":
    case "QuoteAbandoned":
    case "QuoteCredited":
      return [quote(change.quoteId)]
    case "QuoteApproved":
      return [quote(change.quoteId), ...(change.holdId === null ? [] : [hold(change.holdId)])]
    case "Credited":
    case "Debited":
      return [ledger(change.entry)]
    case "HoldPlaced":
      return [hold(change.hold.holdId), ledger(change.entry)]
    case "HoldCaptured":
    case "HoldReleased":
      return [hold(change.holdId), ledger(change.entry)]
    case "ReversalRecorded":
      return [{ table: "reversals", id: change.reversal.reversalId }]
    case "PaymentSetAside":
      return [{ table: "setAside", id: change.setAside.paymentId }]
    case "PaymentRecorded":
      return [{ table: "payments", id: change.payment.paymentId }]
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
    case "ConsentRenewed":
    case "KeyRevoked":
    case "KeyLimited":
      return [key(change.keyId)]
    case "SubscriptionAdded":
      return [subscription(change.subscription.webhookId)]
    case "SubscriptionRevoked":
      return [subscription(change.webhookId), ...pendingOf(indexes, change.webhookId)]
    case "EndpointHealthChanged":
      return change.health.disabledAtMs === null ? [] : pendingOf(indexes, change.webhookId)
    case "DeliveryQueued":
    case "DeliveryMoved":
      return [delivery(change.delivery.deliveryId)]
    case "KeyBound":
      return [{ table: "bindings", id: bindingId(change.binding.keyId, change.binding.idempotencyKey) }]
    case "ResponseStored":
      return [{ table: "bindings", id: bindingId(change.keyId, change.idempotencyKey) }]
    case "EventRaised":
      return [{ table: "events", id: change.event.eventId }]
    case "ProjectSaved":
      return [{ table: "projects", id: change.project.projectId }]
    case "OpportunitySaved":
      return [{ table: "opportunities", id: change.opportunity.opportunityId }]
    case "TopUpSaved":
    case "PromoReserved":
    case "PromoSpent":
    case "PromoReleased":
    case "WelcomeReserved":
    case "WelcomeSpent":
    case "WelcomeReleased":
    case "DailyOrderCounted":
    case "DailySpendChanged":
    case "SiteListed":
    case "PromoDefined":
    case "FulfilmentSwitched":
    case "SigningKeysChanged":
    case "AuditRecorded":
      return []
  }
}
