// Refusals of a webhook, its URL and its deliveries, and of more than an account may have.
import { Schema } from "effect"
import { DeliveryId, WebhookId } from "../shared/Ids.ts"
import { UrlFault } from "../shared/PublicAddress.ts"

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", {
  webhookId: WebhookId
}) {}

export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  deliveryId: DeliveryId
}) {}

export class WebhookUrlRefused extends Schema.TaggedError<WebhookUrlRefused>()("WebhookUrlRefused", {
  reason: UrlFault
}) {}

export class WebhookLimitReached extends Schema.TaggedError<WebhookLimitReached>()("WebhookLimitReached", {
  limit: Schema.Int
}) {}

/** `resetsAtMs` is when the oldest counted test is old enough for the next one. */
export class WebhookTestLimitReached extends Schema.TaggedError<WebhookTestLimitReached>()("WebhookTestLimitReached", {
  limit: Schema.Int,
  resetsAtMs: Schema.Int,
  retryAfterSeconds: Schema.Int,
  /** The newest test, which can be sent again. */
  deliveryId: DeliveryId,
  webhookId: WebhookId
}) {}

export type WebhookRefusal =
  | DeliveryNotFound
  | WebhookLimitReached
  | WebhookNotFound
  | WebhookTestLimitReached
  | WebhookUrlRefused
