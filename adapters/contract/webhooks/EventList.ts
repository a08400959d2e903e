// The list of events: what became of orders and quotes, as webhooks tell it, with or without a webhook.
import { Schema } from "effect"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { EventType } from "#core/domain/webhooks/Event.ts"
import { PageCount } from "../schema/Amount.ts"
import { ListScope, leftOutFields } from "../schema/ListSummary.ts"
import { moment, startOf } from "../schema/Moment.ts"
import { Cursor, Limit, NextCursor } from "../schema/Paging.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { text } from "../schema/Text.ts"
import { EventBody, eventHead, QuoteEventBody } from "./Events.ts"

export const EventsQuery = Schema.Struct({
  scope: Schema.optionalKey(ListScope),
  type: Schema.optionalKey(EventType.annotate({ description: "Only events of this type." })),
  order_id: Schema.optionalKey(
    text(1).annotate({ description: "Only events `order.…` of this order." }).pipe(idBrands.OrderId)
  ),
  quote_id: Schema.optionalKey(
    text(1).annotate({ description: "Only events `quote.…` of this quote." }).pipe(idBrands.QuoteId)
  ),
  created_from: Schema.optionalKey(moment("Only events of then or later; never of more than 30 days ago.")),
  limit: Schema.optionalKey(Limit),
  cursor: Schema.optionalKey(Cursor)
})
export type EventsQuery = typeof EventsQuery.Type

const anything = Schema.Record(Schema.String, Schema.Json)

/** In the order of what is delivered. */
const { id, ...head } = eventHead

const OrderEventRecord = Schema.Struct({
  ...{ id, type: EventBody.fields.type, ...head },
  data: Schema.StructWithRest(
    Schema.Struct({
      order: anything.annotate({ description: "The order as in `OrderEvent`, as it was at its `revision`." })
    }),
    [anything]
  ).annotate({ description: "As a webhook gets it in `OrderEvent`, of the version that rendered it." })
}).annotate({ identifier: "OrderEventRecord", description: "What became of an order, and when." })

const QuoteEventRecord = Schema.Struct({
  ...{ id, type: QuoteEventBody.fields.type, ...head },
  data: Schema.StructWithRest(
    Schema.Struct({ quote: anything.annotate({ description: "The quote as in `QuoteEvent`, as it was then." }) }),
    [anything]
  ).annotate({ description: "As a webhook gets it in `QuoteEvent`, of the version that rendered it." })
}).annotate({ identifier: "QuoteEventRecord", description: "What became of a quote, and when." })

/** Open: what was delivered is shown as it was, whatever the version that rendered it. */
const EventRecord = Schema.Union([OrderEventRecord, QuoteEventRecord]).annotate({
  identifier: "EventRecord",
  description: "What became of an order or a quote, and when, by `type`."
})

export const EventList = Schema.Struct({
  ok: Ok,
  count: PageCount,
  events: Schema.Array(EventRecord).annotate({ description: "Newest first." }),
  ...leftOutFields("event"),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "EventList", description: "A page of the events of 30 days." })
export type EventList = typeof EventList.Type

const read = Schema.decodeUnknownSync(Schema.fromJsonString(EventRecord))

/** Shows the bytes that a webhook gets. */
export const showEvent = (body: string): typeof EventRecord.Type => read(body)

/** What the query asks of the events. */
export const readEventsQuery = ({ type, order_id: orderId, quote_id: quoteId, created_from: from }: EventsQuery) => {
  const createdFromMs = from === undefined ? undefined : startOf(from)
  return {
    ...(type === undefined ? {} : { type }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(quoteId === undefined ? {} : { quoteId }),
    ...(createdFromMs === undefined ? {} : { createdFromMs })
  }
}
