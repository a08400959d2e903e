// Lists events, stored ones and those that follow from an order. They are raised through the order book.
import { Context, type Effect } from "effect"
import type { ListedKeys } from "#core/domain/access/ListScope.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { Millis, Mode } from "#core/domain/shared/DecisionContext.ts"
import type { EventId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { EventFacts, EventType } from "#core/domain/webhooks/Event.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

/** What an event without a body is rendered from. */
export interface EventSource {
  readonly order: Order
  readonly quote: Quote
  readonly links: ReadonlyArray<Link>
  /** `null`: the event happened as the order came to exist. */
  readonly facts: EventFacts | null
}

export interface ListedEvent {
  readonly eventId: EventId
  readonly type: EventType
  readonly atMs: Millis
  /** What was delivered, or would have been. */
  readonly content: { readonly body: string } | EventSource
}

/** All conditions hold; an absent one does not count. */
export interface EventConditions {
  readonly type?: EventType
  /** Events of this order. */
  readonly orderId?: OrderId
  /** Events of this quote. */
  readonly quoteId?: QuoteId
  readonly fromMs: Millis
  /** That of the keys. */
  readonly mode: Mode
}

export interface EventPage {
  /** Newest first. */
  readonly events: ReadonlyArray<ListedEvent>
  readonly nextBeforeId: EventId | null
  /** The events of `leftOut` that the same list would have, at most `MAX_COUNTED`. */
  readonly leftOutCount: number
}

export class Events extends Context.Service<
  Events,
  {
    /** The events of what the keys `shown` placed, all of one mode. */
    readonly listed: (
      query: PageRequest<EventId> & EventConditions & ListedKeys
    ) => Effect.Effect<EventPage, StoreUnavailable>
  }
>()("backlinks/ports/webhooks/Events") {}
