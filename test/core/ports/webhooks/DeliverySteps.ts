// Steps on webhooks and their deliveries, as decisions given to `transact`.
import { Clock, Effect, type Scope } from "effect"
import { find } from "#core/decisions/Books.ts"
import { recordAttempts, redeliver, testEndpoint } from "#core/decisions/webhooks/Deliveries.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { DeliveryId, WebhookId } from "#core/domain/shared/Ids.ts"
import type { AttemptFault, Outcome } from "#core/domain/webhooks/Delivery.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import { Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { render } from "#test/core/Given.ts"
import { addSubscription, revokeSubscription } from "../ordering/OrderSteps.ts"
import { buyer } from "../ShopSetup.ts"

export interface OwnedSubscription {
  readonly caller: Caller
  readonly webhookId: WebhookId
}

/** Subscribes for the scope of a test, so that nothing stays pending for the other tests on the same store. */
export const scopedSubscription = (
  caller: Caller
): Effect.Effect<OwnedSubscription, unknown, OrderBook | Scope.Scope> =>
  Effect.acquireRelease(
    Effect.map(addSubscription(caller), ({ webhookId }) => ({ caller, webhookId })),
    ({ webhookId }) => Effect.ignore(revokeSubscription(caller, webhookId))
  )

/** A scoped subscription of a new buyer. */
export const newSubscription = Effect.flatMap(buyer(), ({ caller }) => scopedSubscription(caller))

/** Queues one delivery, due now; as often as a test of the store needs, because the decision does not see earlier ones. */
export const queueTest = Effect.fnUntraced(function* ({ caller, webhookId }: OwnedSubscription) {
  const book = yield* OrderBook
  return yield* book.transact({ _tag: "ForSubscription", webhookId }, testEndpoint(webhookId, caller, render))
})

/** Requests a test as the use case does, which counts earlier tests. */
export const requestTest = Effect.fnUntraced(function* ({ caller, webhookId }: OwnedSubscription) {
  const book = yield* OrderBook
  const reads = { _tag: "ForSubscription" as const, webhookId, tests: true }
  return yield* book.transact(reads, testEndpoint(webhookId, caller, render))
})

export const queueTests = Effect.fnUntraced(function* (to: OwnedSubscription, count: number) {
  return yield* Effect.all(Array.from({ length: count }, () => queueTest(to)))
})

export interface AttemptOutcome {
  readonly deliveryId: DeliveryId
  readonly outcome: Outcome
}

/** Records outcomes of attempts claimed just now; unknown deliveries included. */
export const recordNow =
  (made: ReadonlyArray<AttemptOutcome>): ReturnType<typeof recordAttempts> =>
  (books, context) => {
    const onWhatIs = ({ deliveryId, outcome }: AttemptOutcome) => ({
      claimed: find(books.deliveries, deliveryId) ?? {
        deliveryId,
        attempts: [],
        nextAttemptAtMs: null
      },
      outcome
    })
    return recordAttempts(made.map(onWhatIs))(books, context)
  }

/** Several outcomes in one decision. */
export const recordOutcomes = Effect.fnUntraced(function* (made: ReadonlyArray<AttemptOutcome>) {
  const book = yield* OrderBook
  const reads = {
    _tag: "ForDeliveries" as const,
    deliveryIds: made.map(({ deliveryId }) => deliveryId)
  }
  return yield* book.transact(reads, recordNow(made))
})

export const recordOutcome = Effect.fnUntraced(function* (deliveryId: DeliveryId, outcome: Outcome) {
  const [noted] = yield* recordOutcomes([{ deliveryId, outcome }])
  return noted ?? (yield* Effect.die(`there is no delivery ${deliveryId}`))
})

export const redeliverTo = Effect.fnUntraced(function* (
  { caller, webhookId }: OwnedSubscription,
  deliveryId: DeliveryId
) {
  const book = yield* OrderBook
  const reads = { _tag: "ForSubscription" as const, webhookId, deliveryId }
  return yield* book.transact(reads, redeliver(webhookId, deliveryId, caller))
})

export const answered = (httpStatus: number): Outcome => ({
  kind: "answered",
  httpStatus,
  retryAfterMs: null,
  durationMs: 0
})

export const failed = (fault: Exclude<AttemptFault, "http_status" | "redirects">): Outcome => ({
  kind: "failed",
  fault,
  durationMs: 0
})

export interface ClaimParams {
  readonly limit?: number
  readonly perEndpoint?: number
  readonly leaseMs?: number
  /** How far ahead of now the claimer's clock is. */
  readonly aheadMs?: number
}

export const claim = Effect.fnUntraced(function* (wish: ClaimParams = {}) {
  const { limit = 100, perEndpoint = 100, leaseMs = 60_000, aheadMs = 0 } = wish
  const deliveries = yield* Deliveries
  const nowMs = (yield* Clock.currentTimeMillis) + aheadMs
  return yield* deliveries.claim({ nowMs, limit, perEndpoint, leaseMs })
})

export const idsOf = (claimed: ReadonlyArray<{ readonly delivery: { readonly deliveryId: DeliveryId } }>) =>
  claimed.map(({ delivery }) => delivery.deliveryId)

/** How many of the claimed deliveries are this subscription's. */
export const countFor = (
  { webhookId }: Pick<Subscription, "webhookId">,
  claimed: ReadonlyArray<{ readonly subscription: Subscription }>
): number => claimed.filter(({ subscription }) => subscription.webhookId === webhookId).length
