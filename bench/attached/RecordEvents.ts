// The operator's records of quotes, orders, wallets and webhooks as the events that led to them, each with its own time. Pure.
import { type Effect, Schema, Struct } from "effect"
import { EventName } from "#adapters/contract/webhooks/Events.ts"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { movesIn } from "#core/domain/ordering/LinkChange.ts"
import { orderStatus } from "#core/domain/ordering/Order.ts"
import { awaitsApproval } from "#core/domain/ordering/Quote.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, WebhookId } from "#core/domain/shared/Ids.ts"
import { AttemptFault } from "#core/domain/webhooks/Delivery.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"
import { orderPlaced, quoteOpened, walletMoved } from "../events/ChangeEvents.ts"

type RecordOf<Call extends keyof OperatorClient> = Effect.Success<ReturnType<OperatorClient[Call]>>

export type QuoteRecord = RecordOf<"showQuote">
type OrderRecord = NonNullable<QuoteRecord["order"]>
type LedgerRecord = RecordOf<"readLedger">["entries"][number]
export type WebhookRecord = RecordOf<"listWebhooks">[number]
type DeliveryRecord = RecordOf<"listDeliveries">["deliveries"][number]

type Events = ReadonlyArray<BenchEvent>

/** The order as it was placed, then each move of its links; every move carries the order's status of now. */
const orderEvents = ({ order, links }: OrderRecord): Events => {
  const placedLinks = links.map((link) => ({ ...link, status: link.history[0]?.status ?? link.status }))
  const status = orderStatus(links)
  const moves = links.flatMap(({ linkId, orderId, history: steps, publishedUrl, statusReason }) => {
    const history = movesIn(steps)
    return history.slice(1).map(
      ({ status: to, atMs }, index): BenchEvent => ({
        _tag: "LinkMoved",
        atMs,
        orderId,
        linkId,
        from: history[index]?.status ?? to,
        to,
        reason: index === history.length - 2 ? statusReason : null,
        publishedUrl: to === "published" ? publishedUrl : null,
        orderStatus: status
      })
    )
  })
  return [{ atMs: order.createdAtMs, ...orderPlaced({ order, links: placedLinks }) }, ...moves]
}

/** `seenAtMs` is when the quote last changed: the record has no time of its end. */
export const quoteEvents = ({ quote, order }: QuoteRecord, seenAtMs: Millis): Events => {
  const { quoteId, abandonedBy, creditedCents, status, grossCents, totalCents, expiresAtMs } = quote
  const { approvedAtMs, declinedReason } = quote
  const discountCents = grossCents - totalCents
  const opened = quoteOpened(quote, {
    discountCents,
    discountLabel: discountCents === 0 ? "" : "discount",
    awaitsApproval: awaitsApproval(quote) || approvedAtMs !== null || declinedReason !== null
  })
  const events: Array<BenchEvent> = [{ atMs: quote.createdAtMs, ...opened }]
  if (approvedAtMs !== null) events.push({ _tag: "QuoteApproved", atMs: approvedAtMs, quoteId, expiresAtMs })
  if (status === "abandoned" && abandonedBy !== null) {
    events.push({ _tag: "QuoteAbandoned", atMs: seenAtMs, quoteId, by: abandonedBy, declinedReason })
  }
  if (creditedCents > 0) events.push({ _tag: "QuoteCredited", atMs: seenAtMs, quoteId, cents: creditedCents })
  if (order === null) return events
  const { orderId, createdAtMs: atMs } = order.order
  return [...events, { _tag: "QuotePaid", atMs, quoteId, orderId }, ...orderEvents(order)]
}

/** Takes the entries newest first, returns the oldest event first. */
export const ledgerEvents = (entries: ReadonlyArray<LedgerRecord>): Events =>
  entries.toReversed().map((entry) => ({ atMs: entry.atMs, ...walletMoved(entry) }))

export const webhookEvents = (accountId: AccountId, webhook: WebhookRecord, nowMs: Millis): Events => {
  const { webhookId, url, events, status, consecutiveFailures, createdAtMs } = webhook
  return [
    { _tag: "WebhookAdded", atMs: createdAtMs, webhookId, accountId, url, events },
    { _tag: "EndpointHealthChanged", atMs: nowMs, webhookId, status, consecutiveFailures }
  ]
}

const isEventName = Schema.is(EventName)
const isFault = Schema.is(AttemptFault)

/** Empty for an event type that this bench does not know: the deployment may be newer. */
export const deliveryEvents = (webhookId: WebhookId, delivery: DeliveryRecord): Events => {
  const { event, createdAtMs, attempts, state, nextAttemptAtMs } = delivery
  if (!isEventName(event)) return []
  const ofDelivery = { ...Struct.pick(delivery, ["deliveryId", "eventId"]), webhookId, event }
  const attempted = attempts.map(({ atMs, httpStatus, fault }, index): BenchEvent => {
    const isLast = index === attempts.length - 1
    return {
      _tag: "DeliveryAttempted",
      atMs,
      ...ofDelivery,
      attempt: index + 1,
      httpStatus,
      fault: fault !== null && isFault(fault) ? fault : null,
      state: isLast ? state : "pending",
      nextAttemptAtMs: isLast ? nextAttemptAtMs : null
    }
  })
  const dueAtMs = attempts.length === 0 ? (nextAttemptAtMs ?? createdAtMs) : createdAtMs
  return [{ _tag: "DeliveryQueued", atMs: createdAtMs, ...ofDelivery, dueAtMs }, ...attempted]
}
