// What becomes of a delivery and its endpoint: after an attempt, when its owner asks for a test or for sending again.
import { Result } from "effect"
import type { Caller } from "#core/domain/ApiKey.ts"
import { jitterOf } from "#core/domain/DecisionContext.ts"
import {
  afterAttempt,
  attemptOf,
  type Delivery,
  type DeliveryAtClaim,
  healthAfter,
  isRecorded,
  type Outcome
} from "#core/domain/Delivery.ts"
import { DeliveryNotFound, WebhookNotFound } from "#core/domain/Refusal.ts"
import type { Rendering } from "#core/domain/Rendering.ts"
import { ROTATION_OVERLAP_MS, rotated, type Subscription } from "#core/domain/Subscription.ts"
import { type Books, find } from "./Books.ts"
import { begin, type Decide } from "./Draft.ts"
import { newDelivery } from "./SettleQuote.ts"

/** An attempt that was made, and what came of it. */
export interface MadeAttempt {
  readonly claimed: DeliveryAtClaim
  readonly outcome: Outcome
}

/** Fractions of one moment that lie apart: each is this much further on than the one before, round and round. */
const GOLDEN_FRACTION = 0.6180339887498949

/**
 * Notes attempts, in the order in which they ended. A delivery that was dropped or finished while it was under way stays so: the
 * receiver may have got it, which is what "at least once" allows. One that is noted already is not noted again: a store that does not
 * answer may have written it. Answers those that are known, as they are then.
 */
export const recordAttempts =
  (made: ReadonlyArray<MadeAttempt>): Decide<ReadonlyArray<Delivery>, never> =>
  (books, context) => {
    const draft = begin(books, context)
    const { nowMs } = context
    for (const [index, { claimed, outcome }] of made.entries()) {
      const delivery = find(draft.books.deliveries, claimed.deliveryId)
      const subscription = delivery === undefined ? undefined : find(draft.books.subscriptions, delivery.webhookId)
      if (delivery?.state !== "pending" || subscription === undefined) continue
      if (isRecorded(delivery, claimed, outcome)) continue
      const fraction = (jitterOf(context) + index * GOLDEN_FRACTION) % 1
      draft.record({ _tag: "DeliveryMoved", delivery: afterAttempt(delivery, outcome, nowMs, fraction) })
      if (outcome.kind === "local_fault") continue
      const health = healthAfter(subscription.health, attemptOf(outcome, nowMs), delivery.event)
      draft.record({ _tag: "EndpointHealthChanged", webhookId: subscription.webhookId, health })
    }
    return Result.succeed(
      draft.decided(made.flatMap(({ claimed }) => find(draft.books.deliveries, claimed.deliveryId) ?? []))
    )
  }

/** Another key's subscription, and one that is revoked, is not found. */
export const ownSubscription = (
  books: Books,
  webhookId: string,
  caller: Caller
): Result.Result<Subscription, WebhookNotFound> => {
  const one = find(books.subscriptions, webhookId)
  return one === undefined || one.keyId !== caller.keyId || one.revokedAtMs !== null
    ? Result.fail(new WebhookNotFound({ webhookId }))
    : Result.succeed(one)
}

/** Sends a `webhook.test`, whatever the subscription lists and even if its endpoint is disabled. */
export const testEndpoint =
  (webhookId: string, caller: Caller, render: Rendering): Decide<Delivery, WebhookNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const subscription = yield* ownSubscription(books, webhookId, caller)
      const draft = begin(books, context)
      const { mode } = subscription
      const eventId = draft.nextId("evt_", mode)
      const atMs = context.nowMs
      const body = render.test({ eventId, webhookId, mode, atMs })
      const delivery = newDelivery(draft, subscription, { eventId, event: "webhook.test", body, atMs })
      draft.record({ _tag: "DeliveryQueued", delivery })
      return draft.decided(delivery)
    })

/** The same event and bytes once more, from the first planned wait. One that is still on its way is hurried. */
export const redeliver =
  (webhookId: string, deliveryId: string, caller: Caller): Decide<Delivery, WebhookNotFound | DeliveryNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      yield* ownSubscription(books, webhookId, caller)
      const delivery = find(books.deliveries, deliveryId)
      if (delivery?.webhookId !== webhookId) return yield* Result.fail(new DeliveryNotFound({ deliveryId }))
      const draft = begin(books, context)
      const again = { ...delivery, state: "pending" as const, attemptsInRun: 0, nextAttemptAtMs: context.nowMs }
      draft.record({ _tag: "DeliveryMoved", delivery: again })
      return draft.decided(again)
    })

export interface Rotation {
  readonly webhookId: string
  readonly previousValidUntilMs: number
}

export const rotateSecret =
  (webhookId: string, sealedSigningKey: string, caller: Caller): Decide<Rotation, WebhookNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const subscription = yield* ownSubscription(books, webhookId, caller)
      const draft = begin(books, context)
      draft.record({ _tag: "SecretRotated", webhookId, ...rotated(subscription, sealedSigningKey, context.nowMs) })
      return draft.decided({ webhookId, previousValidUntilMs: context.nowMs + ROTATION_OVERLAP_MS })
    })
