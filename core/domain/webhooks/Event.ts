// Events of orders and quotes. The body of an event is rendered when it is written and is the same in every delivery attempt.
import { Schema } from "effect"
import type { PlacedBy } from "../access/PlacedBy.ts"
import type { Link } from "../ordering/Link.ts"
import type { Order } from "../ordering/Order.ts"
import type { Quote } from "../ordering/Quote.ts"
import { Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, EventId, KeyId, LinkId, OrderId, QuoteId, type WebhookId } from "../shared/Ids.ts"

/**
 * `order.updated` repeats: at each change of links. Every other event happens once per order or link. `order.accepted` and
 * `order.updated` are raised only for webhooks that receive them.
 */
export const OrderEventType = Schema.Literals(["order.accepted", "order.published", "order.cancelled", "order.updated"])
export type OrderEventType = typeof OrderEventType.Type

/** Each happens at most once per quote, and is raised only for webhooks that receive it. */
export const QuoteEventType = Schema.Literals(["quote.approval_requested", "quote.paid", "quote.expired"])
export type QuoteEventType = typeof QuoteEventType.Type

export const EventType = Schema.Literals([...OrderEventType.literals, ...QuoteEventType.literals])
export type EventType = typeof EventType.Type

/** What the body of an order event is rendered from. */
export interface EventData {
  readonly eventId: EventId
  readonly type: OrderEventType
  readonly atMs: Millis
  readonly order: Order
  readonly quote: Quote
  readonly links: ReadonlyArray<Link>
  readonly placedBy: PlacedBy
  /** The link that was published; absent in the other events. */
  readonly link?: Link
}

/** What the body of a quote event is rendered from. */
export interface QuoteEventData {
  readonly eventId: EventId
  readonly type: QuoteEventType
  readonly atMs: Millis
  readonly quote: Quote
  /** Links of the order that the quote became; empty before. */
  readonly links: ReadonlyArray<Link>
  readonly placedBy: PlacedBy
}

/** What the body of a `webhook.test` is rendered from. */
export interface TestEventData {
  readonly eventId: EventId
  readonly webhookId: WebhookId
  readonly mode: Mode
  readonly atMs: Millis
}

const raised = {
  eventId: EventId,
  mode: Mode,
  /** The key that placed the order: its subscriptions receive the event. */
  keyId: KeyId,
  accountId: AccountId,
  body: Schema.String,
  atMs: Millis
}

export const OrderEvent = Schema.Struct({
  ...raised,
  type: OrderEventType,
  orderId: OrderId,
  linkId: Schema.NullOr(LinkId),
  quoteId: Schema.Null
})
export type OrderEvent = typeof OrderEvent.Type

export const QuoteEvent = Schema.Struct({
  ...raised,
  type: QuoteEventType,
  orderId: Schema.Null,
  linkId: Schema.Null,
  quoteId: QuoteId
})
export type QuoteEvent = typeof QuoteEvent.Type

export type Event = OrderEvent | QuoteEvent

export const isOrderEvent = (event: Event): event is OrderEvent => event.orderId !== null
