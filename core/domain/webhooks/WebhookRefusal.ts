// Refusals of a webhook, its URL and its deliveries, and of more than an account may have.
import { Schema } from "effect"
import { DeliveryId, WebhookId } from "../shared/Ids.ts"
import { UrlFault } from "../shared/PublicAddress.ts"
import { AttemptFault } from "./Delivery.ts"

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", {
  webhookId: WebhookId
}) {}

/** An owner of the account disabled it, and only an owner enables it again. */
export class WebhookNotChangeable extends Schema.TaggedError<WebhookNotChangeable>()("WebhookNotChangeable", {
  webhookId: WebhookId
}) {}

export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  deliveryId: DeliveryId
}) {}

/** Why a receiver gave no answer, in the words of deliveries. */
export const NoAnswer = AttemptFault.pick([
  "timeout",
  "connection_refused",
  "connection_reset",
  "tls",
  "unreachable",
  "invalid_response"
])
export type NoAnswer = typeof NoAnswer.Type

export class WebhookUrlRefused extends Schema.TaggedError<WebhookUrlRefused>()("WebhookUrlRefused", {
  reason: UrlFault,
  /** Where the reason is `unreachable`. */
  noAnswer: Schema.optionalKey(NoAnswer)
}) {}

export class WebhookLimitReached extends Schema.TaggedError<WebhookLimitReached>()("WebhookLimitReached", {
  limit: Schema.Int
}) {}

/** `resetsAtMs` is when the oldest counted test is old enough for the next one. */
export class WebhookTestLimitReached extends Schema.TaggedError<WebhookTestLimitReached>()("WebhookTestLimitReached", {
  limit: Schema.Int,
  resetsAtMs: Schema.Int,
  retryAfterSeconds: Schema.Int,
  /** The newest test, which can be sent again while redeliveries are left. */
  deliveryId: DeliveryId,
  webhookId: WebhookId
}) {}

/** `resetsAtMs` is when the oldest counted redelivery is old enough for the next one. */
export class RedeliveryLimitReached extends Schema.TaggedError<RedeliveryLimitReached>()("RedeliveryLimitReached", {
  limit: Schema.Int,
  resetsAtMs: Schema.Int,
  retryAfterSeconds: Schema.Int,
  webhookId: WebhookId
}) {}

/** All earlier secrets that deliveries may be signed with are still good; at `resetsAtMs` the first of them ends. */
export class SecretRotationLimitReached extends Schema.TaggedError<SecretRotationLimitReached>()(
  "SecretRotationLimitReached",
  { limit: Schema.Int, resetsAtMs: Schema.Int, retryAfterSeconds: Schema.Int, webhookId: WebhookId }
) {}

export type WebhookRefusal =
  | DeliveryNotFound
  | RedeliveryLimitReached
  | SecretRotationLimitReached
  | WebhookLimitReached
  | WebhookNotChangeable
  | WebhookNotFound
  | WebhookTestLimitReached
  | WebhookUrlRefused
