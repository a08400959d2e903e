// The outbox in memory: claims due deliveries fairly among endpoints, and notifies when some are queued. The cost of
// a claim grows with the number of endpoints, not with the length of their backlogs.
import { Clock, Effect, HashMap, Layer, PubSub, Stream } from "effect"
import { find } from "#core/decisions/Books.ts"
import { queuesDeliveries } from "#core/decisions/Difference.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import { type Delivery, maxConcurrentAttempts } from "#core/domain/webhooks/Delivery.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { type Backlog, type ClaimedDelivery, Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { DeliveryLeases } from "../../books/DeliveryLeases.ts"
import { indexKeys } from "../../books/IndexKeys.ts"
import { MemoryBooks } from "../../books/MemoryBooks.ts"
import { page, unscored } from "../../books/Paging.ts"

type ClaimQuery = Parameters<Deliveries["Service"]["claim"]>[0]

/** An endpoint with due deliveries: the next one, an iterator over the others, and the number on lease. */
interface DueEndpoint {
  readonly subscription: Subscription
  readonly due: Iterator<Delivery, undefined>
  readonly next: Delivery
  readonly leased: number
}

const byDueTime = (a: DueEndpoint, b: DueEndpoint): number =>
  (a.next.nextAttemptAtMs ?? 0) - (b.next.nextAttemptAtMs ?? 0)

export const layer: Layer.Layer<Deliveries, never, MemoryBooks> = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const { current, indexes, commits } = yield* MemoryBooks
    const leases = new DeliveryLeases()

    const deliveryOf = (deliveryId: DeliveryId) => find(current().deliveries, deliveryId)

    const unleased = function* (webhookId: WebhookId, dueByMs: Millis): Generator<Delivery, undefined> {
      for (const { id, score: dueAtMs } of indexes.get(indexKeys.deliveriesDueOf(webhookId)).after(null)) {
        if (dueAtMs > dueByMs) return
        const delivery = leases.has(id) ? undefined : deliveryOf(id)
        if (delivery !== undefined) yield delivery
      }
    }

    const claim = ({ nowMs, limit, perEndpoint, leaseMs }: ClaimQuery): ReadonlyArray<ClaimedDelivery> => {
      /** The endpoint, if it may have another delivery on lease and one is due. */
      const claimable = (subscription: Subscription, due: Iterator<Delivery, undefined>, leased: number) => {
        const next = leased < maxConcurrentAttempts(subscription.health, perEndpoint) ? due.next().value : undefined
        return next === undefined ? [] : [{ subscription, due, next, leased }]
      }
      const counts = leases.pruneAndCount(nowMs, deliveryOf)
      let endpoints: ReadonlyArray<DueEndpoint> = HashMap.toValues(current().subscriptions).flatMap((subscription) =>
        claimable(subscription, unleased(subscription.webhookId, nowMs), counts.get(subscription.webhookId) ?? 0)
      )
      const claimed: Array<ClaimedDelivery> = []
      while (endpoints.length > 0 && claimed.length < limit) {
        // One of each endpoint with the fewest on lease; the others wait for the next round.
        const fewest = Math.min(...endpoints.map(({ leased }) => leased))
        const first = endpoints.filter(({ leased }) => leased === fewest).sort(byDueTime)
        const taken = first.slice(0, limit - claimed.length)
        for (const { next: delivery, subscription } of taken) claimed.push({ delivery, subscription })
        endpoints = [
          ...endpoints.filter(({ leased }) => leased !== fewest),
          ...taken.flatMap(({ subscription, due, leased }) => claimable(subscription, due, leased + 1))
        ]
      }
      for (const { delivery } of claimed) leases.take(delivery, nowMs + leaseMs)
      return claimed
    }

    const nextDue = (nowMs: Millis): Millis | null => {
      leases.pruneAndCount(nowMs, deliveryOf)
      let earliest: Millis | null = null
      for (const { webhookId } of HashMap.values(current().subscriptions)) {
        const dueAtMs = unleased(webhookId, earliest ?? Number.POSITIVE_INFINITY).next().value?.nextAttemptAtMs
        if (dueAtMs != null) earliest = Math.min(dueAtMs, earliest ?? dueAtMs)
      }
      return earliest
    }

    const backlog = (nowMs: Millis): Backlog => {
      leases.pruneAndCount(nowMs, deliveryOf)
      const dueAtMs = Array.from(HashMap.keys(current().subscriptions)).flatMap((webhookId) =>
        Array.from(unleased(webhookId, nowMs), ({ nextAttemptAtMs }) => nextAttemptAtMs ?? nowMs)
      )
      const oldestDueAtMs = dueAtMs.reduce((oldest, atMs) => Math.min(oldest, atMs), nowMs)
      return { due: dueAtMs.length, oldestDueAtMs: dueAtMs.length === 0 ? null : oldestDueAtMs }
    }

    return Deliveries.of({
      claim: (query) => Effect.sync(() => claim(query)),
      release: (deliveryIds) =>
        Effect.sync(() => {
          for (const deliveryId of deliveryIds) leases.drop(deliveryId)
        }),
      nextDueAtMs: () => Effect.map(Clock.currentTimeMillis, nextDue),
      backlog: (nowMs) => Effect.sync(() => backlog(nowMs)),
      queued: Stream.unwrap(
        Effect.map(PubSub.subscribe(commits), (queued) =>
          Stream.fromSubscription(queued).pipe(
            Stream.filter(({ changed }) => queuesDeliveries(changed)),
            Stream.as(undefined),
            Stream.prepend<void>([undefined])
          )
        )
      ),
      ofWebhook: ({ webhookId, limit, beforeId }) =>
        Effect.sync(() => {
          const entries = indexes.get(indexKeys.deliveriesOf(webhookId)).before(unscored(beforeId))
          const { rows: deliveries, nextId: nextBeforeId } = page(entries, limit, deliveryOf)
          return { deliveries, nextBeforeId }
        })
    })
  })
)
