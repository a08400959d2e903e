// Webhook subscriptions as the wire has them.
import type { Subscription } from "#core/domain/Subscription.ts"
import { timestamp } from "./Text.ts"
import type { WebhookRecord } from "./Webhooks.ts"

export const showWebhook = ({ webhookId, url, events, createdAtMs, revokedAtMs }: Subscription) => ({
  id: webhookId,
  url,
  events,
  created_at: timestamp(createdAtMs),
  active: revokedAtMs === null
})

/** Nothing has been delivered to it yet. */
export const showWebhookRecord = (subscription: Subscription): WebhookRecord => ({
  ...showWebhook(subscription),
  status: "active",
  consecutive_failures: 0,
  last_delivery: null
})
