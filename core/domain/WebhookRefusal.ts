// Refusals of more webhooks than an account may have, and of more tests than a webhook may be sent.
import { Schema } from "effect"

export class WebhookLimitReached extends Schema.TaggedError<WebhookLimitReached>()("WebhookLimitReached", {
  limit: Schema.Int
}) {}

/** `resetsAtMs` is when the oldest counted test is old enough for the next one. */
export class WebhookTestLimitReached extends Schema.TaggedError<WebhookTestLimitReached>()("WebhookTestLimitReached", {
  limit: Schema.Int,
  resetsAtMs: Schema.Int,
  retryAfterSeconds: Schema.Int,
  /** The newest test, which can be sent again. */
  deliveryId: Schema.String,
  webhookId: Schema.String
}) {}

export type WebhookRefusal = WebhookLimitReached | WebhookTestLimitReached
