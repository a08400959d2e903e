// A webhook subscription: where events of one key's orders are sent, what they are signed with, and how the endpoint fares.
import type { EndpointHealth } from "./Delivery.ts"
import type { EventType } from "./Event.ts"
import type { Millis, Mode } from "./Moment.ts"

export const MAX_ACTIVE_SUBSCRIPTIONS = 5

/** After a rotation, deliveries carry both signatures for this long. */
export const ROTATION_OVERLAP_MS: Millis = 24 * 60 * 60_000

export interface Subscription {
  readonly webhookId: string
  readonly accountId: string
  /** The key that made it: the only one that manages it. */
  readonly keyId: string
  readonly mode: Mode
  readonly url: string
  readonly events: ReadonlyArray<EventType>
  /** The HMAC key (never the secret itself), sealed by the `Vault`. */
  readonly sealedSigningKey: string
  /** The one before the last rotation, while its signature is still sent along. */
  readonly previousKey: { readonly sealedSigningKey: string; readonly untilMs: Millis } | null
  readonly health: EndpointHealth
  readonly createdAtMs: Millis
  readonly revokedAtMs: Millis | null
}

/** Whether an event of this type is sent there. A disabled endpoint gets none until a test of its owner's succeeds. */
export const hears = (subscription: Subscription, type: EventType): boolean =>
  subscription.revokedAtMs === null && subscription.health.disabledAtMs === null && subscription.events.includes(type)

/** The sealed keys to sign with at a time, newest first. */
export const signingKeysAt = (
  { sealedSigningKey, previousKey }: Subscription,
  atMs: Millis
): readonly [string, ...ReadonlyArray<string>] =>
  previousKey !== null && atMs < previousKey.untilMs
    ? [sealedSigningKey, previousKey.sealedSigningKey]
    : [sealedSigningKey]
