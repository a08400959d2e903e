// The body of a webhook delivery (contract §7), the same bytes on every attempt.
import { Schema } from "effect"
import { EventType } from "#core/domain/Event.ts"
import { Cents } from "./Amount.ts"
import { LinkRecord, OrderRecord } from "./Orders.ts"
import { Timestamp } from "./Text.ts"

/** What may be delivered: the three order events, and the test that an owner asks for. */
export const EventName = Schema.Literals([...EventType.literals, "webhook.test"])
export type EventName = typeof EventName.Type

const head = { id: Schema.String, created_at: Timestamp, api_version: Schema.Literal("v1"), sandbox: Schema.Boolean }

export const EventBody = Schema.Struct({
  ...head,
  type: EventType,
  data: Schema.Struct({
    order: OrderRecord,
    link: Schema.optionalKey(LinkRecord).annotateKey({ description: "The published link; in `order.published`." }),
    credited_cents: Schema.optionalKey(
      Cents.annotate({
        description: "What the cancellation gave back; in `order.cancelled`."
      })
    )
  })
}).annotate({
  identifier: "Event",
  description: "What a webhook receives. Verify Service-Signature over the raw bytes first."
})
export type EventBody = typeof EventBody.Type

export const TestEventBody = Schema.Struct({
  ...head,
  type: Schema.Literal("webhook.test"),
  data: Schema.Struct({ webhook_id: Schema.String })
}).annotate({ identifier: "TestEvent", description: "What a webhook receives when its owner asks for a test." })
export type TestEventBody = typeof TestEventBody.Type
