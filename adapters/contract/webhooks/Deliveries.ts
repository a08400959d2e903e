// Deliveries of a webhook: events sent to its receiver, with their attempts.
import { Schema } from "effect"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import { ATTEMPTS_KEPT, AttemptFault, type Delivery, MAX_REPLAYED } from "#core/domain/webhooks/Delivery.ts"
import { Count, integer, PageCount } from "../schema/Amount.ts"
import { answerId } from "../schema/AnswerIds.ts"
import { moment } from "../schema/Moment.ts"
import { NextCursor } from "../schema/Paging.ts"
import { Ok, Sandbox } from "../schema/SuccessBody.ts"
import { at, CreatedAt, Timestamp, timestamp } from "../schema/Text.ts"
import { EventName } from "./Events.ts"

const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed", "dropped"]).annotate({
  description:
    "`pending` while attempts are planned, `delivered` after a 2xx, `failed` when none is planned any more, `dropped` when its webhook was disabled first."
})

/** How an attempt went, here and where a webhook shows its last one. */
export const outcomeFields = {
  at: at("When it was sent."),
  http_status: Schema.NullOr(integer(100, 599)).annotate({
    description: "What the receiver answered; `null` when there was no answer."
  }),
  error: Schema.NullOr(AttemptFault).annotate({
    description:
      "What went wrong, `http_status` for an answer that is no 2xx; `null` for a success. Later versions may know more."
  })
}

const Attempt = Schema.Struct({
  ...outcomeFields,
  duration_ms: integer(0).annotate({ description: "How long the receiver took, milliseconds." })
}).annotate({ identifier: "DeliveryAttempt", description: "One POST to the receiver." })

export const DeliveryRecord = Schema.Struct({
  delivery_id: answerId.delivery,
  event_id: answerId.event.annotate({ description: "Sent as Service-Delivery; the same on every attempt." }),
  event: EventName,
  created_at: CreatedAt,
  status: DeliveryStatus,
  attempts: Schema.Array(Attempt).annotate({ description: `The newest ${ATTEMPTS_KEPT}, oldest first.` }),
  next_attempt_at: Schema.NullOr(Timestamp).annotate({
    description: "When it is tried again; `null` once no attempt is planned."
  })
}).annotate({ identifier: "Delivery", description: "An event on its way to one receiver." })
export type DeliveryRecord = typeof DeliveryRecord.Type

export const DeliveryList = Schema.Struct({
  ok: Ok,
  count: PageCount,
  deliveries: Schema.Array(DeliveryRecord).annotate({ description: "Newest first." }),
  next_cursor: NextCursor,
  sandbox: Sandbox
}).annotate({ identifier: "DeliveryList", description: "A page of what was sent to the webhook." })
export type DeliveryList = typeof DeliveryList.Type

export const DeliveryQueued = Schema.Struct({
  ok: Ok,
  id: answerId.webhook,
  delivery_id: answerId.delivery,
  event_id: answerId.event,
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
  id: answerId.webhook,
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
