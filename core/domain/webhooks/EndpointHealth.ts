// The health of a webhook's endpoint: what its attempts and its owner make of it, and how many attempts it may have at once.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { DeliveryId } from "../shared/Ids.ts"
import { Attempt, EventName, GONE } from "./Delivery.ts"
import { DISABLE_AFTER_MS } from "./DeliverySchedule.ts"

/** The failures of an endpoint since its last success. */
export const EndpointHealth = Schema.Struct({
  consecutiveFailures: Schema.Int,
  /** The start of the first failed attempt since the last success. */
  failingSinceMs: Schema.NullOr(Millis),
  disabledAtMs: Schema.NullOr(Millis),
  lastAttempt: Schema.NullOr(Schema.Struct({ ...Attempt.fields, event: EventName })),
  /**
   * Whether it was disabled on purpose, so that no success enables it again. Missing where an instance from before step 065 wrote the health,
   * by which the database knows one (`keep_endpoint_switch`).
   */
  isPaused: Schema.optionalKey(Schema.Boolean),
  /** An owner disabled it on purpose, and only an owner enables it again. */
  pausedByOwner: Schema.optionalKey(Schema.Boolean),
  /** The last delivery of a replay: one is sent at a time until it has ended, so that they arrive in order. */
  inOrderTo: Schema.optionalKey(DeliveryId)
})
export type EndpointHealth = typeof EndpointHealth.Type

export const healthy: EndpointHealth = {
  consecutiveFailures: 0,
  failingSinceMs: null,
  disabledAtMs: null,
  lastAttempt: null,
  isPaused: false
}

const pauseOf = ({ disabledAtMs, isPaused, pausedByOwner }: EndpointHealth) => {
  if (!isPaused) return { isPaused: false }
  return { disabledAtMs, isPaused, ...(pausedByOwner ? { pausedByOwner } : {}) }
}

const orderOf = ({ inOrderTo }: EndpointHealth) => (inOrderTo === undefined ? {} : { inOrderTo })

/**
 * Any success enables the endpoint again, unless its owner disabled it; a disabled one receives only tests, redeliveries and replays that its
 * owner requests.
 */
export const healthAfter = (health: EndpointHealth, attempt: Attempt, event: EventName): EndpointHealth => {
  const lastAttempt = { ...attempt, event }
  if (attempt.fault === null) return { ...healthy, ...pauseOf(health), ...orderOf(health), lastAttempt }
  const failingSinceMs = health.failingSinceMs ?? attempt.atMs
  const mustDisable = attempt.httpStatus === GONE || attempt.atMs - failingSinceMs >= DISABLE_AFTER_MS
  return {
    consecutiveFailures: health.consecutiveFailures + 1,
    failingSinceMs,
    ...{ disabledAtMs: health.disabledAtMs ?? (mustDisable ? attempt.atMs : null), lastAttempt },
    ...pauseOf(health),
    // Disabling drops what waits.
    ...(mustDisable && health.disabledAtMs === null ? {} : orderOf(health))
  }
}

/** Deliveries are sent in order until this one has ended. */
export const inOrderTo = (health: EndpointHealth, deliveryId: DeliveryId): EndpointHealth => ({
  ...health,
  inOrderTo: deliveryId
})

/** The health once this delivery has ended. */
export const afterEndOf = ({ inOrderTo, ...health }: EndpointHealth, deliveryId: DeliveryId): EndpointHealth =>
  inOrderTo === undefined || inOrderTo === deliveryId ? health : { ...health, inOrderTo }

/** Who disables an endpoint, or enables it again: the credential that made the webhook, or an owner of the account. */
export interface Switch {
  readonly isActive: boolean
  readonly byOwner: boolean
  readonly atMs: Millis
}

/** The endpoint once it is disabled on purpose, or enabled again. Enabling one that is not disabled changes nothing. */
export const switched = (health: EndpointHealth, { isActive, byOwner, atMs }: Switch): EndpointHealth => {
  const { inOrderTo: _, ...rest } = health
  if (isActive)
    return health.disabledAtMs === null ? health : { ...healthy, ...orderOf(health), lastAttempt: health.lastAttempt }
  if (health.isPaused && (health.pausedByOwner || !byOwner)) return health
  const paused = { ...rest, disabledAtMs: health.disabledAtMs ?? atMs, isPaused: true }
  return byOwner ? { ...paused, pausedByOwner: true } : paused
}

/** The failures of another address do not count. */
export const healthElsewhere = (health: EndpointHealth): EndpointHealth => ({
  ...healthy,
  ...{ disabledAtMs: health.disabledAtMs, lastAttempt: health.lastAttempt },
  ...pauseOf(health),
  ...orderOf(health)
})

/** The concurrent attempts that an endpoint may have: one while it is failing or gets a replay, else `perEndpoint`. */
export const maxConcurrentAttempts = (
  { consecutiveFailures, inOrderTo }: EndpointHealth,
  perEndpoint: number
): number => (consecutiveFailures > 0 || inOrderTo !== undefined ? 1 : perEndpoint)

export const endpointStatus = (health: EndpointHealth): "active" | "failing" | "disabled" =>
  health.disabledAtMs !== null ? "disabled" : health.consecutiveFailures > 0 ? "failing" : "active"
