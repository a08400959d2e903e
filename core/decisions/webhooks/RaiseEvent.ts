// Raises an event of an order or a quote and queues a delivery of it for each subscription that receives it (a transactional outbox).
import { HashMap } from "effect"
import { type Placed, type PlacedBy, placedBy } from "#core/domain/access/PlacedBy.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import type { Event, EventData, EventType, OrderEventType, QuoteEventType } from "#core/domain/webhooks/Event.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { isFor, receives, type Subscription } from "#core/domain/webhooks/Subscription.ts"
import { type Books, find, linksOf } from "../Books.ts"
import type { Draft } from "../Draft.ts"

/** A delivery that is due at once. */
export const newDelivery = (
  draft: Draft,
  { webhookId, accountId, keyId, mode }: Subscription,
  { eventId, event, body, atMs }: Pick<Delivery, "eventId" | "event" | "body"> & { readonly atMs: Millis }
): Delivery => ({
  deliveryId: draft.nextId("dlv_", mode),
  webhookId,
  accountId,
  keyId,
  mode,
  eventId,
  event,
  body,
  createdAtMs: atMs,
  state: "pending",
  attempts: [],
  attemptsInRun: 0,
  nextAttemptAtMs: atMs
})

const record = (draft: Draft, event: Event): void => {
  const { eventId, type, body, atMs } = event
  draft.record({ _tag: "EventRaised", event })
  for (const subscription of HashMap.values(draft.books.subscriptions)) {
    if (!isFor(subscription, event) || !receives(subscription, type)) continue
    const delivery = newDelivery(draft, subscription, { eventId, event: type, body, atMs })
    draft.record({ _tag: "DeliveryQueued", delivery })
  }
}

/** The books of every decision that raises an event have the key that ordered. */
const placerIn = ({ keys }: Books, placed: Placed): PlacedBy => placedBy(placed, find(keys, placed.keyId)?.label ?? "")

export const raiseEvent = (
  draft: Draft,
  render: Rendering,
  type: OrderEventType,
  about: Pick<EventData, "order" | "quote" | "links" | "link">
): void => {
  const { order, link } = about
  const { mode, keyId, accountId, orderId } = order
  const eventId = draft.nextId("evt_", mode)
  const atMs = draft.context.nowMs
  const body = render.event({ eventId, type, atMs, placedBy: placerIn(draft.books, order), ...about })
  const linkId = link?.linkId ?? null
  record(draft, { eventId, type, mode, keyId, accountId, orderId, linkId, quoteId: null, body, atMs })
}

const isAwaited = (
  { subscriptions }: Books,
  placed: Pick<Order, "keyId" | "accountId" | "mode">,
  type: EventType
): boolean => {
  for (const one of HashMap.values(subscriptions)) if (isFor(one, placed) && receives(one, type)) return true
  return false
}

/** `order.accepted`. Not raised unless a webhook receives it, because the order itself tells as much. */
export const raiseAccepted = (
  draft: Draft,
  render: Rendering,
  about: Pick<EventData, "order" | "quote" | "links">
): void => {
  if (isAwaited(draft.books, about.order, "order.accepted")) raiseEvent(draft, render, "order.accepted", about)
}

/** `order.updated`, once for everything that a decision changed. Not raised unless a webhook receives it. */
export const raiseUpdated = (draft: Draft, render: Rendering, order: Order): void => {
  const { books } = draft
  const quote = find(books.quotes, order.quoteId)
  if (quote === undefined || !isAwaited(books, order, "order.updated")) return
  raiseEvent(draft, render, "order.updated", { order, quote, links: linksOf(books, order) })
}

/** An event of a quote as it is now. Not raised unless a webhook receives it, because the quote itself tells as much. */
export const raiseQuoteEvent = (
  draft: Draft,
  render: Rendering,
  type: QuoteEventType,
  about: { readonly quote: Quote; readonly links?: ReadonlyArray<Link> }
): void => {
  const { quote, links = [] } = about
  if (!isAwaited(draft.books, quote, type)) return
  const { mode, keyId, accountId, quoteId } = quote
  const eventId = draft.nextId("evt_", mode)
  const atMs = draft.context.nowMs
  const body = render.quoteEvent({ eventId, type, atMs, quote, links, placedBy: placerIn(draft.books, quote) })
  record(draft, { eventId, type, mode, keyId, accountId, orderId: null, linkId: null, quoteId, body, atMs })
}
