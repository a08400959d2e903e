// Raises an order event and queues a delivery of it for each subscription that receives it (a transactional outbox).
import { HashMap } from "effect"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import type { EventData, EventType } from "#core/domain/Event.ts"
import type { Order } from "#core/domain/Order.ts"
import type { Rendering } from "#core/domain/Rendering.ts"
import { receives, type Subscription } from "#core/domain/Subscription.ts"
import { type Books, find, linksOf } from "./Books.ts"
import type { Draft } from "./Draft.ts"

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

export const raiseEvent = (
  draft: Draft,
  render: Rendering,
  type: EventType,
  about: Pick<EventData, "order" | "quote" | "links" | "link">
): void => {
  const { order, link } = about
  const { mode, keyId, accountId, orderId } = order
  const eventId = draft.nextId("evt_", mode)
  const atMs = draft.context.nowMs
  const body = render.event({ eventId, type, atMs, ...about })
  const event = { eventId, type, mode, keyId, accountId, orderId, linkId: link?.linkId ?? null, body, atMs }
  draft.record({ _tag: "EventRaised", event })
  for (const subscription of HashMap.values(draft.books.subscriptions)) {
    if (subscription.keyId !== keyId || !receives(subscription, type)) continue
    const delivery = newDelivery(draft, subscription, { eventId, event: type, body, atMs })
    draft.record({ _tag: "DeliveryQueued", delivery })
  }
}

const isAwaited = ({ subscriptions }: Books, { keyId }: Order, type: EventType): boolean => {
  for (const one of HashMap.values(subscriptions)) if (one.keyId === keyId && receives(one, type)) return true
  return false
}

/** `order.accepted`. Not raised unless a webhook of the order's key receives it, because the order itself tells as much. */
export const raiseAccepted = (
  draft: Draft,
  render: Rendering,
  about: Pick<EventData, "order" | "quote" | "links">
): void => {
  if (isAwaited(draft.books, about.order, "order.accepted")) raiseEvent(draft, render, "order.accepted", about)
}

/** `order.updated`, once for everything that a decision changed. Not raised unless a webhook of the order's key receives it. */
export const raiseUpdated = (draft: Draft, render: Rendering, order: Order): void => {
  const { books } = draft
  const quote = find(books.quotes, order.quoteId)
  if (quote === undefined || !isAwaited(books, order, "order.updated")) return
  raiseEvent(draft, render, "order.updated", { order, quote, links: linksOf(books, order) })
}
