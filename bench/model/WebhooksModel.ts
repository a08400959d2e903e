// The part of the model about webhooks: the health of endpoints, and each delivery's attempts with the receiver's verdict on the
// signature.
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import type { BenchEvent, EventOf } from "../events/BenchEvent.ts"
import { append, appendOver, changeLast } from "./BoundedList.ts"

export interface EndpointRow {
  readonly webhookId: WebhookId
  readonly url: string
  readonly status: "active" | "failing" | "disabled" | "revoked"
  readonly consecutiveFailures: number
}

type Attempted = EventOf<"DeliveryAttempted">

export type AttemptSummary = Pick<Attempted, "httpStatus" | "fault">

export interface DeliveryRow extends Pick<Attempted, "webhookId" | "eventId" | "event" | "state" | "nextAttemptAtMs"> {
  /** All attempts so far; `attempts` holds the last ones. */
  readonly attemptsMade: number
  readonly attempts: ReadonlyArray<AttemptSummary>
  /** How often it reached the receiver, and whether its signature was right every time. */
  readonly received: number
  readonly verified: boolean
  readonly changedAtMs: Millis
}

export interface WebhooksModel {
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

export const emptyWebhooks: WebhooksModel = {
  endpoints: [],
  deliveries: [],
  receiverWorks: true,
  delivered: 0,
  verified: 0,
  unverified: 0
}

/** Adds the delivery where this is the first event about it, from either side. */
const changeDelivery = (
  { deliveries }: WebhooksModel,
  { webhookId, eventId, event, atMs }: EventOf<"DeliveryQueued" | "DeliveryReceived" | "DeliveryAttempted">,
  change: (row: DeliveryRow) => DeliveryRow
): ReadonlyArray<DeliveryRow> => {
  const matches = (row: DeliveryRow): boolean => row.eventId === eventId && row.webhookId === webhookId
  if (deliveries.some(matches)) return changeLast(deliveries, matches, change)
  const added: DeliveryRow = {
    webhookId,
    eventId,
    event,
    state: "pending",
    attemptsMade: 0,
    attempts: [],
    nextAttemptAtMs: null,
    received: 0,
    verified: true,
    changedAtMs: atMs
  }
  return appendOver(deliveries, change(added), MAX_DELIVERIES, ({ state }) => state !== "pending")
}

const received = (webhooks: WebhooksModel, event: EventOf<"DeliveryReceived">): WebhooksModel => {
  const deliveries = changeDelivery(webhooks, event, (row) => ({
    ...row,
    received: row.received + 1,
    verified: row.verified && event.verified,
    changedAtMs: event.atMs
  }))
  const counter = event.verified ? "verified" : "unverified"
  return { ...webhooks, deliveries, [counter]: webhooks[counter] + 1 }
}

const attempted = (webhooks: WebhooksModel, event: Attempted): WebhooksModel => {
  const { attempt, httpStatus, fault, state, nextAttemptAtMs, atMs } = event
  const deliveries = changeDelivery(webhooks, event, (row) => {
    if (attempt <= row.attemptsMade) return row
    const attempts = append(row.attempts, { httpStatus, fault }, MAX_ATTEMPTS)
    return { ...row, state, attemptsMade: attempt, attempts, nextAttemptAtMs, changedAtMs: atMs }
  })
  if (deliveries === webhooks.deliveries) return webhooks
  return { ...webhooks, deliveries, delivered: webhooks.delivered + (state === "delivered" ? 1 : 0) }
}

const changeEndpoint = (
  webhooks: WebhooksModel,
  webhookId: WebhookId,
  change: Partial<EndpointRow>
): WebhooksModel => ({
  ...webhooks,
  endpoints: changeLast(
    webhooks.endpoints,
    (row) => row.webhookId === webhookId,
    (row) => ({ ...row, ...change })
  )
})

const added = (webhooks: WebhooksModel, { webhookId, url }: EventOf<"WebhookAdded">): WebhooksModel => {
  if (webhooks.endpoints.some((row) => row.webhookId === webhookId)) return webhooks
  const row: EndpointRow = { webhookId, url, status: "active", consecutiveFailures: 0 }
  const endpoints = appendOver(webhooks.endpoints, row, MAX_ENDPOINTS, ({ status }) => status === "revoked")
  return { ...webhooks, endpoints }
}

export const reduceWebhooks = (webhooks: WebhooksModel, event: BenchEvent): WebhooksModel => {
  switch (event._tag) {
    case "ServiceOpened":
      return emptyWebhooks
    case "WebhookAdded":
      return added(webhooks, event)
    case "WebhookRevoked":
      return changeEndpoint(webhooks, event.webhookId, { status: "revoked" })
    case "EndpointHealthChanged": {
      const { webhookId, status, consecutiveFailures } = event
      return changeEndpoint(webhooks, webhookId, { status, consecutiveFailures })
    }
    case "ReceiverChanged":
      return { ...webhooks, receiverWorks: event.works }
    case "DeliveryQueued": {
      const { dueAtMs } = event
      const deliveries = changeDelivery(webhooks, event, (row) =>
        row.attemptsMade > 0 || row.nextAttemptAtMs === dueAtMs ? row : { ...row, nextAttemptAtMs: dueAtMs }
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
