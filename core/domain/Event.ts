// What an order's owner is told about. The bytes are frozen when the event is written and are the same on every attempt.
import { Schema } from "effect"
import type { Millis, Mode } from "./DecisionContext.ts"
import type { Link } from "./Link.ts"
import type { Order } from "./Order.ts"
import type { Quote } from "./Quote.ts"

export const EventType = Schema.Literals(["order.accepted", "order.published", "order.cancelled"])
export type EventType = typeof EventType.Type

/** An event before it has bytes: what a renderer turns into the JSON body. */
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

/** An event that an owner asked for, to see whether an endpoint hears. */
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
  /** Whose subscriptions hear of it: those of the key that placed the order. */
  readonly keyId: string
  readonly accountId: string
  readonly orderId: string
  readonly linkId: string | null
  readonly body: string
  readonly atMs: Millis
}
