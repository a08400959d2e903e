// The invariants of events and their deliveries.
import type { Event, EventType } from "#core/domain/Event.ts"
import type { Invariant } from "#core/domain/Invariant.ts"
import { orderStatus } from "#core/domain/Order.ts"
import { showsInterruption } from "#core/domain/Retention.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { type Books, find, linksOf } from "../Books.ts"
import { all, compositeKey, groupBy, type InvariantCheck } from "./InvariantCheck.ts"

interface ExpectedEvent {
  readonly orderId: string
  readonly type: EventType
  readonly linkId: string | null
}

const expectedEvents = function* (books: Books): Iterable<ExpectedEvent> {
  for (const order of all(books.orders)) {
    const { orderId } = order
    const links = linksOf(books, order)
    yield { orderId, type: "order.accepted", linkId: null }
    if (orderStatus(links) === "cancelled") yield { orderId, type: "order.cancelled", linkId: null }
    for (const { linkId, publishedAtMs } of links) {
      if (publishedAtMs !== null) yield { orderId, type: "order.published", linkId }
    }
  }
}

const nameOf = ({ orderId, type, linkId }: ExpectedEvent): string => compositeKey(orderId, type, linkId)

const isOfItsOrder = (books: Books, { orderId, accountId, keyId, mode }: Event): boolean => {
  const order = find(books.orders, orderId)
  return order?.accountId === accountId && order.keyId === keyId && order.mode === mode
}

const REPEATING: EventType = "order.updated"

/** At most one for each entry of the links' histories; none without a webhook that names it. */
const updatesOfMoves: InvariantCheck = function* (books) {
  const updates = Map.groupBy(
    all(books.events).filter(({ type }) => type === REPEATING),
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

const orderIsAnnounced: InvariantCheck = function* (books, nowMs) {
  yield* updatesOfMoves(books, nowMs)
  const once = all(books.events).filter(({ type }) => type !== REPEATING)
  const raised = groupBy(
    once.filter((event) => isOfItsOrder(books, event)),
    nameOf
  )
  const due = new Map([...expectedEvents(books)].map((one) => [nameOf(one), one]))
  for (const one of new Map([...once.map((event) => [nameOf(event), event] as const), ...due]).values()) {
    const expected = due.has(nameOf(one)) ? 1 : 0
    const count = raised(nameOf(one)).length
    if (expected === 1 && count === 1) continue
    const what = `${one.type} of link ${one.linkId ?? "-"}`
    yield { subject: one.orderId, message: `${what}: ${expected} are due, ${count} were raised` }
  }
}

const isSubscribed = ({ keyId, events, createdAtMs, revokedAtMs }: Subscription, event: Event): boolean =>
  keyId === event.keyId &&
  events.includes(event.type) &&
  createdAtMs < event.atMs &&
  (revokedAtMs === null || revokedAtMs > event.atMs)

/**
 * Checks only subscriptions that cannot have been disabled in between: being disabled leaves a delivery that failed, was
 * dropped, or was redelivered since. Deliveries of older events may have been freed.
 */
const eventIsQueued: InvariantCheck = function* ({ events, deliveries, subscriptions, freed }) {
  const deliveriesOf = groupBy(all(deliveries), ({ webhookId }) => webhookId)
  for (const subscription of all(subscriptions)) {
    const { webhookId, health } = subscription
    const own = deliveriesOf(webhookId)
    const mayHaveBeenDisabled = freed.interrupted.has(webhookId) || own.some(showsInterruption)
    if (mayHaveBeenDisabled || health.disabledAtMs !== null) continue
    const queued = new Set(own.map(({ eventId }) => eventId))
    for (const event of all(events)) {
      if (!isSubscribed(subscription, event) || queued.has(event.eventId)) continue
      if (event.atMs < freed.deliveriesBeforeMs) continue
      yield { subject: event.eventId, message: `${event.type} was not queued for subscription ${webhookId}` }
    }
  }
}

const deliveryIsTrue: InvariantCheck = function* ({ events, deliveries, subscriptions }) {
  for (const { deliveryId, eventId, event: type, body, webhookId } of all(deliveries)) {
    if (type === "webhook.test") continue
    const event = find(events, eventId)
    const key = find(subscriptions, webhookId)?.keyId
    if (event?.type === type && event.body === body && event.keyId === key) continue
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
  event_is_queued: eventIsQueued,
  delivery_is_true: deliveryIsTrue,
  delivery_is_awaited: deliveryIsAwaited
} satisfies Partial<Record<Invariant, InvariantCheck>>
