// Deliveries as the wire has them.
import type { Delivery } from "#core/domain/Delivery.ts"
import type { DeliveryQueued, DeliveryRecord } from "./Deliveries.ts"
import { timestamp } from "./Text.ts"

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
