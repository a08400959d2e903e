// Rotates the secret of a webhook, and seals the keys made of it again.
import { Result } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import { type Millis, secondsUntil } from "#core/domain/shared/DecisionContext.ts"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import {
  MAX_PREVIOUS_KEYS,
  ROTATION_OVERLAP_MS,
  resealed,
  rotated,
  rotatesAgainAtMs,
  type SealedKeys,
  sealedTexts
} from "#core/domain/webhooks/Subscription.ts"
import { SecretRotationLimitReached, type WebhookNotFound } from "#core/domain/webhooks/WebhookRefusal.ts"
import { find } from "../Books.ts"
import { type Decide, Draft, unchanged } from "../Draft.ts"
import { ownSubscription } from "./Deliveries.ts"

export interface Rotation {
  readonly previousValidUntilMs: Millis
}

type Rotate<A> = Decide<A, SecretRotationLimitReached | WebhookNotFound>

/** Refused while all earlier secrets are good that deliveries may be signed with. */
export const rotateSecret =
  (webhookId: WebhookId, keys: SealedKeys, caller: Caller): Rotate<Rotation> =>
  (books, context) =>
    Result.gen(function* () {
      const subscription = yield* ownSubscription(books, webhookId, caller)
      const { nowMs } = context
      const resetsAtMs = rotatesAgainAtMs(subscription, nowMs)
      if (resetsAtMs !== null) {
        const retryAfterSeconds = secondsUntil(resetsAtMs, nowMs)
        const facts = { limit: MAX_PREVIOUS_KEYS, resetsAtMs, retryAfterSeconds, webhookId }
        return yield* Result.fail(new SecretRotationLimitReached(facts))
      }
      const draft = new Draft(books, context)
      draft.record({ _tag: "SigningKeysChanged", webhookId, ...rotated(subscription, keys, nowMs) })
      return draft.decided({ previousValidUntilMs: nowMs + ROTATION_OVERLAP_MS })
    })

/**
 * A webhook's present key, sealed, as it was read before. `place`: where the key that is to take its place stood then, `0` for the present one,
 * and `n` for the `n`th of the previous ones; `-1` if it was not there.
 */
export interface SeenKey {
  readonly sealedSigningKey: string
  readonly place: number
}

/**
 * Rotates once to a key that several may rotate to at the same time. Two texts that are sealed do not tell whether they hold one key, so that
 * a caller opens those that are there first. A key that was there already changes nothing, also if another one has followed it. The reply is
 * `null`, and nothing changes, if another text has taken the place of the present one meanwhile.
 */
export const rotateSeenSecret =
  (webhookId: WebhookId, seen: SeenKey, keys: SealedKeys, caller: Caller): Rotate<Rotation | null> =>
  (books, context) =>
    Result.gen(function* () {
      const { sealedSigningKey, previousKeys } = yield* ownSubscription(books, webhookId, caller)
      if (sealedSigningKey !== seen.sealedSigningKey) return unchanged(null)
      // It followed the key that stands after it.
      if (seen.place >= 0)
        return unchanged({ previousValidUntilMs: previousKeys[seen.place]?.untilMs ?? context.nowMs })
      return yield* rotateSecret(webhookId, keys, caller)(books, context)
    })

/**
 * Replaces sealed texts of a webhook's signing keys by others with the same content; returns whether there were any. Keys that were
 * rotated, dropped or sealed again meanwhile stay as they are.
 */
export const resealSigningKeys =
  (webhookId: WebhookId, replacements: ReadonlyMap<string, string>): Decide<boolean, never> =>
  (books, context) => {
    const subscription = find(books.subscriptions, webhookId)
    if (subscription === undefined || subscription.revokedAtMs !== null) return Result.succeed(unchanged(false))
    const present = sealedTexts([subscription, ...subscription.previousKeys])
    if (!present.some((sealed) => replacements.has(sealed))) return Result.succeed(unchanged(false))
    const draft = new Draft(books, context)
    draft.record({ _tag: "SigningKeysChanged", webhookId, ...resealed(subscription, replacements) })
    return Result.succeed(draft.decided(true))
  }
