// Makes the secrets of webhooks, each with the keys that are stored for it, and recognises a stored key.
import { Effect, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import { type SigningKey, signingKey } from "#core/domain/webhooks/Signature.ts"
import { secretOf, standardKey } from "#core/domain/webhooks/StandardSignature.ts"
import type { SealedKeys, Subscription } from "#core/domain/webhooks/Subscription.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"

const SECRET_BYTES = 32

export interface MadeSecret {
  readonly secret: Redacted.Redacted<string>
  readonly key: SigningKey
  readonly keys: SealedKeys
}

export interface WebhookSecrets {
  /** `entropy`: random bytes that the secret is made of; the same give the same secret. */
  readonly make: (webhookId: WebhookId, entropy?: Uint8Array) => Effect.Effect<MadeSecret>
  /** Where this key stands among the webhook's sealed ones, the present one first; `-1` if it is not there. One that does not open is another. */
  readonly placeOf: (
    key: SigningKey,
    sealed: Pick<Subscription, "previousKeys" | "sealedSigningKey" | "webhookId">
  ) => Effect.Effect<number>
}

export const webhookSecrets: Effect.Effect<WebhookSecrets, never, Vault | Digest.Digest | SecureRandom.SecureRandom> =
  Effect.gen(function* () {
    const vault = yield* Vault
    const digest = yield* Digest.Digest
    const random = yield* SecureRandom.SecureRandom

    return {
      make: Effect.fnUntraced(function* (webhookId, entropy) {
        const standard = standardKey(entropy?.slice(0, SECRET_BYTES) ?? (yield* random.randomBytes(SECRET_BYTES)))
        const secret = secretOf(standard)
        const key = yield* Effect.provideService(signingKey(secret), Digest.Digest, digest)
        const sealedSigningKey = yield* vault.seal(key, webhookId)
        const sealedStandardKey = yield* vault.seal(standard, webhookId)
        return { key, secret: Redacted.make(secret), keys: { sealedSigningKey, sealedStandardKey } }
      }),
      placeOf: (key, { webhookId, ...present }) =>
        Effect.map(
          Effect.forEach([present, ...present.previousKeys], (one) => vault.open(one.sealedSigningKey, webhookId)),
          (opened) => opened.indexOf(key)
        )
    }
  })
