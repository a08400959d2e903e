// Which deliveries are with a sender, and how many of each endpoint. Leases are not part of the books: they end with the
// process, as the senders do.
import type { Delivery } from "#core/domain/Delivery.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"

interface Lease {
  /** As it was claimed. Books never change a row in place, so another one under its id says that it was moved since. */
  readonly delivery: Delivery
  readonly untilMs: Millis
}

export class Leases {
  readonly #leases = new Map<string, Lease>()

  has(deliveryId: string): boolean {
    return this.#leases.has(deliveryId)
  }

  take(delivery: Delivery, untilMs: Millis): void {
    this.#leases.set(delivery.deliveryId, { delivery, untilMs })
  }

  drop(deliveryId: string): void {
    this.#leases.delete(deliveryId)
  }

  /** Forgets those that ran out or whose delivery was moved, and counts the others by endpoint. */
  countAt(nowMs: Millis, present: (deliveryId: string) => Delivery | undefined): Map<string, number> {
    const counts = new Map<string, number>()
    for (const [deliveryId, { delivery, untilMs }] of this.#leases) {
      if (untilMs <= nowMs || present(deliveryId) !== delivery) this.#leases.delete(deliveryId)
      else counts.set(delivery.webhookId, (counts.get(delivery.webhookId) ?? 0) + 1)
    }
    return counts
  }
}
