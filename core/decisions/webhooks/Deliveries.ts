// Records delivery attempts, and queues tests and redeliveries.
import { HashMap, Result } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { SERVICE } from "#core/domain/members/Actor.ts"
import { jitterOf, type Millis, secondsUntil } from "#core/domain/shared/DecisionContext.ts"
import type { DeliveryId, EventId, WebhookId } from "#core/domain/shared/Ids.ts"
import {
  afterAttempt,
  attemptOf,
  type Delivery,
  type DeliveryAtClaim,
  isRecorded,
  MAX_REDELIVERIES,
  MAX_TESTS,
  type Outcome,
  REDELIVERIES_WINDOW_MS,
  TESTS_WINDOW_MS
} from "#core/domain/webhooks/Delivery.ts"
import { afterEndOf, type EndpointHealth, healthAfter } from "#core/domain/webhooks/EndpointHealth.ts"
import type { Rendering } from "#core/domain/webhooks/Rendering.ts"
import type { Subscription } from "#core/domain/webhooks/Subscription.ts"
import {
  DeliveryNotFound,
  RedeliveryLimitReached,
  WebhookNotFound,
  WebhookTestLimitReached
} from "#core/domain/webhooks/WebhookRefusal.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { newDelivery } from "./RaiseEvent.ts"

/** An attempt and its outcome. */
export interface MadeAttempt {
  readonly claimed: DeliveryAtClaim
  readonly outcome: Outcome
}

/** Added once per attempt, modulo 1, it spreads one random fraction evenly over a batch. */
const GOLDEN_FRACTION = 0.6180339887498949

/** What owners are told by mail. */
const noteDisabling = (
  draft: Draft,
  { webhookId, accountId, keyId, url, health: before }: Subscription,
  { disabledAtMs, lastAttempt }: EndpointHealth
): void => {
  if (disabledAtMs === null || before.disabledAtMs !== null) return
  const label = find(draft.books.keys, keyId)?.label ?? null
  const details = { url, label, http_status: lastAttempt?.httpStatus ?? null }
  audit(draft, SERVICE, { action: "webhook.disable", subject: webhookId, accountId, details })
}

/**
 * Records attempts in the order in which they ended, and returns the deliveries that exist. A delivery that was dropped or finished
 * during the attempt stays so: the receiver may have received it, which at-least-once delivery allows. An attempt that is recorded
 * already is skipped, so that a call whose confirmation was lost can be repeated.
 */
export const recordAttempts =
  (made: ReadonlyArray<MadeAttempt>): Decide<ReadonlyArray<Delivery>, never> =>
  (books, context) => {
    const draft = new Draft(books, context)
    const { nowMs } = context
    for (const [index, { claimed, outcome }] of made.entries()) {
      const delivery = find(draft.books.deliveries, claimed.deliveryId)
      const subscription = delivery === undefined ? undefined : find(draft.books.subscriptions, delivery.webhookId)
      if (delivery?.state !== "pending" || subscription === undefined) continue
      if (isRecorded(delivery, claimed, outcome)) continue
      const fraction = (jitterOf(context) + index * GOLDEN_FRACTION) % 1
      draft.record({ _tag: "DeliveryMoved", delivery: afterAttempt(delivery, outcome, nowMs, fraction) })
      if (outcome.kind === "local_fault") continue
      const after = healthAfter(subscription.health, attemptOf(outcome, nowMs), delivery.event)
      const isEnded = find(draft.books.deliveries, delivery.deliveryId)?.state !== "pending"
      const health = isEnded ? afterEndOf(after, delivery.deliveryId) : after
      draft.record({ _tag: "EndpointHealthChanged", webhookId: subscription.webhookId, health })
      noteDisabling(draft, subscription, health)
    }
    return Result.succeed(
      draft.decided(made.flatMap(({ claimed }) => find(draft.books.deliveries, claimed.deliveryId) ?? []))
    )
  }

/** The caller's own subscription. A revoked one, and one of another key, is not found. */
export const ownSubscription = (
  books: Books,
  webhookId: WebhookId,
  caller: Caller
): Result.Result<Subscription, WebhookNotFound> => {
  const one = find(books.subscriptions, webhookId)
  return one === undefined || one.keyId !== caller.keyId || one.revokedAtMs !== null
    ? Result.fail(new WebhookNotFound({ webhookId }))
    : Result.succeed(one)
}

/** Refuses one more test of a webhook that has had `MAX_TESTS` within `TESTS_WINDOW_MS`. */
const checkTests = (
  books: Books,
  webhookId: WebhookId,
  nowMs: Millis
): Result.Result<void, WebhookTestLimitReached> => {
  const tests = HashMap.toValues(books.deliveries)
    .filter((one) => one.webhookId === webhookId && one.event === "webhook.test")
    .filter(({ createdAtMs }) => createdAtMs > nowMs - TESTS_WINDOW_MS)
    .sort((a, b) => b.createdAtMs - a.createdAtMs)
  const [newest, oldest] = [tests[0], tests[MAX_TESTS - 1]]
  if (newest === undefined || oldest === undefined) return Result.succeed(undefined)
  const resetsAtMs = oldest.createdAtMs + TESTS_WINDOW_MS
  const retryAfterSeconds = secondsUntil(resetsAtMs, nowMs)
  const { deliveryId } = newest
  return Result.fail(
    new WebhookTestLimitReached({ limit: MAX_TESTS, resetsAtMs, retryAfterSeconds, deliveryId, webhookId })
  )
}

/** The ids of a test that is made once, however often it is asked for. */
export interface TestIds {
  readonly eventId: EventId
  readonly deliveryId: DeliveryId
}

/** Queues a `webhook.test`, whichever events the subscription lists, even if its endpoint is disabled. */
export const testEndpoint =
  (
    webhookId: WebhookId,
    caller: Caller,
    render: Rendering,
    ids: TestIds | null = null
  ): Decide<Delivery, WebhookNotFound | WebhookTestLimitReached> =>
  (books, context) =>
    Result.gen(function* () {
      const subscription = yield* ownSubscription(books, webhookId, caller)
      const known = ids === null ? undefined : find(books.deliveries, ids.deliveryId)
      if (known !== undefined) return unchanged(known)
      yield* checkTests(books, webhookId, context.nowMs)
      const draft = new Draft(books, context)
      const { mode } = subscription
      const eventId = ids?.eventId ?? draft.nextId("evt_", mode)
      const atMs = context.nowMs
      const body = render.test({ eventId, webhookId, mode, atMs })
      const queued = newDelivery(draft, subscription, { eventId, event: "webhook.test", body, atMs })
      const delivery = { ...queued, ...(ids === null ? {} : { deliveryId: ids.deliveryId }) }
      draft.record({ _tag: "DeliveryQueued", delivery })
      return draft.decided(delivery)
    })

/**
 * The redeliveries that count, with one more, asked for at `atMs`; refuses it after `MAX_REDELIVERIES` within `REDELIVERIES_WINDOW_MS`.
 */
export const countRedelivery = (
  { webhookId, redeliveredAtMs = [] }: Subscription,
  nowMs: Millis,
  atMs: Millis
): Result.Result<ReadonlyArray<Millis>, RedeliveryLimitReached> => {
  const counted = redeliveredAtMs.filter((atMs) => atMs > nowMs - REDELIVERIES_WINDOW_MS)
  const oldest = counted.at(-MAX_REDELIVERIES)
  if (oldest === undefined) return Result.succeed([...counted, atMs].toSorted((a, b) => a - b))
  const resetsAtMs = oldest + REDELIVERIES_WINDOW_MS
  const retryAfterSeconds = secondsUntil(resetsAtMs, nowMs)
  return Result.fail(new RedeliveryLimitReached({ limit: MAX_REDELIVERIES, resetsAtMs, retryAfterSeconds, webhookId }))
}

/** Whether the call of that time has redelivered it: no other redelivery of the webhook was counted then, or this one has been tried since. */
const isRedelivered = ({ redeliveredAtMs = [] }: Subscription, { state, attempts }: Delivery, atMs: Millis): boolean =>
  redeliveredAtMs.includes(atMs) && (state === "pending" || attempts.some((attempt) => attempt.atMs >= atMs))

/**
 * Starts a new run of attempts with the same body. A pending delivery becomes due at once. `askedAtMs`: of a call that takes effect once,
 * however often it runs.
 */
export const redeliver =
  (
    webhookId: WebhookId,
    deliveryId: DeliveryId,
    caller: Caller,
    askedAtMs: Millis | null = null
  ): Decide<Delivery, WebhookNotFound | DeliveryNotFound | RedeliveryLimitReached> =>
  (books, context) =>
    Result.gen(function* () {
      const subscription = yield* ownSubscription(books, webhookId, caller)
      const delivery = find(books.deliveries, deliveryId)
      if (delivery?.webhookId !== webhookId) return yield* Result.fail(new DeliveryNotFound({ deliveryId }))
      if (askedAtMs !== null && isRedelivered(subscription, delivery, askedAtMs)) return unchanged(delivery)
      const redeliveredAtMs = yield* countRedelivery(subscription, context.nowMs, askedAtMs ?? context.nowMs)
      const draft = new Draft(books, context)
      draft.record({ _tag: "RedeliveryCounted", webhookId, redeliveredAtMs })
      const again = { ...delivery, state: "pending" as const, attemptsInRun: 0, nextAttemptAtMs: context.nowMs }
      draft.record({ _tag: "DeliveryMoved", delivery: again })
      return draft.decided(again)
    })
