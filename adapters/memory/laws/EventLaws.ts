// The laws of what owners are told, over the books in memory: events and their deliveries.
import { type Books, find, linksOf } from "#core/decisions/Books.ts"
import type { Event, EventType } from "#core/domain/Event.ts"
import type { Invariant } from "#core/domain/Invariant.ts"
import { orderStatus } from "#core/domain/Order.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { all, gather, together, type Watch } from "./Breaches.ts"

interface Due {
  readonly orderId: string
  readonly type: EventType
  readonly linkId: string | null
}

const dueOf = function* (books: Books): Iterable<Due> {
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

const nameOf = ({ orderId, type, linkId }: Due): string => together(orderId, type, linkId)

const isOfItsOrder = (books: Books, { orderId, accountId, keyId, mode }: Event): boolean => {
  const order = find(books.orders, orderId)
  return order?.accountId === accountId && order.keyId === keyId && order.mode === mode
}

const orderIsAnnounced: Watch = function* (books) {
  const raised = gather(
    all(books.events).filter((event) => isOfItsOrder(books, event)),
    nameOf
  )
  const due = new Map([...dueOf(books)].map((one) => [nameOf(one), one]))
  for (const one of new Map([...all(books.events).map((event) => [nameOf(event), event] as const), ...due]).values()) {
    const wanted = due.has(nameOf(one)) ? 1 : 0
    const count = raised(nameOf(one)).length
    if (wanted === 1 && count === 1) continue
    const what = `${one.type} of link ${one.linkId ?? "-"}`
    yield { subject: one.orderId, message: `${what}: ${wanted} are due, ${count} were raised` }
  }
}

const heard = ({ keyId, events, createdAtMs, revokedAtMs }: Subscription, event: Event): boolean =>
  keyId === event.keyId &&
  events.includes(event.type) &&
  createdAtMs < event.atMs &&
  (revokedAtMs === null || revokedAtMs > event.atMs)

/**
 * Whether a subscription heard an event is certain of one that cannot have been disabled in between: being disabled leaves a
 * delivery that failed or was dropped, or that was set going again since.
 */
const eventIsQueued: Watch = function* ({ events, deliveries, subscriptions }) {
  const deliveriesOf = gather(all(deliveries), ({ webhookId }) => webhookId)
  for (const subscription of all(subscriptions)) {
    const { webhookId, health } = subscription
    const mine = deliveriesOf(webhookId)
    const disturbed = mine.some(
      ({ state, attempts, attemptsInRun }) =>
        state === "failed" || state === "dropped" || attempts.length !== attemptsInRun
    )
    if (disturbed || health.disabledAtMs !== null) continue
    const queued = new Set(mine.map(({ eventId }) => eventId))
    for (const event of all(events)) {
      if (!heard(subscription, event) || queued.has(event.eventId)) continue
      yield { subject: event.eventId, message: `${event.type} was not queued for subscription ${webhookId}` }
    }
  }
}

const deliveryIsTrue: Watch = function* ({ events, deliveries, subscriptions }) {
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

const deliveryIsAwaited: Watch = function* ({ deliveries }) {
  for (const { deliveryId, state, nextAttemptAtMs } of all(deliveries)) {
    if ((state === "pending") === (nextAttemptAtMs !== null)) continue
    yield { subject: deliveryId, message: `it is ${state}, due at ${nextAttemptAtMs ?? "-"}` }
  }
}

export const eventLaws = {
  order_is_announced: orderIsAnnounced,
  event_is_queued: eventIsQueued,
  delivery_is_true: deliveryIsTrue,
  delivery_is_awaited: deliveryIsAwaited
} satisfies Partial<Record<Invariant, Watch>>
