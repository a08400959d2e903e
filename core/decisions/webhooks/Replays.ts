// Replays what a webhook missed while it was disabled.
import { HashMap, Result } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import type { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import { type Delivery, MAX_REPLAYED } from "#core/domain/webhooks/Delivery.ts"
import { inOrderTo } from "#core/domain/webhooks/EndpointHealth.ts"
import type { Event } from "#core/domain/webhooks/Event.ts"
import { callOf, type Subscription, withCall } from "#core/domain/webhooks/Subscription.ts"
import type { RedeliveryLimitReached, WebhookNotFound } from "#core/domain/webhooks/WebhookRefusal.ts"
import { type Decide, Draft, unchanged } from "../Draft.ts"
import { countRedelivery, ownSubscription } from "./Deliveries.ts"
import { newDelivery } from "./RaiseEvent.ts"

/** An event that was rendered, on its way to a webhook. */
const deliveryOf = (draft: Draft, subscription: Subscription, { eventId, type, body }: Event): Delivery =>
  newDelivery(draft, subscription, { eventId, event: type, body: body ?? "", atMs: draft.context.nowMs })

export interface Replay {
  readonly webhookId: WebhookId
  readonly queued: number
  /** Whether more was missed, which another replay delivers. */
  readonly hasMore: boolean
}

/**
 * Queues what the webhook missed, in the order in which it happened: one is sent at a time. What was given up is sent again. `origin`: of a
 * call that takes effect once, however often it runs.
 */
export const replayMissed =
  (
    webhookId: WebhookId,
    caller: Caller,
    origin: CallOrigin | null = null
  ): Decide<Replay, WebhookNotFound | RedeliveryLimitReached> =>
  (books, context) =>
    Result.gen(function* () {
      const subscription = yield* ownSubscription(books, webhookId, caller)
      const made = origin === null ? undefined : callOf(subscription, origin.idPrefix)
      if (made !== undefined) return unchanged({ webhookId, queued: made.queued ?? 0, hasMore: made.hasMore ?? false })
      const missed = HashMap.toValues(books.events).sort((a, b) => (a.eventId < b.eventId ? -1 : 1))
      if (missed.length === 0) return unchanged({ webhookId, queued: 0, hasMore: false })
      const redeliveredAtMs = yield* countRedelivery(subscription, context.nowMs, context.nowMs)
      const draft = new Draft(books, context)
      const queued = Math.min(missed.length, MAX_REPLAYED)
      const hasMore = missed.length > queued
      draft.record({ _tag: "RedeliveryCounted", webhookId, redeliveredAtMs })
      if (origin !== null) {
        const calls = withCall(subscription, { call: origin.idPrefix, atMs: context.nowMs, queued, hasMore })
        draft.record({ _tag: "SubscriptionChanged", webhookId, changed: { calls } })
      }
      const given = new Map(HashMap.toValues(books.deliveries).map((delivery) => [delivery.eventId, delivery]))
      let last: DeliveryId | undefined
      for (const [nth, event] of missed.slice(0, MAX_REPLAYED).entries()) {
        const due = { state: "pending" as const, attemptsInRun: 0, nextAttemptAtMs: context.nowMs + nth }
        const former = given.get(event.eventId)
        const delivery = { ...(former ?? deliveryOf(draft, subscription, event)), ...due }
        draft.record({ _tag: former === undefined ? "DeliveryQueued" : "DeliveryMoved", delivery })
        last = delivery.deliveryId
      }
      if (last !== undefined) {
        const health = inOrderTo(subscription.health, last)
        draft.record({ _tag: "EndpointHealthChanged", webhookId, health })
      }
      return draft.decided({ webhookId, queued, hasMore })
    })
