// The outbox in memory: hands out what is due, endpoint by endpoint in turn, and knocks when something is queued. Costs what
// the endpoints in waiting cost, however long their backlogs are.
import { Clock, Effect, HashMap, Layer, PubSub, Stream } from "effect"
import { find } from "#core/decisions/Books.ts"
import { type Delivery, mostAtOnce } from "#core/domain/Delivery.ts"
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { type Backlog, type Claimed, Deliveries } from "#core/ports/Deliveries.ts"
import { drawers } from "./Drawers.ts"
import { Leases } from "./Leases.ts"
import { type Commit, MemoryBooks } from "./MemoryBooks.ts"
import { cut, placeOf } from "./Paging.ts"

const queues = ({ changes }: Commit): boolean =>
  changes.some(
    (change) =>
      change._tag === "DeliveryQueued" || (change._tag === "DeliveryMoved" && change.delivery.attemptsInRun === 0)
  )

/** An endpoint with something due: the first of it, what follows, and how many are out already. */
interface Waiting {
  readonly subscription: Subscription
  readonly due: Iterator<Delivery, undefined>
  readonly next: Delivery
  readonly underway: number
}

const isBefore = (a: Waiting, b: Waiting): number =>
  a.underway - b.underway || (a.next.nextAttemptAtMs ?? 0) - (b.next.nextAttemptAtMs ?? 0)

export const layer: Layer.Layer<Deliveries, never, MemoryBooks> = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const { current, index, commits } = yield* MemoryBooks
    const leases = new Leases()

    const deliveryOf = (deliveryId: string) => find(current().deliveries, deliveryId)

    const unleased = function* (webhookId: string, dueByMs: Millis): Generator<Delivery, undefined> {
      for (const { id, rank } of index.drawer(drawers.deliveriesDueOf(webhookId)).after(null)) {
        if (rank > dueByMs) return
        const delivery = leases.has(id) ? undefined : deliveryOf(id)
        if (delivery !== undefined) yield delivery
      }
    }

    const waiting = (nowMs: Millis, perEndpoint: number): ReadonlyArray<Waiting> => {
      const counts = leases.countAt(nowMs, deliveryOf)
      const found: Array<Waiting> = []
      for (const subscription of HashMap.values(current().subscriptions)) {
        const underway = counts.get(subscription.webhookId) ?? 0
        if (underway >= mostAtOnce(subscription.health, perEndpoint)) continue
        const due = unleased(subscription.webhookId, nowMs)
        const next = due.next().value
        if (next !== undefined) found.push({ subscription, due, next, underway })
      }
      return found
    }

    /** What stays in turn after one of it was taken. */
    const rest = ({ subscription, due, underway }: Waiting, perEndpoint: number): ReadonlyArray<Waiting> => {
      if (underway + 1 >= mostAtOnce(subscription.health, perEndpoint)) return []
      const next = due.next().value
      return next === undefined ? [] : [{ subscription, due, next, underway: underway + 1 }]
    }

    const claim = (nowMs: Millis, limit: number, perEndpoint: number, leaseMs: Millis): ReadonlyArray<Claimed> => {
      const claimed: Array<Claimed> = []
      let turn = waiting(nowMs, perEndpoint)
      while (turn.length > 0 && claimed.length < limit) {
        // One of each endpoint with the fewest out; the others wait for the next turn.
        const fewest = Math.min(...turn.map(({ underway }) => underway))
        const first = turn.filter(({ underway }) => underway === fewest).sort(isBefore)
        const taken = first.slice(0, limit - claimed.length)
        for (const { next: delivery, subscription } of taken) claimed.push({ delivery, subscription })
        turn = [
          ...turn.filter(({ underway }) => underway !== fewest),
          ...taken.flatMap((one) => rest(one, perEndpoint))
        ]
      }
      for (const { delivery } of claimed) leases.take(delivery, nowMs + leaseMs)
      return claimed
    }

    const nextDue = (nowMs: Millis): Millis | null => {
      leases.countAt(nowMs, deliveryOf)
      let earliest: Millis | null = null
      for (const { webhookId } of HashMap.values(current().subscriptions)) {
        const dueAtMs = unleased(webhookId, earliest ?? Number.POSITIVE_INFINITY).next().value?.nextAttemptAtMs
        if (dueAtMs != null) earliest = Math.min(dueAtMs, earliest ?? dueAtMs)
      }
      return earliest
    }

    const backlog = (nowMs: Millis): Backlog => {
      leases.countAt(nowMs, deliveryOf)
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
            Stream.filter(queues),
            Stream.as(undefined),
            Stream.prepend<void>([undefined])
          )
        )
      ),
      ofWebhook: ({ webhookId, limit, beforeId }) =>
        Effect.sync(() => {
          const entries = index.drawer(drawers.deliveriesOf(webhookId)).before(placeOf(beforeId))
          const { rows: deliveries, more } = cut(entries, limit, ({ id }) => deliveryOf(id))
          return { deliveries, nextBeforeId: more ? (deliveries.at(-1)?.deliveryId ?? null) : null }
        })
    })
  })
)
