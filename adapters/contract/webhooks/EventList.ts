// The list of events: what became of orders and quotes, as webhooks tell it, with or without a webhook.
import { Schema } from "effect"
import { EventId, idBrands } from "#core/domain/shared/Ids.ts"
import { EventType } from "#core/domain/webhooks/Event.ts"
import { Count } from "../schema/Amount.ts"
import { ListScope, leftOutFields } from "../schema/ListSummary.ts"
import { moment, startOf } from "../schema/Moment.ts"
import { Cursor, Limit, NextCursor } from "../schema/Paging.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { Timestamp, text } from "../schema/Text.ts"

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

/** Open: what was delivered is shown as it was, whatever the version that rendered it. */
const EventRecord = Schema.Struct({
  id: EventId.annotate({ description: "The same wherever the event appears." }),
  type: EventType,
  created_at: Timestamp,
  api_version: Schema.Literal("v1"),
  sandbox: Schema.Boolean,
  data: Schema.Record(Schema.String, Schema.Json).annotate({
    description:
      "As a webhook gets it: with `order` as in `OrderEvent`, or `quote` as in `QuoteEvent`. An order is shown as it was at its `revision`."
  })
}).annotate({ identifier: "EventRecord", description: "What became of an order or a quote, and when." })

export const EventList = Schema.Struct({
  ok: Ok,
  count: Count,
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
