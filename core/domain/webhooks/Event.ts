// Events of orders and quotes. The body of an event that a webhook names is rendered when it is written, and is the same in every delivery
// attempt. Other events are rendered from the histories once they are listed.
import { Schema } from "effect"
import type { PlacedBy } from "../access/PlacedBy.ts"
import type { Link } from "../ordering/Link.ts"
import type { Order } from "../ordering/Order.ts"
import type { Quote } from "../ordering/Quote.ts"
import { Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, EventId, KeyId, LinkId, OrderId, QuoteId, type WebhookId } from "../shared/Ids.ts"

/** `order.updated` repeats: at each change of links. Every other event happens once per order or link. */
export const OrderEventType = Schema.Literals([
  "order.accepted",
  "order.published",
  "order.cancelled",
  "order.updated",
  "order.completed"
])
export type OrderEventType = typeof OrderEventType.Type

/** Each happens at most once per quote. */
export const QuoteEventType = Schema.Literals([
  "quote.approval_requested",
  "quote.paid",
  "quote.expired",
  "quote.abandoned"
])
export type QuoteEventType = typeof QuoteEventType.Type

export const EventType = Schema.Literals([...OrderEventType.literals, ...QuoteEventType.literals])
export type EventType = typeof EventType.Type

/** What a webhook names: types, or `*` for all, those of later versions too. */
export const EventChoice = Schema.Literals([...EventType.literals, "*"])
export type EventChoice = typeof EventChoice.Type

/** The choices that an instance of a version before step 065 does not know. */
export const LaterChoice = EventChoice.pick(["order.completed", "quote.abandoned", "*"])
export type LaterChoice = typeof LaterChoice.Type

/** The choices that every instance knows. */
export const EarlierChoice = EventChoice.pick([
  "order.accepted",
  "order.published",
  "order.cancelled",
  "order.updated",
  "quote.approval_requested",
  "quote.paid",
  "quote.expired"
])
export type EarlierChoice = typeof EarlierChoice.Type

/** Who abandoned a quote, as events tell it. */
export const Abandoner = Schema.Literals(["human", "agent", "operator"])
export type Abandoner = typeof Abandoner.Type

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
  /** In `order.updated`. */
  readonly changedLinkIds?: ReadonlyArray<LinkId>
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
  /** In `quote.abandoned`. */
  readonly by?: Abandoner
}

/** What the body of a `webhook.test` is rendered from. */
export interface TestEventData {
  readonly eventId: EventId
  readonly webhookId: WebhookId
  readonly mode: Mode
  readonly atMs: Millis
}

/** What an event of an order is rendered from beside the histories of its links. */
export const EventFacts = Schema.Struct({
  /** How many entries the history of each link had. */
  entries: Schema.Array(Schema.Int),
  changedLinkIds: Schema.Array(LinkId)
})
export type EventFacts = typeof EventFacts.Type

const raised = {
  eventId: EventId,
  mode: Mode,
  /** The key that placed the order: its subscriptions receive the event. */
  keyId: KeyId,
  accountId: AccountId,
  /** `null` where no webhook named the event. */
  body: Schema.NullOr(Schema.String),
  atMs: Millis,
  /** Where there is no body. */
  facts: Schema.optionalKey(EventFacts)
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
