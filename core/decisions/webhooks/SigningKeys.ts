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
  readonly webhookId: WebhookId
  /** The key in force now. */
  readonly sealedSigningKey: string
  readonly previousValidUntilMs: number
}

/**
 * Refused while all earlier secrets are good that deliveries may be signed with. `askedAtMs`: of a call that takes effect once, however often it
 * runs. A rotation of that time is this one, or was another's.
 */
export const rotateSecret =
  (
    webhookId: WebhookId,
    keys: SealedKeys,
    caller: Caller,
    askedAtMs: Millis | null = null
  ): Decide<Rotation, SecretRotationLimitReached | WebhookNotFound> =>
  (books, context) =>
    Result.gen(function* () {
      const subscription = yield* ownSubscription(books, webhookId, caller)
      const { previousKeys } = subscription
      const { sealedSigningKey } = keys
      // Rotated to this one before.
      if (subscription.sealedSigningKey === sealedSigningKey)
        return unchanged({
          ...{ webhookId, sealedSigningKey },
          previousValidUntilMs: previousKeys[0]?.untilMs ?? context.nowMs
        })
      const atMs = askedAtMs ?? context.nowMs
      const previousValidUntilMs = atMs + ROTATION_OVERLAP_MS
      const rotation = { webhookId, previousValidUntilMs }
      if (askedAtMs !== null && previousKeys.some(({ untilMs }) => untilMs === previousValidUntilMs))
        return unchanged({ ...rotation, sealedSigningKey: subscription.sealedSigningKey })
      const resetsAtMs = rotatesAgainAtMs(subscription, context.nowMs)
      if (resetsAtMs !== null) {
        const retryAfterSeconds = secondsUntil(resetsAtMs, context.nowMs)
        const facts = { limit: MAX_PREVIOUS_KEYS, resetsAtMs, retryAfterSeconds, webhookId }
        return yield* Result.fail(new SecretRotationLimitReached(facts))
      }
      const draft = new Draft(books, context)
      draft.record({ _tag: "SigningKeysChanged", webhookId, ...rotated(subscription, keys, atMs) })
      return draft.decided({ ...rotation, sealedSigningKey })
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
