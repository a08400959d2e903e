// Leases of deliveries that are being sent. Kept apart from the books, because they end with the process, as the senders do.

import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"

interface Lease {
  /** The delivery that was claimed. Rows of the books are immutable, so another object under this id means that it has changed. */
  readonly delivery: Delivery
  readonly untilMs: Millis
}

export class DeliveryLeases {
  readonly #leases = new Map<DeliveryId, Lease>()

  has(deliveryId: DeliveryId): boolean {
    return this.#leases.has(deliveryId)
  }

  take(delivery: Delivery, untilMs: Millis): void {
    this.#leases.set(delivery.deliveryId, { delivery, untilMs })
  }

  drop(deliveryId: DeliveryId): void {
    this.#leases.delete(deliveryId)
  }

  /** Drops leases that expired or whose delivery has changed since, and counts the others by endpoint. */
  pruneAndCount(nowMs: Millis, current: (deliveryId: DeliveryId) => Delivery | undefined): Map<WebhookId, number> {
    const counts = new Map<WebhookId, number>()
    for (const [deliveryId, { delivery, untilMs }] of this.#leases) {
      if (untilMs <= nowMs || current(deliveryId) !== delivery) this.#leases.delete(deliveryId)
      else counts.set(delivery.webhookId, (counts.get(delivery.webhookId) ?? 0) + 1)
    }
    return counts
  }
}
