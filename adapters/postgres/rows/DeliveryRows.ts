// Tables of webhook subscriptions and their deliveries.
import { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { byAccountNo } from "./AccountRows.ts"
import { storedTable } from "./StoredTable.ts"

export const subscriptions = storedTable("subscriptions", Subscription.fields)

/** What the outbox has of a delivery is named by every change. */
export const deliveries = storedTable("deliveries", Delivery.fields, {
  derived: byAccountNo,
  named: ["deliveryId", "webhookId", "state", "nextAttemptAtMs"]
})
