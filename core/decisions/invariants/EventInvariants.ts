// The invariants of events and their deliveries.

import type { Invariant } from "#core/domain/operations/Invariant.ts"
import { showsInterruption } from "#core/domain/operations/Retention.ts"
import { isOnline, type Link } from "#core/domain/ordering/Link.ts"
import { orderStatus } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { EventId, LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import {
  type Event,
  type EventType,
  isOrderEvent,
  type OrderEvent,
  type QuoteEvent
} from "#core/domain/webhooks/Event.ts"
import { isFor, names, type Subscription } from "#core/domain/webhooks/Subscription.ts"
import { type Books, find, linksOf } from "../Books.ts"
import { all, compositeKey, groupBy, type InvariantCheck } from "./InvariantCheck.ts"

interface ExpectedEvent {
  readonly orderId: OrderId
  readonly type: OrderEvent["type"]
  readonly linkId: LinkId | null
}

const orderEvents = ({ events }: Books): ReadonlyArray<OrderEvent> => all(events).filter(isOrderEvent)

/** One that was online may be cancelled since. */
const wasCompleted = (links: ReadonlyArray<Link>): boolean =>
  links.every(({ status }) => status === "cancelled" || isOnline(status)) &&
  links.some(({ publishedAtMs }) => publishedAtMs !== null)

const expectedEvents = function* (books: Books): Iterable<ExpectedEvent> {
  for (const order of all(books.orders)) {
    const { orderId } = order
    const links = linksOf(books, order)
    yield { orderId, type: "order.accepted", linkId: null }
    if (wasCompleted(links)) yield { orderId, type: "order.completed", linkId: null }
    if (links.length > 0 && orderStatus(links) === "cancelled") yield { orderId, type: "order.cancelled", linkId: null }
    for (const { linkId, publishedAtMs } of links) {
      if (publishedAtMs !== null) yield { orderId, type: "order.published", linkId }
    }
  }
}

const nameOf = ({ orderId, type, linkId }: ExpectedEvent): string => compositeKey(orderId, type, linkId)

const isOfItsOrder = (books: Books, { orderId, accountId, keyId, mode }: OrderEvent): boolean => {
  const order = find(books.orders, orderId)
  return order?.accountId === accountId && order.keyId === keyId && order.mode === mode
}

const REPEATING: EventType = "order.updated"

/** At most one for each entry of the links' histories. */
const updatesOfMoves: InvariantCheck = function* (books) {
  const updates = Map.groupBy(
    orderEvents(books).filter(({ type }) => type === REPEATING),
    ({ orderId }) => orderId
  )
  for (const [orderId, raised] of updates) {
    const order = find(books.orders, orderId)
    const entries = order === undefined ? [] : linksOf(books, order).flatMap(({ history }) => history)
    const fit = raised.every((event) => event.linkId === null && isOfItsOrder(books, event))
    if (fit && raised.length <= entries.length) continue
    yield { subject: orderId, message: `${REPEATING}: at most ${entries.length} are due, ${raised.length} were raised` }
  }
}

/** They are raised only for webhooks that receive them. */
const MAY_LACK: ReadonlySet<EventType> = new Set<EventType>(["order.accepted", "order.completed"])

const orderIsAnnounced: InvariantCheck = function* (books, nowMs) {
  yield* updatesOfMoves(books, nowMs)
  const once = orderEvents(books).filter(({ type }) => type !== REPEATING)
  const raised = groupBy(once, nameOf)
  const due = new Map([...expectedEvents(books)].map((one) => [nameOf(one), one]))
  for (const one of new Map([...once.map((event) => [nameOf(event), event] as const), ...due]).values()) {
    const expected = due.has(nameOf(one)) ? 1 : 0
    const events = raised(nameOf(one))
    const ofItsOrder = events.filter((event) => isOfItsOrder(books, event)).length
    const mayLack = MAY_LACK.has(one.type) && events.length === 0
    if (expected === 1 && (mayLack || (events.length === 1 && ofItsOrder === 1))) continue
    const what = `${one.type} of link ${one.linkId ?? "-"}`
    yield { subject: one.orderId, message: `${what}: ${expected} are due, ${ofItsOrder} were raised` }
  }
}

const fits = (quote: Quote, { type, accountId, keyId, mode }: QuoteEvent): boolean => {
  const isState = {
    "quote.paid": quote.status === "paid",
    "quote.abandoned": quote.status === "abandoned" && quote.abandonedBy !== "expiry",
    "quote.expired": quote.abandonedBy === "expiry" || quote.status === "paid",
    "quote.approval_requested": true
  }
  return isState[type] && quote.accountId === accountId && quote.keyId === keyId && quote.mode === mode
}

/** Once per quote, and true: an expired quote may have been paid after all. */
const quoteIsAnnounced: InvariantCheck = function* ({ events, quotes }) {
  const raised = all(events).filter((event) => !isOrderEvent(event))
  const alike = groupBy(raised, ({ quoteId, type }) => compositeKey(quoteId, type))
  for (const event of raised) {
    const { quoteId, type } = event
    const quote = find(quotes, quoteId)
    const times = alike(compositeKey(quoteId, type)).length
    if (times === 1 && quote !== undefined && fits(quote, event)) continue
    yield {
      subject: quoteId,
      message: `${type} was raised ${times} times; the quote is ${quote?.status ?? "not there"}`
    }
  }
}

/** What webhooks are told of. `eventId` is null for an order that was accepted without an event, because no webhook received it. */
interface Announcement extends Pick<Event, "type" | "keyId" | "accountId" | "mode" | "atMs"> {
  readonly eventId: EventId | null
  readonly subject: string
}

const announcements = ({ events, orders }: Books): ReadonlyArray<Announcement> => {
  const accepted = new Set(all(events).flatMap(({ type, orderId }) => (type === "order.accepted" ? [orderId] : [])))
  const type: EventType = "order.accepted"
  return [
    ...all(events).map((event) => ({ ...event, subject: event.eventId })),
    ...all(orders)
      .filter(({ orderId }) => !accepted.has(orderId))
      .map(({ orderId, keyId, accountId, mode, createdAtMs }) => {
        return { subject: orderId, eventId: null, type, keyId, accountId, mode, atMs: createdAtMs }
      })
  ]
}

const isSubscribed = (subscription: Subscription, one: Announcement): boolean => {
  const { createdAtMs, namedAtMs = 0, resumedAtMs = 0, revokedAtMs } = subscription
  return (
    isFor(subscription, one) &&
    names(subscription, one.type) &&
    Math.max(createdAtMs, namedAtMs, resumedAtMs) < one.atMs &&
    (revokedAtMs === null || revokedAtMs > one.atMs)
  )
}

/**
 * Checks only subscriptions that cannot have been disabled in between: being disabled leaves a delivery that failed, was
 * dropped, or was redelivered since. Deliveries of older events may have been freed.
 */
const eventIsQueued: InvariantCheck = function* (books) {
  const { deliveries, subscriptions, freed } = books
  const announced = announcements(books).filter(({ atMs }) => atMs >= freed.deliveriesBeforeMs)
  const deliveriesOf = groupBy(all(deliveries), ({ webhookId }) => webhookId)
  for (const subscription of all(subscriptions)) {
    const { webhookId, health } = subscription
    const own = deliveriesOf(webhookId)
    const mayHaveBeenDisabled = freed.interrupted.has(webhookId) || own.some(showsInterruption)
    if (mayHaveBeenDisabled || health.disabledAtMs !== null) continue
    const queued = new Set(own.map(({ eventId }) => eventId))
    for (const one of announced) {
      if (!isSubscribed(subscription, one) || (one.eventId !== null && queued.has(one.eventId))) continue
      yield { subject: one.subject, message: `${one.type} was not queued for subscription ${webhookId}` }
    }
  }
}

const deliveryIsTrue: InvariantCheck = function* ({ events, deliveries, subscriptions }) {
  for (const { deliveryId, eventId, event: type, body, webhookId } of all(deliveries)) {
    if (type === "webhook.test") continue
    const event = find(events, eventId)
    const subscription = find(subscriptions, webhookId)
    const isForIt = event !== undefined && subscription !== undefined && isFor(subscription, event)
    if (isForIt && event.type === type && event.body === body) continue
    const is = event === undefined ? "not there" : event.body === body ? "another or another key's" : "of other bytes"
    yield {
      subject: deliveryId,
      message: `it carries ${type} ${eventId} to subscription ${webhookId}; that event is ${is}`
    }
  }
}

const deliveryIsAwaited: InvariantCheck = function* ({ deliveries }) {
  for (const { deliveryId, state, nextAttemptAtMs } of all(deliveries)) {
    if ((state === "pending") === (nextAttemptAtMs !== null)) continue
    yield { subject: deliveryId, message: `it is ${state}, due at ${nextAttemptAtMs ?? "-"}` }
  }
}

export const eventInvariants = {
  order_is_announced: orderIsAnnounced,
  quote_is_announced: quoteIsAnnounced,
  event_is_queued: eventIsQueued,
  delivery_is_true: deliveryIsTrue,
  delivery_is_awaited: deliveryIsAwaited
} satisfies Partial<Record<Invariant, InvariantCheck>>
