// What the operator's records say of quotes, orders, wallets and webhooks, retold as the happenings that they came from, each at
// its own time. Pure; what was told already is `SeenEvents`'s business.
import type { Effect } from "effect"
import { Schema } from "effect"
import { EventName } from "#adapters/contract/Events.ts"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { AttemptFault } from "#core/domain/Delivery.ts"
import { orderStatus } from "#core/domain/Order.ts"
import type { BenchEvent } from "../events/BenchEvent.ts"
import { entered, placed } from "../events/ChangeEvents.ts"

type Answered<Call extends keyof OperatorClient> = Effect.Success<ReturnType<OperatorClient[Call]>>

export type QuoteRecord = Answered<"showQuote">
type OrderRecord = NonNullable<QuoteRecord["order"]>
type LedgerRecord = Answered<"readLedger">["entries"][number]
export type WebhookRecord = Answered<"listWebhooks">[number]
type DeliveryRecord = Answered<"listDeliveries">["deliveries"][number]

export type Retold = ReadonlyArray<BenchEvent>

const opened = ({ quote }: QuoteRecord): BenchEvent => {
  const { quoteId, accountId, mode, idempotencyKey, grossCents, totalCents, creditCents, cardCents } = quote
  const discountCents = grossCents - totalCents
  return {
    _tag: "QuoteOpened",
    atMs: quote.createdAtMs,
    quoteId,
    accountId,
    mode,
    idempotencyKey,
    grossCents,
    discountCents,
    discountLabel: discountCents === 0 ? "" : "discount",
    totalCents,
    creditCents,
    cardCents,
    expiresAtMs: quote.expiresAtMs,
    lines: quote.lines.map(({ domain, shelf, priceCents }) => ({ domain, shelf, priceCents }))
  }
}

/** Before anything was done about it, a link stood where its history begins. */
const ofOrder = ({ order, links }: OrderRecord): BenchEvent => {
  const untouched = links.map((link) => ({ ...link, status: link.history[0]?.status ?? link.status }))
  return { atMs: order.createdAtMs, ...placed({ order, links: untouched }) }
}

/** Of each move the order's status is the one of now: what it was in between is in no record. */
const moved = ({ links }: OrderRecord): Retold => {
  const status = orderStatus(links)
  return links.flatMap(({ linkId, orderId, history, publishedUrl, statusReason }) =>
    history.slice(1).map(({ status: to, atMs }, index): BenchEvent => {
      const isLast = index === history.length - 2
      return {
        _tag: "LinkMoved",
        atMs,
        orderId,
        linkId,
        from: history[index]?.status ?? to,
        to,
        reason: isLast ? statusReason : null,
        publishedUrl: to === "published" ? publishedUrl : null,
        orderStatus: status
      }
    })
  )
}

/** `heardAtMs`: when something was last heard of it, for what the record has no time of. */
export const ofQuote = (record: QuoteRecord, heardAtMs: Millis): Retold => {
  const { quote, order } = record
  const { quoteId, abandonedBy, creditedCents, status } = quote
  const told = [opened(record)]
  if (status === "abandoned" && abandonedBy !== null) {
    told.push({ _tag: "QuoteAbandoned", atMs: heardAtMs, quoteId, by: abandonedBy })
  }
  if (creditedCents > 0) told.push({ _tag: "QuoteCredited", atMs: heardAtMs, quoteId, cents: creditedCents })
  if (order === null) return told
  const { orderId, createdAtMs: atMs } = order.order
  return [...told, { _tag: "QuotePaid", atMs, quoteId, orderId }, ofOrder(order), ...moved(order)]
}

/** Oldest first. */
export const ofLedger = (entries: ReadonlyArray<LedgerRecord>): Retold =>
  entries.toReversed().map((entry) => ({ atMs: entry.atMs, ...entered(entry) }))

export const ofWebhook = (accountId: string, webhook: WebhookRecord, nowMs: Millis): Retold => {
  const { webhookId, url, events, status, consecutiveFailures, createdAtMs } = webhook
  return [
    { _tag: "WebhookAdded", atMs: createdAtMs, webhookId, accountId, url, events },
    { _tag: "EndpointHealthChanged", atMs: nowMs, webhookId, status, consecutiveFailures }
  ]
}

const isEventName = Schema.is(EventName)
const isFault = Schema.is(AttemptFault)

/** Nothing of an event that this bench has no word for: the deployment may be newer. */
export const ofDelivery = (webhookId: string, delivery: DeliveryRecord): Retold => {
  const { deliveryId, eventId, event, createdAtMs, attempts, state, nextAttemptAtMs } = delivery
  if (!isEventName(event)) return []
  const about = { deliveryId, webhookId, eventId, event }
  const tries = attempts.map(({ atMs, httpStatus, fault }, index): BenchEvent => {
    const isLast = index === attempts.length - 1
    return {
      _tag: "DeliveryAttempted",
      atMs,
      ...about,
      attempt: index + 1,
      httpStatus,
      fault: fault !== null && isFault(fault) ? fault : null,
      state: isLast ? state : "pending",
      nextAttemptAtMs: isLast ? nextAttemptAtMs : null
    }
  })
  const dueAtMs = attempts.length === 0 ? (nextAttemptAtMs ?? createdAtMs) : createdAtMs
  return [{ _tag: "DeliveryQueued", atMs: createdAtMs, ...about, dueAtMs }, ...tries]
}
