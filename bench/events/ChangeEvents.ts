// What a change of the books is to somebody who watches. Pure: from one change and the books after it, to happenings.
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import { type Delivery, endpointStatus } from "#core/domain/Delivery.ts"
import { type Order, orderStatus } from "#core/domain/Order.ts"
import type { Quote } from "#core/domain/Quote.ts"
import { availableCents, type LedgerEntry } from "#core/domain/Wallet.ts"
import type { EventPayload, LinkSeen } from "./BenchEvent.ts"

type Of<Tag extends Change["_tag"]> = Extract<Change, { readonly _tag: Tag }>

/** What a happening tells of a ledger entry. */
type Entered = Pick<LedgerEntry, "accountId" | "entryId" | "kind" | "amountCents" | "quoteId" | "orderId" | "linkId"> &
  Pick<LedgerEntry, "balanceAfterCents" | "heldAfterCents">

export const entered = (entry: Entered): EventPayload => {
  const { accountId, entryId, kind, amountCents, quoteId, orderId, linkId } = entry
  const wallet = { balanceCents: entry.balanceAfterCents, heldCents: entry.heldAfterCents }
  const refs = { quoteId, orderId, linkId }
  return {
    _tag: "WalletMoved",
    accountId,
    entryId,
    kind,
    amountCents,
    ...wallet,
    availableCents: availableCents(wallet),
    ...refs
  }
}

const opened = (quote: Quote): ReadonlyArray<EventPayload> => {
  const { quoteId, accountId, mode, idempotencyKey, grossCents, totalCents, creditCents, cardCents } = quote
  const { paymentUrl, expiresAtMs, discount, lines } = quote
  const opening: EventPayload = {
    _tag: "QuoteOpened",
    quoteId,
    accountId,
    mode,
    idempotencyKey,
    grossCents,
    discountCents: discount.amountCents,
    discountLabel: discount.source === "none" ? "" : discount.label,
    totalCents,
    creditCents,
    cardCents,
    expiresAtMs,
    lines: lines.map(({ domain, shelf, priceCents }) => ({ domain, shelf, priceCents }))
  }
  return paymentUrl === null ? [opening] : [opening, { _tag: "PaymentLinkReady", quoteId, paymentUrl }]
}

/** What a happening tells of a placed order. */
interface Placed {
  readonly order: Pick<Order, "orderId" | "quoteId" | "accountId" | "mode" | "totalCents">
  readonly links: ReadonlyArray<LinkSeen>
}

export const placed = ({ order, links }: Placed): EventPayload => {
  const { orderId, quoteId, accountId, mode, totalCents } = order
  const seen = links.map(({ linkId, domain, shelf, anchorText, netCents, status }) => {
    return { linkId, domain, shelf, anchorText, netCents, status }
  })
  return { _tag: "OrderPlaced", orderId, quoteId, accountId, mode, totalCents, links: seen }
}

const moved = ({ move }: Of<"LinkMoved">, books: Books): ReadonlyArray<EventPayload> => {
  const { linkId, to, reason, publishedUrl } = move
  const link = find(books.links, linkId)
  const order = link && find(books.orders, link.orderId)
  if (link === undefined || order === undefined) return []
  const status = orderStatus(linksOf(books, order))
  const places = link.history.map((entry) => entry.status)
  const from = places[places.lastIndexOf(to) - 1] ?? to
  return [{ _tag: "LinkMoved", orderId: link.orderId, linkId, from, to, reason, publishedUrl, orderStatus: status }]
}

const onItsWay = ({ deliveryId, webhookId, eventId, event, nextAttemptAtMs, createdAtMs }: Delivery): EventPayload => {
  return { _tag: "DeliveryQueued", deliveryId, webhookId, eventId, event, dueAtMs: nextAttemptAtMs ?? createdAtMs }
}

/** Set going again, it is on its way anew; otherwise an attempt was made. */
const deliveryMoved = (delivery: Delivery): ReadonlyArray<EventPayload> => {
  const { deliveryId, webhookId, eventId, event, attempts, attemptsInRun, state, nextAttemptAtMs } = delivery
  const last = attempts.at(-1)
  if (attemptsInRun === 0 || last === undefined) return [onItsWay(delivery)]
  const { httpStatus, fault } = last
  const attempt = attempts.length
  const outcome = { attempt, httpStatus, fault, state, nextAttemptAtMs }
  return [{ _tag: "DeliveryAttempted", deliveryId, webhookId, eventId, event, ...outcome }]
}

/** None where nothing is to be seen. `books` are those that the change led to. */
export const toBenchEvents = (change: Change, books: Books): ReadonlyArray<EventPayload> => {
  switch (change._tag) {
    case "AccountOpened":
      return [{ _tag: "WalletOpened", accountId: change.account.accountId, name: change.account.name }]
    case "Credited":
    case "HoldPlaced":
    case "HoldCaptured":
    case "HoldReleased":
      return [entered(change.entry)]
    case "QuoteOpened":
      return opened(change.quote)
    case "SessionStored":
      return [{ _tag: "PaymentLinkReady", quoteId: change.quoteId, paymentUrl: change.paymentUrl }]
    case "QuoteSettled":
      return [{ _tag: "QuotePaid", quoteId: change.quoteId, orderId: change.orderId }]
    case "QuoteAbandoned":
      return [{ _tag: "QuoteAbandoned", quoteId: change.quoteId, by: change.by }]
    case "QuoteCredited":
      return [{ _tag: "QuoteCredited", quoteId: change.quoteId, cents: change.cents }]
    case "PaymentRecorded": {
      const { paymentId, quoteId, amountCents } = change.payment
      return [{ _tag: "PaymentArrived", quoteId, paymentId, amountCents }]
    }
    case "OrderPlaced":
      return [placed(change)]
    case "LinkMoved":
      return moved(change, books)
    case "SubscriptionAdded": {
      const { webhookId, accountId, url, events } = change.subscription
      return [{ _tag: "WebhookAdded", webhookId, accountId, url, events }]
    }
    case "SubscriptionRevoked":
      return [{ _tag: "WebhookRevoked", webhookId: change.webhookId }]
    case "EndpointHealthChanged": {
      const { webhookId, health } = change
      const { consecutiveFailures } = health
      return [{ _tag: "EndpointHealthChanged", webhookId, status: endpointStatus(health), consecutiveFailures }]
    }
    case "DeliveryQueued":
      return [onItsWay(change.delivery)]
    case "DeliveryMoved":
      return deliveryMoved(change.delivery)
    case "FulfilmentSwitched":
      return [{ _tag: "FulfilmentSwitched", fulfilment: change.fulfilment }]
    default:
      return []
  }
}
