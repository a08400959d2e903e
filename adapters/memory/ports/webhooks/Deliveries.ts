// The queue of deliveries in memory: claims due deliveries fairly among endpoints, and notifies when some are queued.
import { Clock, Effect, PubSub, Stream } from "effect"
import { find } from "#core/decisions/Books.ts"
import { queuesDeliveries } from "#core/decisions/Difference.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { DeliveryId } from "#core/domain/shared/Ids.ts"
import type { Delivery } from "#core/domain/webhooks/Delivery.ts"
import { maxConcurrentAttempts } from "#core/domain/webhooks/EndpointHealth.ts"
import { type ClaimedDelivery, Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { afterId, page, rowsWhere, sorted } from "../../books/Rows.ts"

/** A lease ends with its time, or when its delivery changes: rows of the books are immutable, so that another object has changed. */
interface Lease {
  readonly delivery: Delivery
  readonly untilMs: Millis
}

const dueAtMs = ({ nextAttemptAtMs }: Delivery): Millis => nextAttemptAtMs ?? 0

export const layer = overBooks(Deliveries, ({ current, pending, commits }) => {
  const leases = new Map<DeliveryId, Lease>()

  const prune = (nowMs: Millis): void => {
    for (const [deliveryId, { delivery, untilMs }] of leases) {
      if (untilMs <= nowMs || pending.get(deliveryId) !== delivery) leases.delete(deliveryId)
    }
  }

  /** Pending deliveries that are not leased, the longest due first. */
  const waiting = (nowMs: Millis): ReadonlyArray<Delivery> => {
    prune(nowMs)
    return sorted(
      Array.from(pending.values()).filter(({ deliveryId }) => !leases.has(deliveryId)),
      { by: (delivery) => [dueAtMs(delivery), delivery.deliveryId] }
    )
  }

  const dueBy = (nowMs: Millis) => waiting(nowMs).filter((delivery) => dueAtMs(delivery) <= nowMs)

  const endpointsAt = (nowMs: Millis, perEndpoint: number) => {
    const due = Map.groupBy(dueBy(nowMs), ({ webhookId }) => webhookId)
    return Array.from(due).flatMap(([webhookId, deliveries]) => {
      const subscription = find(current().subscriptions, webhookId)
      if (subscription === undefined) return []
      const leased = Array.from(leases.values()).filter(({ delivery }) => delivery.webhookId === webhookId).length
      return [{ subscription, deliveries, leased, max: maxConcurrentAttempts(subscription.health, perEndpoint) }]
    })
  }

  return {
    claim: ({ nowMs, limit, perEndpoint, leaseMs }) => {
      const endpoints = endpointsAt(nowMs, perEndpoint)
      const claimed: Array<ClaimedDelivery> = []
      while (claimed.length < limit) {
        const open = endpoints.filter(({ deliveries, leased, max }) => deliveries.length > 0 && leased < max)
        // The endpoint with the fewest leases, and of those the one that has waited longest.
        const [next] = sorted(open, {
          by: ({ leased, deliveries: [first] }) => [leased, first ? dueAtMs(first) : 0]
        })
        const delivery = next?.deliveries.shift()
        if (next === undefined || delivery === undefined) break
        next.leased++
        leases.set(delivery.deliveryId, { delivery, untilMs: nowMs + leaseMs })
        claimed.push({ delivery, subscription: next.subscription })
      }
      return claimed
    },
    release: (deliveryIds) => {
      for (const deliveryId of deliveryIds) leases.delete(deliveryId)
    },
    nextDueAtMs: () =>
      Effect.map(Clock.currentTimeMillis, (nowMs) => {
        const [next] = waiting(nowMs)
        return next === undefined ? null : dueAtMs(next)
      }),
    backlog: (nowMs) => {
      const due = dueBy(nowMs)
      const [oldest] = due
      return { due: due.length, oldestDueAtMs: oldest === undefined ? null : dueAtMs(oldest) }
    },
    queued: Stream.unwrap(
      Effect.map(PubSub.subscribe(commits), (queued) =>
        Stream.fromSubscription(queued).pipe(
          Stream.filter(({ changed }) => queuesDeliveries(changed)),
          Stream.as(undefined),
          Stream.prepend<void>([undefined])
        )
      )
    ),
    ofWebhook: ({ webhookId, limit, beforeId }) => {
      const own = rowsWhere(current().deliveries, (one) => one.webhookId === webhookId)
      const listing = { by: ({ deliveryId }: Delivery) => [deliveryId], isDescending: true, limit }
      const { rows: deliveries, next } = page(own, { ...listing, after: afterId(beforeId) })
      return { deliveries, nextBeforeId: next?.deliveryId ?? null }
    }
  }
})
