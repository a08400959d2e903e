// What the bench knows of webhooks: how endpoints fare, and each delivery's attempts at the service beside what the receiver
// made of its signature. One part of the model.

import type { Millis } from "#core/domain/DecisionContext.ts"
import type { AttemptFault, DeliveryState, EventName } from "#core/domain/Delivery.ts"
import type { BenchEvent, WebhookEvent } from "../events/BenchEvent.ts"
import { append, appendSparing, changeLast } from "./BoundedList.ts"

export interface EndpointRow {
  readonly webhookId: string
  readonly url: string
  readonly status: "active" | "failing" | "disabled" | "revoked"
  readonly consecutiveFailures: number
}

export interface AttemptSeen {
  readonly httpStatus: number | null
  readonly fault: AttemptFault | null
}

export interface DeliveryRow {
  readonly webhookId: string
  readonly eventId: string
  readonly event: EventName
  readonly state: DeliveryState
  /** All so far; `attempts` holds the last of them. */
  readonly attemptsMade: number
  readonly attempts: ReadonlyArray<AttemptSeen>
  readonly nextAttemptAtMs: Millis | null
  /** How often it reached the receiver, and whether its signature held every time. */
  readonly received: number
  readonly verified: boolean
  readonly changedAtMs: Millis
}

export interface Webhooks {
  readonly endpoints: ReadonlyArray<EndpointRow>
  readonly deliveries: ReadonlyArray<DeliveryRow>
  readonly receiverWorks: boolean
  readonly delivered: number
  readonly verified: number
  readonly unverified: number
}

export const MAX_ENDPOINTS = 32
export const MAX_DELIVERIES = 120
export const MAX_ATTEMPTS = 12

export const emptyWebhooks: Webhooks = {
  endpoints: [],
  deliveries: [],
  receiverWorks: true,
  delivered: 0,
  verified: 0,
  unverified: 0
}

type EventOf<Tag extends WebhookEvent["_tag"]> = Extract<WebhookEvent, { readonly _tag: Tag }> & {
  readonly atMs: Millis
}
type OfDelivery = EventOf<"DeliveryQueued" | "DeliveryReceived" | "DeliveryAttempted">

/** The event's delivery to the endpoint, there from whichever side was heard of first. */
const delivery = (
  webhooks: Webhooks,
  event: OfDelivery,
  change: (row: DeliveryRow) => DeliveryRow
): ReadonlyArray<DeliveryRow> => {
  const { webhookId, eventId } = event
  const same = (row: DeliveryRow): boolean => row.eventId === eventId && row.webhookId === webhookId
  if (webhooks.deliveries.some(same)) return changeLast(webhooks.deliveries, same, change)
  const fresh: DeliveryRow = {
    webhookId,
    eventId,
    event: event.event,
    state: "pending",
    attemptsMade: 0,
    attempts: [],
    nextAttemptAtMs: null,
    received: 0,
    verified: true,
    changedAtMs: event.atMs
  }
  return appendSparing(webhooks.deliveries, change(fresh), MAX_DELIVERIES, ({ state }) => state !== "pending")
}

const received = (webhooks: Webhooks, event: EventOf<"DeliveryReceived">): Webhooks => {
  const deliveries = delivery(webhooks, event, (row) => ({
    ...row,
    received: row.received + 1,
    verified: row.verified && event.verified,
    changedAtMs: event.atMs
  }))
  const { verified, unverified } = webhooks
  return event.verified
    ? { ...webhooks, deliveries, verified: verified + 1 }
    : { ...webhooks, deliveries, unverified: unverified + 1 }
}

const attempted = (webhooks: Webhooks, event: EventOf<"DeliveryAttempted">): Webhooks => {
  const { attempt, httpStatus, fault, state, nextAttemptAtMs, atMs } = event
  const deliveries = delivery(webhooks, event, (row) =>
    attempt <= row.attemptsMade
      ? row
      : {
          ...row,
          state,
          attemptsMade: attempt,
          attempts: append(row.attempts, { httpStatus, fault }, MAX_ATTEMPTS),
          nextAttemptAtMs,
          changedAtMs: atMs
        }
  )
  if (deliveries === webhooks.deliveries) return webhooks
  return { ...webhooks, deliveries, delivered: webhooks.delivered + (state === "delivered" ? 1 : 0) }
}

const endpoint = (webhooks: Webhooks, id: string, change: (row: EndpointRow) => EndpointRow): Webhooks => ({
  ...webhooks,
  endpoints: changeLast(webhooks.endpoints, ({ webhookId }) => webhookId === id, change)
})

const added = (webhooks: Webhooks, { webhookId, url }: EventOf<"WebhookAdded">): Webhooks => {
  if (webhooks.endpoints.some((row) => row.webhookId === webhookId)) return webhooks
  const row: EndpointRow = { webhookId, url, status: "active", consecutiveFailures: 0 }
  const endpoints = appendSparing(webhooks.endpoints, row, MAX_ENDPOINTS, ({ status }) => status === "revoked")
  return { ...webhooks, endpoints }
}

export const reduceWebhooks = (webhooks: Webhooks, event: BenchEvent): Webhooks => {
  switch (event._tag) {
    case "ServiceOpened":
      return emptyWebhooks
    case "WebhookAdded":
      return added(webhooks, event)
    case "WebhookRevoked":
      return endpoint(webhooks, event.webhookId, (row) => ({ ...row, status: "revoked" }))
    case "EndpointHealthChanged": {
      const { webhookId, status, consecutiveFailures } = event
      return endpoint(webhooks, webhookId, (row) => ({ ...row, status, consecutiveFailures }))
    }
    case "ReceiverChanged":
      return { ...webhooks, receiverWorks: event.works }
    case "DeliveryQueued": {
      const deliveries = delivery(webhooks, event, (row) =>
        row.attemptsMade > 0 || row.nextAttemptAtMs === event.dueAtMs ? row : { ...row, nextAttemptAtMs: event.dueAtMs }
      )
      return { ...webhooks, deliveries }
    }
    case "DeliveryReceived":
      return received(webhooks, event)
    case "DeliveryAttempted":
      return attempted(webhooks, event)
    default:
      return webhooks
  }
}
