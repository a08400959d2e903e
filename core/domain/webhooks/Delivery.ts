// The delivery of one event to one subscription: its attempts, and the effect of each outcome on it.
import { Schema } from "effect"
import { DAY_MS, Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, DeliveryId, EventId, KeyId, WebhookId } from "../shared/Ids.ts"
import { nextWaitMs } from "./DeliverySchedule.ts"
import { EventType } from "./Event.ts"

/** The order events, and the test event that the owner of a webhook can request. */
export const EventName = Schema.Literals([...EventType.literals, "webhook.test"])
export type EventName = typeof EventName.Type

/** `pending` until an attempt succeeds, the attempts are used up (`failed`), or the subscription ends (`dropped`). */
export const DeliveryState = Schema.Literals(["pending", "delivered", "failed", "dropped"])
export type DeliveryState = typeof DeliveryState.Type

export const AttemptFault = Schema.Literals([
  "timeout",
  "connection_refused",
  "connection_reset",
  "tls",
  "unresolvable",
  /** No route to this host, while other hosts are reachable. */
  "unreachable",
  "address_refused",
  /** The response is not HTTP. */
  "invalid_response",
  "redirects",
  "http_status"
])
export type AttemptFault = typeof AttemptFault.Type

export const Attempt = Schema.Struct({
  /** The start of the attempt. */
  atMs: Millis,
  /** `null` if there was no response. */
  httpStatus: Schema.NullOr(Schema.Int),
  fault: Schema.NullOr(AttemptFault),
  durationMs: Schema.Finite
})
export type Attempt = typeof Attempt.Type

export const Delivery = Schema.Struct({
  deliveryId: DeliveryId,
  webhookId: WebhookId,
  accountId: AccountId,
  keyId: KeyId,
  mode: Mode,
  eventId: EventId,
  event: EventName,
  /** The same bytes on every attempt. */
  body: Schema.String,
  createdAtMs: Millis,
  state: DeliveryState,
  /** The newest `ATTEMPTS_KEPT`, oldest first. */
  attempts: Schema.Array(Attempt),
  /** Attempts of the current run; a redelivery starts a new run. */
  attemptsInRun: Schema.Int,
  /** `null` unless pending. */
  nextAttemptAtMs: Schema.NullOr(Millis)
})
export type Delivery = typeof Delivery.Type

/** What the end of its subscription makes of it. */
export const dropped = (delivery: Delivery): Delivery =>
  delivery.state === "pending" ? { ...delivery, state: "dropped", nextAttemptAtMs: null } : delivery

/** A run has eleven attempts, but the owner may start any number of runs, and each attempt writes the complete list. */
export const ATTEMPTS_KEPT = 50

/** Tests of one webhook within `TESTS_WINDOW_MS`. Each is a delivery that is kept; a redelivery of one adds none. */
export const MAX_TESTS = 20

export const TESTS_WINDOW_MS: Millis = DAY_MS

/** Redeliveries of one webhook within `REDELIVERIES_WINDOW_MS`, of any of its deliveries: each begins a run of attempts at once. */
export const MAX_REDELIVERIES = 20

export const REDELIVERIES_WINDOW_MS: Millis = DAY_MS

/** Events that one replay queues; the next one takes those that are left. A replay counts as a redelivery. */
export const MAX_REPLAYED = 250

/** Events that happened longer ago are neither listed nor replayed. */
export const EVENTS_KEPT_MS: Millis = 30 * DAY_MS

/** The result of one attempt. */
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
  /** The sender itself has no resolver or no route to any host. Counts neither against the endpoint nor as an attempt. */
  | { readonly kind: "local_fault"; readonly durationMs: Millis }

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** What an endpoint answers that wants nothing more. */
export const GONE = 410

/** After a local fault the wait is a quarter of the time lost so far, within these bounds. */
const LOCAL_FAULT_BACKOFF = { minMs: 5_000, maxMs: 5 * 60_000, share: 0.25 }

const localFaultWaitMs = ({ createdAtMs, attempts }: Delivery, nowMs: Millis): Millis => {
  const { minMs, maxMs, share } = LOCAL_FAULT_BACKOFF
  const lostMs = nowMs - (attempts.at(-1)?.atMs ?? createdAtMs)
  return Math.min(Math.max(Math.round(lostMs * share), minMs), maxMs)
}

/** `endedAtMs` is the time at which the outcome was known. */
export const attemptOf = (outcome: Exclude<Outcome, { kind: "local_fault" }>, endedAtMs: Millis): Attempt => {
  const { durationMs } = outcome
  const atMs = endedAtMs - durationMs
  if (outcome.kind === "failed") return { atMs, httpStatus: null, fault: outcome.fault, durationMs }
  const { httpStatus } = outcome
  const fault = isSuccess(httpStatus) ? null : isRedirect(httpStatus) ? "redirects" : "http_status"
  return { atMs, httpStatus, fault, durationMs }
}

/**
 * The delivery after an attempt that ended at `endedAtMs`. The schedule counts from the start of the attempt, so that a slow receiver
 * does not shift it. `fraction` is random, from 0 to below 1.
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
  const requestedMs = retryAfterMs === null ? null : retryAfterMs + attempt.durationMs
  const waitMs = nextWaitMs(attemptsInRun, fraction, requestedMs)
  return waitMs === null
    ? { ...made, state: "failed", nextAttemptAtMs: null }
    : { ...made, nextAttemptAtMs: attempt.atMs + waitMs }
}

/** The fields of a claimed delivery that show whether an attempt is recorded already. */
export type DeliveryAtClaim = Pick<Delivery, "deliveryId" | "attempts" | "nextAttemptAtMs">

const endedAlike = (a: Omit<Attempt, "atMs">, b: Omit<Attempt, "atMs">): boolean =>
  a.httpStatus === b.httpStatus && a.fault === b.fault && a.durationMs === b.durationMs

/**
 * Whether an attempt is recorded already: one with the same outcome was added since the claim. A changed delivery alone proves nothing,
 * because a redelivery or an expired lease makes two concurrent attempts, and both count. Two attempts with the same outcome and the
 * same duration to the millisecond are taken for one, which loses an entry of the list.
 */
export const isRecorded = (delivery: Delivery, claimed: DeliveryAtClaim, outcome: Outcome): boolean => {
  if (outcome.kind === "local_fault") return delivery.nextAttemptAtMs !== claimed.nextAttemptAtMs
  const ended = attemptOf(outcome, 0)
  const wasKnown = (one: Attempt) => claimed.attempts.some((old) => old.atMs === one.atMs && endedAlike(old, one))
  return delivery.attempts.some((one) => endedAlike(one, ended) && !wasKnown(one))
}
