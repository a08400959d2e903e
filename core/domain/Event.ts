// Order events. The body of an event is rendered when it is written and is the same in every delivery attempt.
import { Schema } from "effect"
import type { Millis, Mode } from "./DecisionContext.ts"
import type { Link } from "./Link.ts"
import type { Order } from "./Order.ts"
import type { Quote } from "./Quote.ts"

/**
 * `order.updated` repeats: at each change of links. Every other event happens once per order or link. `order.accepted` and
 * `order.updated` are raised only for webhooks that receive them.
 */
export const EventType = Schema.Literals(["order.accepted", "order.published", "order.cancelled", "order.updated"])
export type EventType = typeof EventType.Type

/** What the body of an event is rendered from. */
export interface EventData {
  readonly eventId: string
  readonly type: EventType
  readonly atMs: Millis
  readonly order: Order
  readonly quote: Quote
  readonly links: ReadonlyArray<Link>
  /** The link that was published; absent in the other events. */
  readonly link?: Link
}

/** What the body of a `webhook.test` is rendered from. */
export interface TestEventData {
  readonly eventId: string
  readonly webhookId: string
  readonly mode: Mode
  readonly atMs: Millis
}

export interface Event {
  readonly eventId: string
  readonly type: EventType
  readonly mode: Mode
  /** The key that placed the order: its subscriptions receive the event. */
  readonly keyId: string
  readonly accountId: string
  readonly orderId: string
  readonly linkId: string | null
  readonly body: string
  readonly atMs: Millis
}
