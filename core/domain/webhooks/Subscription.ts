// A webhook subscription: the endpoint for the events of the orders of one key or of its whole account, its signing keys and its health.
import { Schema } from "effect"
import { Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, KeyId, WebhookId } from "../shared/Ids.ts"
import { EndpointHealth } from "./Delivery.ts"
import { EventType } from "./Event.ts"

export const MAX_ACTIVE_SUBSCRIPTIONS = 5

/** How long deliveries still carry the signature of the previous key after a rotation. */
export const ROTATION_OVERLAP_MS: Millis = 24 * 60 * 60_000

/** The most previous keys to sign with. More frequent rotations drop the oldest key early. */
export const MAX_PREVIOUS_KEYS = 4

export const PreviousKey = Schema.Struct({
  sealedSigningKey: Schema.String,
  untilMs: Millis
})
export type PreviousKey = typeof PreviousKey.Type

export const Subscription = Schema.Struct({
  webhookId: WebhookId,
  accountId: AccountId,
  /** The API key that made it, and the only one that may manage it. */
  keyId: KeyId,
  mode: Mode,
  url: Schema.String,
  events: Schema.Array(EventType),
  /** The HMAC key (not the secret), sealed by the `Vault`. */
  sealedSigningKey: Schema.String,
  /** The keys before the last rotations, newest first. */
  previousKeys: Schema.Array(PreviousKey),
  health: EndpointHealth,
  createdAtMs: Millis,
  revokedAtMs: Schema.NullOr(Millis),
  /** When its owner asked for the redeliveries that still count, oldest first. */
  redeliveredAtMs: Schema.optionalKey(Schema.Array(Millis)),
  /** It receives the events of all credentials of its account in its mode; absent: those of its key alone. */
  scope: Schema.optionalKey(Schema.Literal("account"))
})
export type Subscription = typeof Subscription.Type

/** Whether events of what this credential placed are for it. */
export const isFor = (
  { keyId, accountId, mode, scope }: Pick<Subscription, "keyId" | "accountId" | "mode" | "scope">,
  placed: Pick<Subscription, "keyId" | "accountId" | "mode">
): boolean => keyId === placed.keyId || (scope === "account" && accountId === placed.accountId && mode === placed.mode)

/** Whether events of this type are sent to it. A disabled endpoint receives none until it is enabled again (see `healthAfter`). */
export const receives = (subscription: Subscription, type: EventType): boolean =>
  subscription.revokedAtMs === null && subscription.health.disabledAtMs === null && subscription.events.includes(type)

type Keys = Pick<Subscription, "sealedSigningKey" | "previousKeys">

const stillGood = (previousKeys: ReadonlyArray<PreviousKey>, atMs: Millis) =>
  previousKeys.filter(({ untilMs }) => atMs < untilMs)

/** The sealed keys to sign with at that time, newest first. */
export const signingKeysAt = (
  { sealedSigningKey, previousKeys }: Keys,
  atMs: Millis
): readonly [string, ...ReadonlyArray<string>] => [
  sealedSigningKey,
  ...stillGood(previousKeys, atMs).map((previous) => previous.sealedSigningKey)
]

/** The keys with each sealed text that has a replacement replaced. */
export const resealed = ({ sealedSigningKey, previousKeys }: Keys, replacements: ReadonlyMap<string, string>): Keys => {
  const replaced = (sealed: string) => replacements.get(sealed) ?? sealed
  return {
    sealedSigningKey: replaced(sealedSigningKey),
    previousKeys: previousKeys.map((one) => ({ ...one, sealedSigningKey: replaced(one.sealedSigningKey) }))
  }
}

/** Adds a new key. Earlier keys keep their full overlap, because the response to the last rotation may have been lost. */
export const rotated = ({ sealedSigningKey, previousKeys }: Keys, newKey: string, atMs: Millis): Keys => ({
  sealedSigningKey: newKey,
  previousKeys: [{ sealedSigningKey, untilMs: atMs + ROTATION_OVERLAP_MS }, ...stillGood(previousKeys, atMs)].slice(
    0,
    MAX_PREVIOUS_KEYS
  )
})
