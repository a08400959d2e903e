// Events: the body of a webhook delivery, rendered when the event happens and sent as the same bytes on every attempt.
import { Schema } from "effect"
import { creditedCents } from "#core/domain/ordering/Order.ts"
import type { QuoteId } from "#core/domain/shared/Ids.ts"
import { Abandoner, EventType, OrderEventType, QuoteEventType } from "#core/domain/webhooks/Event.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import { LinkRecord, OrderRecord, showLink, showOrderRecord } from "../ordering/Orders.ts"
import { QuoteStatus, showQuote } from "../ordering/Quotes.ts"
import { Cents } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { at, timestamp } from "../schema/Text.ts"

/** The events of orders and quotes, and the test event that an owner can request. */
export const EventName = Schema.Literals([...EventType.literals, "webhook.test"]).annotate({
  description: "Which event; later versions may know more."
})
export type EventName = typeof EventName.Type

/** What every event has, here and in a list. */
export const eventHead = {
  id: answerId.event,
  created_at: at("When it happened."),
  api_version: Schema.Literal("v1").annotate({ description: "The version of the event's form, as in the API's path." }),
  sandbox: Schema.Boolean.annotate({ description: "`true` for what a sandbox key did: nothing of it is real." })
}

export const EventBody = Schema.Struct({
  ...eventHead,
  type: OrderEventType.annotate({ description: "What became of the order." }),
  data: Schema.Struct({
    order: OrderRecord,
    changed_link_ids: Schema.optionalKey(
      Schema.Array(answerId.link).annotate({
        description: "The links that this step changed; in `order.updated`, absent otherwise."
      })
    ),
    link: Schema.optionalKey(LinkRecord).annotateKey({
      description: "The published link; in `order.published`, absent otherwise."
    }),
    credited_cents: Schema.optionalKey(
      Cents.annotate({
        description: "What the cancellation gave back, cents; in `order.cancelled`, absent otherwise."
      })
    )
  }).annotate({ description: "The order as it was then, and what this event is about." })
}).annotate({
  identifier: "OrderEvent",
  description: "What a webhook receives. Verify Service-Signature over the raw bytes first."
})
export type EventBody = typeof EventBody.Type

export const QuoteEventBody = Schema.Struct({
  ...eventHead,
  type: QuoteEventType.annotate({ description: "What became of the quote." }),
  data: Schema.Struct({
    quote: QuoteStatus,
    by: Schema.optionalKey(
      Abandoner.annotate({
        description: "Who gave the quote up; in `quote.abandoned`, absent otherwise. An expired one is `quote.expired`."
      })
    ),
    declined_reason: Schema.optionalKey(
      Schema.NullOr(Schema.String).annotate({
        description:
          "In `quote.abandoned`: the user's word where they declined it, `null` otherwise. Absent in other events."
      })
    )
  }).annotate({ description: "The quote as it was then, and what this event is about." })
}).annotate({
  identifier: "QuoteEvent",
  description:
    "What a webhook receives that names events of quotes: the quote as it was then, as GET /api/v1/agent/quotes/{id} shows it."
})
export type QuoteEventBody = typeof QuoteEventBody.Type

export const TestEventBody = Schema.Struct({
  ...eventHead,
  type: Schema.Literal("webhook.test").annotate({ description: "The test that was asked for." }),
  data: Schema.Struct({ webhook_id: answerId.webhook }).annotate({ description: "The webhook that is tested." })
}).annotate({ identifier: "TestEvent", description: "What a webhook receives when its owner asks for a test." })
export type TestEventBody = typeof TestEventBody.Type

const toJson = (body: EventBody | QuoteEventBody | TestEventBody): string => JSON.stringify(body)

export const renderEvent: Rendering["event"] = ({
  eventId,
  type,
  atMs,
  order,
  links,
  link,
  placedBy,
  changedLinkIds
}) =>
  toJson({
    id: eventId,
    type,
    created_at: timestamp(atMs),
    api_version: "v1",
    sandbox: order.mode === "sandbox",
    data: {
      order: showOrderRecord({ order, links, placedBy }, atMs),
      ...(changedLinkIds === undefined ? {} : { changed_link_ids: changedLinkIds }),
      ...(link === undefined ? {} : { link: showLink(link, placedBy, atMs) }),
      ...(type === "order.cancelled" ? { credited_cents: creditedCents(links) } : {})
    }
  })

/** `approvalPage` is the URL of the page where an owner approves a quote. */
export const renderQuoteEvent =
  (approvalPage: (quoteId: QuoteId) => string): Rendering["quoteEvent"] =>
  ({ eventId, type, atMs, quote, links, placedBy, by }) => {
    const order = links.length === 0 ? null : { links }
    return toJson({
      id: eventId,
      type,
      created_at: timestamp(atMs),
      api_version: "v1",
      sandbox: quote.mode === "sandbox",
      data: {
        quote: showQuote({ quote, order, approvalUrl: approvalPage(quote.quoteId), asOfMs: atMs, placedBy }),
        ...(by === undefined ? {} : { by, declined_reason: quote.declinedReason || null })
      }
    })
  }

export const renderTest: Rendering["test"] = ({ eventId, webhookId, mode, atMs }) =>
  toJson({
    id: eventId,
    type: "webhook.test",
    created_at: timestamp(atMs),
    api_version: "v1",
    sandbox: mode === "sandbox",
    data: { webhook_id: webhookId }
  })
