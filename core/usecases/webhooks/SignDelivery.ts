// Makes the signed request of a delivery attempt. Unsealed signing keys are cached, because an endpoint uses the same key for every
// delivery.
import { Cache, Clock, Context, Effect, Layer } from "effect"
import { Mac } from "effect/crypto"
import type { WebhookId } from "#core/domain/shared/Ids.ts"
import { SigningKey, sign } from "#core/domain/webhooks/Signature.ts"
import { signingKeysAt } from "#core/domain/webhooks/Subscription.ts"
import type { ClaimedDelivery } from "#core/ports/webhooks/Deliveries.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import type { Dispatch } from "#core/ports/webhooks/WebhookSender.ts"

const CACHED_KEYS = 1_000

interface SealedKey {
  readonly sealed: string
  readonly webhookId: WebhookId
}

const bytes = new TextEncoder()

export class SignDelivery extends Context.Service<
  SignDelivery,
  { readonly signed: (claimed: ClaimedDelivery) => Effect.Effect<Dispatch> }
>()("backlinks/usecases/webhooks/SignDelivery") {
  static readonly layer = Layer.effect(
    SignDelivery,
    Effect.gen(function* () {
      const vault = yield* Vault
      const mac = yield* Mac.Mac
      const keys = yield* Cache.make({
        capacity: CACHED_KEYS,
        // Both are the key of the cache: a sealed text that was copied to another webhook must not open because its own webhook was here before.
        lookup: ({ sealed, webhookId }: SealedKey) => Effect.map(vault.unseal(sealed, webhookId), SigningKey)
      })

      const signed = Effect.fnUntraced(function* ({ delivery, subscription }: ClaimedDelivery) {
        const nowMs = yield* Clock.currentTimeMillis
        const { webhookId } = subscription
        const keyOf = (sealed: string) => Cache.get(keys, { sealed, webhookId })
        const [newest, ...older] = signingKeysAt(subscription, nowMs)
        const signingKeys = [yield* keyOf(newest), ...(yield* Effect.forEach(older, keyOf))] as const
        const body = bytes.encode(delivery.body)
        const timestampSeconds = Math.floor(nowMs / 1_000)
        const signature = yield* sign({ signingKeys, timestampSeconds, body }).pipe(Effect.provideService(Mac.Mac, mac))
        const headers = {
          "content-type": "application/json",
          "service-event": delivery.event,
          "service-delivery": delivery.eventId,
          "service-signature": signature
        }
        return { url: subscription.url, headers, body }
      })

      return SignDelivery.of({ signed })
    })
  )
}
