// The outbox in memory: claims due deliveries fairly among endpoints, and notifies when some are queued. A claim costs as much
// as there are endpoints with due deliveries, whatever the length of their backlogs.
import { Clock, Effect, HashMap, Layer, PubSub, Stream } from "effect"
import { find } from "#core/decisions/Books.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import { type Delivery, maxConcurrentAttempts } from "#core/domain/Delivery.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { type Backlog, type ClaimedDelivery, Deliveries } from "#core/ports/Deliveries.ts"
import { DeliveryLeases } from "./books/DeliveryLeases.ts"
import { indexKeys } from "./books/IndexKeys.ts"
import { type Commit, MemoryBooks } from "./books/MemoryBooks.ts"
import { page, unscored } from "./books/Paging.ts"

const isQueued = ({ changes }: Commit): boolean =>
  changes.some(
    (change) =>
      change._tag === "DeliveryQueued" || (change._tag === "DeliveryMoved" && change.delivery.attemptsInRun === 0)
  )

/** An endpoint with due deliveries: the next one, an iterator over the others, and the number on lease. */
interface DueEndpoint {
  readonly subscription: Subscription
  readonly rest: Iterator<Delivery, undefined>
  readonly next: Delivery
  readonly leased: number
}

const byLeasedThenDue = (a: DueEndpoint, b: DueEndpoint): number =>
  a.leased - b.leased || (a.next.nextAttemptAtMs ?? 0) - (b.next.nextAttemptAtMs ?? 0)

export const layer: Layer.Layer<Deliveries, never, MemoryBooks> = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const { current, indexes, commits } = yield* MemoryBooks
    const leases = new DeliveryLeases()

    const deliveryOf = (deliveryId: string) => find(current().deliveries, deliveryId)

    const unleased = function* (webhookId: string, dueByMs: Millis): Generator<Delivery, undefined> {
      for (const { id, score: dueAtMs } of indexes.get(indexKeys.deliveriesDueOf(webhookId)).after(null)) {
        if (dueAtMs > dueByMs) return
        const delivery = leases.has(id) ? undefined : deliveryOf(id)
        if (delivery !== undefined) yield delivery
      }
    }

    const dueEndpoints = (nowMs: Millis, perEndpoint: number): ReadonlyArray<DueEndpoint> => {
      const counts = leases.pruneAndCount(nowMs, deliveryOf)
      const found: Array<DueEndpoint> = []
      for (const subscription of HashMap.values(current().subscriptions)) {
        const leased = counts.get(subscription.webhookId) ?? 0
        if (leased >= maxConcurrentAttempts(subscription.health, perEndpoint)) continue
        const rest = unleased(subscription.webhookId, nowMs)
        const next = rest.next().value
        if (next !== undefined) found.push({ subscription, rest, next, leased })
      }
      return found
    }

    /** The endpoint after its next delivery was claimed, if it may have another. */
    const afterClaim = (
      { subscription, rest, leased }: DueEndpoint,
      perEndpoint: number
    ): ReadonlyArray<DueEndpoint> => {
      if (leased + 1 >= maxConcurrentAttempts(subscription.health, perEndpoint)) return []
      const next = rest.next().value
      return next === undefined ? [] : [{ subscription, rest, next, leased: leased + 1 }]
    }

    const claim = (
      nowMs: Millis,
      limit: number,
      perEndpoint: number,
      leaseMs: Millis
    ): ReadonlyArray<ClaimedDelivery> => {
      const claimed: Array<ClaimedDelivery> = []
      let endpoints = dueEndpoints(nowMs, perEndpoint)
      while (endpoints.length > 0 && claimed.length < limit) {
        // One of each endpoint with the fewest on lease; the others wait for the next round.
        const fewest = Math.min(...endpoints.map(({ leased }) => leased))
        const first = endpoints.filter(({ leased }) => leased === fewest).sort(byLeasedThenDue)
        const taken = first.slice(0, limit - claimed.length)
        for (const { next: delivery, subscription } of taken) claimed.push({ delivery, subscription })
        endpoints = [
          ...endpoints.filter(({ leased }) => leased !== fewest),
          ...taken.flatMap((endpoint) => afterClaim(endpoint, perEndpoint))
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
      claim: ({ nowMs, limit, perEndpoint, leaseMs }) => Effect.sync(() => claim(nowMs, limit, perEndpoint, leaseMs)),
      release: (deliveryIds) =>
        Effect.sync(() => {
          for (const deliveryId of deliveryIds) leases.drop(deliveryId)
        }),
      nextDueAtMs: () => Effect.map(Clock.currentTimeMillis, nextDue),
      backlog: (nowMs) => Effect.sync(() => backlog(nowMs)),
      queued: Stream.unwrap(
        Effect.map(PubSub.subscribe(commits), (queued) =>
          Stream.fromSubscription(queued).pipe(
            Stream.filter(isQueued),
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
