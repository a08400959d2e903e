// Lists the events of orders and quotes, as webhooks tell them: what was rendered shows its bytes, the rest is rendered from the histories as
// they were at its revision.
import { Clock, Context, Effect, Layer } from "effect"
import type { AccountViewRefused } from "#core/domain/access/AccessRefusal.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { ListScope } from "#core/domain/access/ListScope.ts"
import type { Link } from "#core/domain/ordering/Link.ts"
import { linkAsBought, linkAsOf } from "#core/domain/ordering/LinkHistory.ts"
import type { Order } from "#core/domain/ordering/Order.ts"
import type { Quote } from "#core/domain/ordering/Quote.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { EventId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { EVENTS_KEPT_MS } from "#core/domain/webhooks/Delivery.ts"
import type { EventType } from "#core/domain/webhooks/Event.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { type EventSource, Events, type ListedEvent } from "#core/ports/webhooks/Events.ts"
import { type Listed, listedCredentials } from "../shared/ListedCredentials.ts"

export interface EventQuery extends PageRequest<EventId> {
  readonly scope: ListScope
  readonly type?: EventType
  readonly orderId?: OrderId
  readonly quoteId?: QuoteId
  readonly createdFromMs?: Millis
}

export interface RenderedEvents {
  /** The body of each, newest first. */
  readonly bodies: ReadonlyArray<string>
  readonly nextBeforeId: EventId | null
  readonly leftOutCount: number
}

/** The quote as it was when its order came to exist: later payments of it were credited since. */
const asPaid = (quote: Quote): Quote => ({ ...quote, creditedCents: 0 })

const linksOf = ({ links, facts }: EventSource): ReadonlyArray<Link> =>
  facts === null
    ? links.map(linkAsBought)
    : links.map((link, index) => linkAsOf(link, facts.entries[index] ?? link.history.length))

export class ListEvents extends Context.Service<
  ListEvents,
  {
    /** The events of what this credential placed, or all of its account in its mode. */
    readonly list: (
      caller: Caller,
      query: EventQuery
    ) => Effect.Effect<RenderedEvents, AccountViewRefused | StoreUnavailable>
  }
>()("backlinks/usecases/webhooks/ListEvents") {
  static readonly layer = Layer.effect(
    ListEvents,
    Effect.gen(function* () {
      const events = yield* Events
      const { render } = yield* ServiceContext

      const { listed } = yield* listedCredentials

      const bodyOf = ({ eventId, type, atMs, content }: ListedEvent, placer: Listed["placedBy"]): string => {
        if ("body" in content) return content.body
        const { order, quote } = content satisfies { readonly order: Order }
        const [links, placedBy] = [linksOf(content), placer(quote)]
        if (type === "quote.paid")
          return render.quoteEvent({ eventId, type, atMs, quote: asPaid(quote), links, placedBy })
        // What is not stored with its body is of orders, but for `quote.paid`.
        if (type !== "order.accepted" && type !== "order.completed" && type !== "order.updated")
          throw new Error(`${type} ${eventId} was stored without its body`)
        const changed = type === "order.updated" ? { changedLinkIds: content.facts?.changedLinkIds ?? [] } : {}
        return render.event({ eventId, type, atMs, order, quote, links, placedBy, ...changed })
      }

      return ListEvents.of({
        list: Effect.fn("ListEvents.list")(function* (caller, { scope, createdFromMs = 0, ...query }) {
          const { keys, placedBy } = yield* listed(caller, scope)
          const fromMs = Math.max(createdFromMs, (yield* Clock.currentTimeMillis) - EVENTS_KEPT_MS)
          const page = yield* events.listed({ ...query, ...keys, mode: caller.mode, fromMs })
          return { ...page, bodies: page.events.map((event) => bodyOf(event, placedBy)) }
        })
      })
    })
  )
}
