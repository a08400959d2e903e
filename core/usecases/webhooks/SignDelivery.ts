// Makes the signed request of a delivery attempt. Unsealed signing keys are cached, because an endpoint uses the same key for every
// delivery.
import { Cache, Clock, Context, Effect, Layer } from "effect"
import { Digest, Mac } from "effect/crypto"
import type { EventId, WebhookId } from "#core/domain/shared/Ids.ts"
import { SigningKey, sign, signingKey } from "#core/domain/webhooks/Signature.ts"
import { StandardKey, secretOf, signStandard } from "#core/domain/webhooks/StandardSignature.ts"
import { type SealedKeys, signingKeysAt } from "#core/domain/webhooks/Subscription.ts"
import type { ClaimedDelivery } from "#core/ports/webhooks/Deliveries.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import type { Dispatch } from "#core/ports/webhooks/WebhookSender.ts"

const CACHED_SECRETS = 1_000

interface SealedSecret extends SealedKeys {
  readonly webhookId: WebhookId
}

/** What one secret signs with. */
interface SecretKeys {
  readonly signing: SigningKey
  /** `null` for a secret that was made before Standard Webhooks were signed for. */
  readonly standard: StandardKey | null
}

const bytes = new TextEncoder()

interface Signed {
  readonly eventId: EventId
  readonly timestampSeconds: number
  readonly body: Uint8Array
}

export class SignDelivery extends Context.Service<
  SignDelivery,
  { readonly signed: (claimed: ClaimedDelivery) => Effect.Effect<Dispatch> }
>()("backlinks/usecases/webhooks/SignDelivery") {
  static readonly layer = Layer.effect(
    SignDelivery,
    Effect.gen(function* () {
      const vault = yield* Vault
      const mac = yield* Mac.Mac
      const digest = yield* Digest.Digest

      const unsealed = Effect.fnUntraced(function* ({ sealedSigningKey, sealedStandardKey, webhookId }: SealedSecret) {
        const signing = SigningKey(yield* vault.unseal(sealedSigningKey, webhookId))
        if (sealedStandardKey === undefined) return { signing, standard: null }
        const standard = StandardKey(yield* vault.unseal(sealedStandardKey, webhookId))
        // An instance of an earlier version rotates the signing key alone, and leaves the other of the secret before.
        const belongs =
          (yield* Effect.provideService(signingKey(secretOf(standard)), Digest.Digest, digest)) === signing
        return { signing, standard: belongs ? standard : null }
      })

      const secrets = yield* Cache.make<SealedSecret, SecretKeys>({
        capacity: CACHED_SECRETS,
        // The webhook is part of the key: a sealed text that was copied to another webhook must not open because its own webhook was here before.
        lookup: unsealed
      })

      const signatures = Effect.fnUntraced(
        function* ([newest, ...older]: readonly [SecretKeys, ...ReadonlyArray<SecretKeys>], request: Signed) {
          const signingKeys = [newest.signing, ...older.map(({ signing }) => signing)] as const
          const signature = { "service-signature": yield* sign({ ...request, signingKeys }) }
          const [first, ...rest] = [newest, ...older].flatMap(({ standard }) => standard ?? [])
          if (first === undefined) return signature
          return { ...signature, "webhook-signature": yield* signStandard({ ...request, keys: [first, ...rest] }) }
        },
        Effect.provideService(Mac.Mac, mac)
      )

      const signed = Effect.fnUntraced(function* ({ delivery, subscription }: ClaimedDelivery) {
        const nowMs = yield* Clock.currentTimeMillis
        const { webhookId } = subscription
        const keysOf = (sealed: SealedKeys) => Cache.get(secrets, { ...sealed, webhookId })
        const [newest, ...older] = signingKeysAt(subscription, nowMs)
        const secretKeys = [yield* keysOf(newest), ...(yield* Effect.forEach(older, keysOf))] as const
        const { event, eventId } = delivery
        const body = bytes.encode(delivery.body)
        const timestampSeconds = Math.floor(nowMs / 1_000)
        const headers = {
          "content-type": "application/json",
          "service-event": event,
          "service-delivery": eventId,
          "service-webhook": webhookId,
          "webhook-id": eventId,
          "webhook-timestamp": String(timestampSeconds),
          ...(yield* signatures(secretKeys, { eventId, timestampSeconds, body }))
        }
        return { url: subscription.url, headers, body }
      })

      return SignDelivery.of({ signed })
    })
  )
}
