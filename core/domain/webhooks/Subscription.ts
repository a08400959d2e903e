// A webhook subscription: the endpoint for the events of the orders of one key or of its whole account, its signing keys and its health.
import { Schema } from "effect"
import { CALL_BOUND_MS } from "../access/BoundCall.ts"
import { Millis, Mode } from "../shared/DecisionContext.ts"
import { AccountId, KeyId, WebhookId } from "../shared/Ids.ts"
import { EndpointHealth, healthElsewhere, type Switch, switched } from "./EndpointHealth.ts"
import { EarlierChoice, type EventChoice, type EventType, LaterChoice } from "./Event.ts"

export const MAX_ACTIVE_SUBSCRIPTIONS = 5

/** How long deliveries still carry the signature of the previous key after a rotation. */
export const ROTATION_OVERLAP_MS: Millis = 24 * 60 * 60_000

/** The most previous keys to sign with. While as many are good, the secret is not rotated: each was promised its overlap. */
export const MAX_PREVIOUS_KEYS = 4

const sealedKeys = {
  /** The HMAC key (not the secret), sealed by the `Vault`. */
  sealedSigningKey: Schema.String,
  /** The key of Standard Webhooks, sealed likewise; missing for a secret that was made before there was one. */
  sealedStandardKey: Schema.optionalKey(Schema.String)
}

/** What deliveries are signed with by one secret. */
export const SealedKeys = Schema.Struct(sealedKeys)
export type SealedKeys = typeof SealedKeys.Type

export const PreviousKey = Schema.Struct({ ...sealedKeys, untilMs: Millis })
export type PreviousKey = typeof PreviousKey.Type

/** What a call under an idempotency key did. Run again after its answer was lost, it is known by this, and does nothing more. */
export const WebhookCall = Schema.Struct({
  /** The call's `idPrefix`. */
  call: Schema.String,
  atMs: Millis,
  /** What a replay answered. */
  queued: Schema.optionalKey(Schema.Int),
  hasMore: Schema.optionalKey(Schema.Boolean)
})
export type WebhookCall = typeof WebhookCall.Type

/** A webhook remembers as many calls, each for as long as an idempotency key stays bound. */
export const MAX_CALLS = 50

export const Subscription = Schema.Struct({
  webhookId: WebhookId,
  accountId: AccountId,
  /** The API key that made it, and the only one that may manage it. */
  keyId: KeyId,
  mode: Mode,
  url: Schema.String,
  /** An instance of an earlier version reads these alone. */
  events: Schema.Array(EarlierChoice),
  /** The others that it names. */
  laterEvents: Schema.optionalKey(Schema.Array(LaterChoice)),
  ...sealedKeys,
  /** The keys before the last rotations, newest first. */
  previousKeys: Schema.Array(PreviousKey),
  health: EndpointHealth,
  createdAtMs: Millis,
  revokedAtMs: Schema.NullOr(Millis),
  /** When its owner asked for the redeliveries that still count, oldest first. */
  redeliveredAtMs: Schema.optionalKey(Schema.Array(Millis)),
  /** It receives the events of all credentials of its account in its mode; absent: those of its key alone. */
  scope: Schema.optionalKey(Schema.Literal("account")),
  /** When its owner last gave it other events; missing if they are those that it was made with. */
  namedAtMs: Schema.optionalKey(Millis),
  /** When its owner last enabled it again. */
  resumedAtMs: Schema.optionalKey(Millis),
  /** The calls under idempotency keys that changed it or replayed to it, the newest last; at most `MAX_CALLS`. */
  calls: Schema.optionalKey(Schema.Array(WebhookCall))
})
export type Subscription = typeof Subscription.Type

/** Whether events of what this credential placed are for it. */
export const isFor = (
  { keyId, accountId, mode, scope }: Pick<Subscription, "keyId" | "accountId" | "mode" | "scope">,
  placed: Pick<Subscription, "keyId" | "accountId" | "mode">
): boolean => keyId === placed.keyId || (scope === "account" && accountId === placed.accountId && mode === placed.mode)

type Named = Pick<Subscription, "events" | "laterEvents">

/** What its owner chose. */
export const choicesOf = ({ events, laterEvents = [] }: Named): ReadonlyArray<EventChoice> =>
  laterEvents.includes("*") ? ["*"] : [...events, ...laterEvents]

const isLater = Schema.is(LaterChoice)
const isEarlier = Schema.is(EarlierChoice)

/** The choices as they are stored. An instance of an earlier version takes `*` for all that it knows. */
export const storedChoices = (choices: ReadonlyArray<EventChoice>): Required<Named> =>
  choices.includes("*")
    ? { events: EarlierChoice.literals, laterEvents: ["*"] }
    : { events: choices.filter(isEarlier), laterEvents: choices.filter(isLater) }

/** Whether it names this type, or all. */
export const names = ({ events, laterEvents = [] }: Named, type: EventType): boolean => {
  const choices: ReadonlyArray<EventChoice> = [...events, ...laterEvents]
  return choices.includes(type) || choices.includes("*")
}

/** What its owner may change of it. */
export interface WebhookChange {
  readonly url?: string
  readonly events?: ReadonlyArray<EventChoice>
  readonly active?: boolean
}

const isSameSet = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>): boolean =>
  a.length === b.length && a.every((one) => b.includes(one))

/** The members that the change replaces; none where all is so already. */
export const changedSubscription = (
  { url, health, ...named }: Subscription,
  change: WebhookChange,
  { byOwner, atMs }: Omit<Switch, "isActive">
): Partial<Subscription> => {
  const isElsewhere = change.url !== undefined && change.url !== url
  const moved = isElsewhere ? healthElsewhere(health) : health
  const later = change.active === undefined ? moved : switched(moved, { isActive: change.active, byOwner, atMs })
  return {
    ...(isElsewhere ? { url: change.url } : {}),
    ...(change.events === undefined || isSameSet(change.events, choicesOf(named))
      ? {}
      : { ...storedChoices(change.events), namedAtMs: atMs }),
    ...(later === health ? {} : { health: later }),
    ...(health.disabledAtMs !== null && later.disabledAtMs === null ? { resumedAtMs: atMs } : {})
  }
}

/** What this call did to the webhook before. */
export const callOf = ({ calls = [] }: Subscription, idPrefix: string): WebhookCall | undefined =>
  calls.find(({ call }) => call === idPrefix)

/** The calls with this one. */
export const withCall = ({ calls = [] }: Subscription, made: WebhookCall): ReadonlyArray<WebhookCall> =>
  [...calls.filter(({ atMs }) => atMs > made.atMs - CALL_BOUND_MS), made].slice(-MAX_CALLS)

/** Whether events of this type are sent to it. A disabled endpoint receives none until it is enabled again (see `healthAfter`). */
export const receives = (subscription: Subscription, type: EventType): boolean =>
  subscription.revokedAtMs === null && subscription.health.disabledAtMs === null && names(subscription, type)

/** The keys of its secrets. */
export type Keys = Pick<Subscription, keyof SealedKeys | "previousKeys">

const sealedOf = ({ sealedSigningKey, sealedStandardKey }: SealedKeys): SealedKeys =>
  sealedStandardKey === undefined ? { sealedSigningKey } : { sealedSigningKey, sealedStandardKey }

const stillGood = (previousKeys: ReadonlyArray<PreviousKey>, atMs: Millis) =>
  previousKeys.filter(({ untilMs }) => atMs < untilMs)

/** The keys to sign with at that time, the newest secret's first. */
export const signingKeysAt = (keys: Keys, atMs: Millis): readonly [SealedKeys, ...ReadonlyArray<SealedKeys>] => [
  sealedOf(keys),
  ...stillGood(keys.previousKeys, atMs).map(sealedOf)
]

/** The sealed texts among these keys. */
export const sealedTexts = (keys: ReadonlyArray<SealedKeys>): ReadonlyArray<string> =>
  keys.flatMap(({ sealedSigningKey, sealedStandardKey }) =>
    sealedStandardKey === undefined ? [sealedSigningKey] : [sealedSigningKey, sealedStandardKey]
  )

/** The keys with each sealed text that has a replacement replaced. */
export const resealed = (keys: Keys, replacements: ReadonlyMap<string, string>): Keys => {
  const replaced = (one: SealedKeys): SealedKeys => {
    const { sealedSigningKey, sealedStandardKey: standard } = one
    const next = replacements.get(sealedSigningKey) ?? sealedSigningKey
    return sealedOf({
      sealedSigningKey: next,
      ...(standard === undefined ? {} : { sealedStandardKey: replacements.get(standard) ?? standard })
    })
  }
  return {
    ...replaced(keys),
    previousKeys: keys.previousKeys.map((one) => ({ ...replaced(one), untilMs: one.untilMs }))
  }
}

/** Until when the secret is not rotated again, because as many earlier ones are good as may be; `null` if it may be now. */
export const rotatesAgainAtMs = ({ previousKeys }: Keys, atMs: Millis): Millis | null => {
  const good = stillGood(previousKeys, atMs).map(({ untilMs }) => untilMs)
  return good.length < MAX_PREVIOUS_KEYS ? null : Math.min(...good)
}

/** Adds the keys of a new secret. Earlier ones keep their full overlap, because the response to the last rotation may have been lost. */
export const rotated = (keys: Keys, newKeys: SealedKeys, atMs: Millis): Keys => ({
  ...newKeys,
  previousKeys: [{ ...sealedOf(keys), untilMs: atMs + ROTATION_OVERLAP_MS }, ...stillGood(keys.previousKeys, atMs)]
})
