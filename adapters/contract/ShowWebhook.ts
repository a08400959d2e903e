// Webhook subscriptions as the wire has them.
import { endpointStatus } from "#core/domain/Delivery.ts"
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

export const showWebhookRecord = (subscription: Subscription): WebhookRecord => {
  const { health } = subscription
  const last = health.lastAttempt
  return {
    ...showWebhook(subscription),
    status: endpointStatus(health),
    consecutive_failures: health.consecutiveFailures,
    last_delivery:
      last === null
        ? null
        : { at: timestamp(last.atMs), event: last.event, http_status: last.httpStatus, error: last.fault }
  }
}
