// Tables of webhook subscriptions and their deliveries.
import { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { byAccountNo } from "./AccountRows.ts"
import { table } from "./Table.ts"

export const subscriptions = table(Subscription.fields)

export const deliveries = table(Delivery.fields, { derived: byAccountNo })

const { deliveryId, webhookId, state, attempts, attemptsInRun, nextAttemptAtMs } = Delivery.fields

/** For updates: the rest of a delivery never changes. */
export const deliveryProgress = table({ deliveryId, webhookId, state, attempts, attemptsInRun, nextAttemptAtMs })
