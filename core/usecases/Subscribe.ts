// Webhook subscriptions of a key. The secret is told once; only the signing key made from it is kept, sealed.
import { Context, Effect, Layer, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { subscribe, unsubscribe } from "#core/decisions/Subscriptions.ts"
import type { Caller } from "#core/domain/ApiKey.ts"
import type { EventType } from "#core/domain/Event.ts"
import type { RevokedApiKey, WebhookLimitReached, WebhookNotFound, WebhookUrlRefused } from "#core/domain/Refusal.ts"
import { signingKey } from "#core/domain/Signature.ts"
import type { Subscription } from "#core/domain/Subscription.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { TargetProbe } from "#core/ports/TargetProbe.ts"
import { Vault } from "#core/ports/Vault.ts"

const SECRET_BYTES = 32

/** A fresh secret, and the key that deliveries are signed with because of it. */
export const makeSecret = Effect.gen(function* () {
  const random = yield* SecureRandom.SecureRandom
  const secret = `whsec_${Base64Url.encode(yield* random.randomBytes(SECRET_BYTES))}`
  return { secret: Redacted.make(secret), signingKey: yield* signingKey(secret) }
})

export interface NewSubscription {
  readonly subscription: Subscription
  readonly secret: Redacted.Redacted<string>
}

export class Subscribe extends Context.Service<
  Subscribe,
  {
    readonly create: (
      caller: Caller,
      wish: { readonly url: string; readonly events: ReadonlyArray<EventType> }
    ) => Effect.Effect<NewSubscription, RevokedApiKey | WebhookUrlRefused | WebhookLimitReached | StoreUnavailable>
    /** Active ones of this key. */
    readonly list: (caller: Pick<Caller, "keyId">) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    readonly revoke: (
      caller: Caller,
      webhookId: string
    ) => Effect.Effect<Subscription, WebhookNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/Subscribe") {
  static readonly layer = Layer.effect(
    Subscribe,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const subscriptions = yield* Subscriptions
      const probe = yield* TargetProbe
      const vault = yield* Vault
      const random = yield* SecureRandom.SecureRandom
      const digest = yield* Digest.Digest

      return Subscribe.of({
        create: Effect.fn("Subscribe.create")(function* (caller, { url, events }) {
          yield* probe.check(url)
          const { secret, signingKey } = yield* makeSecret.pipe(
            Effect.provideService(Digest.Digest, digest),
            Effect.provideService(SecureRandom.SecureRandom, random)
          )
          const sealedSigningKey = yield* vault.seal(signingKey)
          const reads = { _tag: "ForAccount" as const, accountId: caller.accountId }
          const subscription = yield* book.transact(reads, subscribe({ caller, url, events, sealedSigningKey }))
          return { subscription, secret }
        }),
        list: Effect.fn("Subscribe.list")(({ keyId }) => subscriptions.ofKey(keyId)),
        revoke: Effect.fn("Subscribe.revoke")((caller, webhookId) =>
          book.transact({ _tag: "ForSubscription", webhookId }, unsubscribe(webhookId, caller))
        )
      })
    })
  )
}
