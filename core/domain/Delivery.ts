// One event on its way to one subscription: its bytes, its attempts, and what an attempt's outcome means for the delivery and
// for the endpoint.
import { Schema } from "effect"
import type { Millis, Mode } from "./DecisionContext.ts"
import { DISABLE_AFTER_MS, nextWaitMs } from "./DeliverySchedule.ts"
import type { EventType } from "./Event.ts"

/** What may be delivered: the order events, and the test that an owner asks for. */
export type EventName = EventType | "webhook.test"

/** `pending` until it succeeded, ran out of attempts, or was dropped because its subscription ended. */
export type DeliveryState = "pending" | "delivered" | "failed" | "dropped"

export const AttemptFault = Schema.Literals([
  "timeout",
  "connection_refused",
  "connection_reset",
  "tls",
  "unresolvable",
  /** No route to it, while there are routes to others. */
  "unreachable",
  "address_refused",
  /** What came back is no HTTP. */
  "invalid_response",
  "redirects",
  "http_status"
])
export type AttemptFault = typeof AttemptFault.Type

export interface Attempt {
  /** When it began. */
  readonly atMs: Millis
  /** `null` where no answer came. */
  readonly httpStatus: number | null
  readonly fault: AttemptFault | null
  readonly durationMs: Millis
}

export interface Delivery {
  readonly deliveryId: string
  readonly webhookId: string
  readonly accountId: string
  readonly keyId: string
  readonly mode: Mode
  readonly eventId: string
  readonly event: EventName
  /** The same bytes on every attempt. */
  readonly body: string
  readonly createdAtMs: Millis
  readonly state: DeliveryState
  /** The newest `ATTEMPTS_KEPT`, oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
  /** Attempts of the present run; a redelivery starts a new one. */
  readonly attemptsInRun: number
  /** When it is due; `null` once it is over. */
  readonly nextAttemptAtMs: Millis | null
}

/** A run makes eleven. Its owner may begin another as often as they like, and all that is kept is written with each attempt. */
export const ATTEMPTS_KEPT = 50

/** What a receiver answered, or why it did not. */
export type Outcome =
  | {
      readonly kind: "answered"
      readonly httpStatus: number
      readonly retryAfterMs: Millis | null
      readonly durationMs: Millis
    }
  | {
      readonly kind: "failed"
      readonly fault: Exclude<AttemptFault, "http_status" | "redirects">
      readonly durationMs: Millis
    }
  /** No resolver, no route, while nobody at all is reached: our side. Counts neither against the endpoint nor as an attempt. */
  | { readonly kind: "local_fault"; readonly durationMs: Millis }

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const isRedirect = (status: number): boolean => status >= 300 && status < 400

const GONE = 410

/** Our own side is tried again soon at first, and then ever less often: each time after a quarter of the time lost so far. */
const LOCAL_FAULT_BACKOFF = { minMs: 5_000, maxMs: 5 * 60_000, share: 0.25 }

const localFaultWaitMs = ({ createdAtMs, attempts }: Delivery, nowMs: Millis): Millis => {
  const { minMs: least, maxMs: most, share } = LOCAL_FAULT_BACKOFF
  const lostMs = nowMs - (attempts.at(-1)?.atMs ?? createdAtMs)
  return Math.min(Math.max(Math.round(lostMs * share), least), most)
}

/** `endedAtMs` is when its outcome was known. */
export const attemptOf = (outcome: Exclude<Outcome, { kind: "local_fault" }>, endedAtMs: Millis): Attempt => {
  const { durationMs } = outcome
  const atMs = endedAtMs - durationMs
  if (outcome.kind === "failed") return { atMs, httpStatus: null, fault: outcome.fault, durationMs }
  const { httpStatus } = outcome
  const fault = isSuccess(httpStatus) ? null : isRedirect(httpStatus) ? "redirects" : "http_status"
  return { atMs, httpStatus, fault, durationMs }
}

/**
 * The delivery after an attempt whose outcome is known at `endedAtMs`. The schedule counts from when the attempt began, so that
 * a receiver that keeps us waiting does not shift it. `fraction` is random, from 0 to below 1.
 */
export const afterAttempt = (delivery: Delivery, outcome: Outcome, endedAtMs: Millis, fraction: number): Delivery => {
  if (outcome.kind === "local_fault")
    return { ...delivery, nextAttemptAtMs: endedAtMs + localFaultWaitMs(delivery, endedAtMs) }
  const attempt = attemptOf(outcome, endedAtMs)
  const attemptsInRun = delivery.attemptsInRun + 1
  const made = { ...delivery, attempts: [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT), attemptsInRun }
  if (attempt.fault === null) return { ...made, state: "delivered", nextAttemptAtMs: null }
  if (attempt.httpStatus === GONE) return { ...made, state: "failed", nextAttemptAtMs: null }
  const retryAfterMs = outcome.kind === "answered" ? outcome.retryAfterMs : null
  const askedMs = retryAfterMs === null ? null : retryAfterMs + attempt.durationMs
  const waitMs = nextWaitMs(attemptsInRun, fraction, askedMs)
  return waitMs === null
    ? { ...made, state: "failed", nextAttemptAtMs: null }
    : { ...made, nextAttemptAtMs: attempt.atMs + waitMs }
}

/** What an attempt is made on: the delivery as it was when it was claimed. */
export type DeliveryAtClaim = Pick<Delivery, "deliveryId" | "attempts" | "nextAttemptAtMs">

const endedAlike = (a: Omit<Attempt, "atMs">, b: Omit<Attempt, "atMs">): boolean =>
  a.httpStatus === b.httpStatus && a.fault === b.fault && a.durationMs === b.durationMs

/**
 * Whether an attempt is noted already: since the claim, one was that ended just like it. Not whether the delivery has moved on since,
 * because who hurries one, or a lease that ran out, has two attempts made at once, and both count. Two that end alike to the
 * millisecond are one to this, which costs a line of the list.
 */
export const isRecorded = (delivery: Delivery, claimed: DeliveryAtClaim, outcome: Outcome): boolean => {
  if (outcome.kind === "local_fault") return delivery.nextAttemptAtMs !== claimed.nextAttemptAtMs
  const ended = attemptOf(outcome, 0)
  const wasThere = (one: Attempt) => claimed.attempts.some((old) => old.atMs === one.atMs && endedAlike(old, one))
  return delivery.attempts.some((one) => endedAlike(one, ended) && !wasThere(one))
}

/** How an endpoint fares. One success forgives everything before it. */
export interface EndpointHealth {
  readonly consecutiveFailures: number
  /** Since when it has done nothing but fail. */
  readonly failingSinceMs: Millis | null
  readonly disabledAtMs: Millis | null
  readonly lastAttempt: (Attempt & { readonly event: EventName }) | null
}

export const healthy: EndpointHealth = {
  consecutiveFailures: 0,
  failingSinceMs: null,
  disabledAtMs: null,
  lastAttempt: null
}

/** What its owner sends to a disabled endpoint, a test or an old event again, brings it back when it succeeds. */
export const healthAfter = (health: EndpointHealth, attempt: Attempt, event: EventName): EndpointHealth => {
  const lastAttempt = { ...attempt, event }
  if (attempt.fault === null) return { ...healthy, lastAttempt }
  const failingSinceMs = health.failingSinceMs ?? attempt.atMs
  const over = attempt.httpStatus === GONE || attempt.atMs - failingSinceMs >= DISABLE_AFTER_MS
  return {
    consecutiveFailures: health.consecutiveFailures + 1,
    failingSinceMs,
    disabledAtMs: health.disabledAtMs ?? (over ? attempt.atMs : null),
    lastAttempt
  }
}

/** Attempts that it may have under way at once: one that fails gets a single one, as in the store's own claim. */
export const maxConcurrentAttempts = ({ consecutiveFailures }: EndpointHealth, perEndpoint: number): number =>
  consecutiveFailures > 0 ? 1 : perEndpoint

export const endpointStatus = (health: EndpointHealth): "active" | "failing" | "disabled" =>
  health.disabledAtMs !== null ? "disabled" : health.consecutiveFailures > 0 ? "failing" : "active"
