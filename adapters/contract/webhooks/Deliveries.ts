// Deliveries of a webhook: events sent to its receiver, with their attempts.
import { Schema } from "effect"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import { DeliveryId, EventId, WebhookId } from "#core/domain/shared/Ids.ts"
import { ATTEMPTS_KEPT, type Delivery, MAX_REPLAYED } from "#core/domain/webhooks/Delivery.ts"
import { Count } from "../schema/Amount.ts"
import { moment } from "../schema/Moment.ts"
import { NextCursor } from "../schema/Paging.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { Timestamp, timestamp } from "../schema/Text.ts"
import { EventName } from "./Events.ts"

const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed", "dropped"]).annotate({
  description:
    "`pending` while attempts are planned, `delivered` after a 2xx, `failed` when none is planned any more, `dropped` when its webhook was disabled first."
})

const Attempt = Schema.Struct({
  at: Timestamp,
  http_status: Schema.NullOr(Schema.Int).annotate({ description: "`null` when there was no answer." }),
  error: Schema.NullOr(Schema.String),
  duration_ms: Schema.Int
}).annotate({ identifier: "DeliveryAttempt", description: "One POST to the receiver." })

export const DeliveryRecord = Schema.Struct({
  delivery_id: DeliveryId,
  event_id: EventId.annotate({ description: "Sent as Service-Delivery; the same on every attempt." }),
  event: EventName,
  created_at: Timestamp,
  status: DeliveryStatus,
  attempts: Schema.Array(Attempt).annotate({ description: `The newest ${ATTEMPTS_KEPT}, oldest first.` }),
  next_attempt_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "Delivery", description: "An event on its way to one receiver." })
export type DeliveryRecord = typeof DeliveryRecord.Type

export const DeliveryList = Schema.Struct({
  ok: Ok,
  count: Count,
  deliveries: Schema.Array(DeliveryRecord).annotate({ description: "Newest first." }),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "DeliveryList", description: "A page of what was sent to the webhook." })
export type DeliveryList = typeof DeliveryList.Type

export const DeliveryQueued = Schema.Struct({
  ok: Ok,
  id: WebhookId.annotate({ description: "The webhook." }),
  delivery_id: DeliveryId,
  event_id: EventId,
  event: EventName,
  status: DeliveryStatus,
  sandbox: Sandbox
}).annotate({
  identifier: "DeliveryQueued",
  description: "Accepted for delivery; see the webhook's deliveries for how it went."
})
export type DeliveryQueued = typeof DeliveryQueued.Type

export const ReplayRequest = Schema.Struct({
  from: moment("What happened then or later is delivered, if the webhook missed it; at most 30 days ago.")
}).annotate({ identifier: "ReplayRequest", description: "Since when to deliver what a webhook missed." })

export const ReplayQueued = Schema.Struct({
  ok: Ok,
  id: WebhookId.annotate({ description: "The webhook." }),
  queued: Count.annotate({ description: "Events that are on their way now, in the order in which they happened." }),
  more: Schema.Boolean.annotate({
    description: `Whether more was missed than the ${MAX_REPLAYED} events of one replay: then send the same again.`
  }),
  sandbox: Sandbox
}).annotate({
  identifier: "ReplayQueued",
  description: "What the webhook missed is on its way; see its deliveries for how it went."
})

export const showReplay = (
  { webhookId, queued, hasMore }: { readonly webhookId: WebhookId; readonly queued: number; readonly hasMore: boolean },
  mode: Mode
): typeof ReplayQueued.Type => ({
  ok: true,
  id: webhookId,
  queued,
  more: hasMore,
  sandbox: mode === "sandbox"
})

export const showDelivery = (delivery: Delivery): DeliveryRecord => ({
  delivery_id: delivery.deliveryId,
  event_id: delivery.eventId,
  event: delivery.event,
  created_at: timestamp(delivery.createdAtMs),
  status: delivery.state,
  attempts: delivery.attempts.map(({ atMs, httpStatus, fault, durationMs }) => ({
    at: timestamp(atMs),
    http_status: httpStatus,
    error: fault,
    duration_ms: durationMs
  })),
  next_attempt_at: delivery.nextAttemptAtMs === null ? null : timestamp(delivery.nextAttemptAtMs)
})

export const showQueued = (delivery: Delivery): DeliveryQueued => ({
  ok: true,
  id: delivery.webhookId,
  delivery_id: delivery.deliveryId,
  event_id: delivery.eventId,
  event: delivery.event,
  status: delivery.state,
  sandbox: delivery.mode === "sandbox"
})
