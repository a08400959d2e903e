// A webhook subscription: where events of one key's orders are sent, what they are signed with, and how the endpoint fares.

import type { Millis, Mode } from "./DecisionContext.ts"
import type { EndpointHealth } from "./Delivery.ts"
import type { EventType } from "./Event.ts"

export const MAX_ACTIVE_SUBSCRIPTIONS = 5

/** After a rotation, deliveries go on to carry the signature of the key before it for this long. */
export const ROTATION_OVERLAP_MS: Millis = 24 * 60 * 60_000

/** More keys than this are not signed with beside the present one: whoever rotates still more often loses the oldest early. */
export const MAX_PREVIOUS_KEYS = 4

export interface PreviousKey {
  readonly sealedSigningKey: string
  readonly untilMs: Millis
}

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
  /** Those before each of the last rotations, newest first, for as long as their signatures are still sent along. */
  readonly previousKeys: ReadonlyArray<PreviousKey>
  readonly health: EndpointHealth
  readonly createdAtMs: Millis
  readonly revokedAtMs: Millis | null
}

/** Whether an event of this type is sent there. A disabled endpoint gets none until what its owner sends it (see `endpointAfter`) succeeds. */
export const receives = (subscription: Subscription, type: EventType): boolean =>
  subscription.revokedAtMs === null && subscription.health.disabledAtMs === null && subscription.events.includes(type)

type Keys = Pick<Subscription, "sealedSigningKey" | "previousKeys">

const stillGood = (previousKeys: ReadonlyArray<PreviousKey>, atMs: Millis) =>
  previousKeys.filter(({ untilMs }) => atMs < untilMs)

/** The sealed keys to sign with at a time, newest first. */
export const signingKeysAt = (
  { sealedSigningKey, previousKeys }: Keys,
  atMs: Millis
): readonly [string, ...ReadonlyArray<string>] => [
  sealedSigningKey,
  ...stillGood(previousKeys, atMs).map((previous) => previous.sealedSigningKey)
]

/** With a new key. What an earlier rotation promised still holds: its answer may have been lost, and the receiver not know of it. */
export const rotated = ({ sealedSigningKey, previousKeys }: Keys, newKey: string, atMs: Millis): Keys => ({
  sealedSigningKey: newKey,
  previousKeys: [{ sealedSigningKey, untilMs: atMs + ROTATION_OVERLAP_MS }, ...stillGood(previousKeys, atMs)].slice(
    0,
    MAX_PREVIOUS_KEYS
  )
})
