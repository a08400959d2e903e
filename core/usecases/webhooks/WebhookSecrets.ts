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
  /** Whether the webhook's sealed key is this one; one that does not open is another. */
  readonly isKey: (
    key: SigningKey,
    sealed: Pick<Subscription, "sealedSigningKey" | "webhookId">
  ) => Effect.Effect<boolean>
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
      isKey: (key, { sealedSigningKey, webhookId }) =>
        Effect.map(vault.open(sealedSigningKey, webhookId), (opened) => opened === key)
    }
  })
