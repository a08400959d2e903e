// What the owner of a webhook does with it: sends a test, looks at what was delivered, sends something again, changes the
// secret. Only the key that made a webhook may.
import { Context, Effect, Layer, type Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { redeliver, rotateSecret, testEndpoint } from "#core/decisions/Deliveries.ts"
import type { Caller } from "#core/domain/ApiKey.ts"
import type { Delivery } from "#core/domain/Delivery.ts"
import { type DeliveryNotFound, WebhookNotFound } from "#core/domain/Refusal.ts"
import { Deliveries, type DeliveryPage } from "#core/ports/Deliveries.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { ServiceContext } from "#core/ports/ServiceContext.ts"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { Vault } from "#core/ports/Vault.ts"
import { makeSecret } from "./Subscribe.ts"

export interface RotatedSecret {
  readonly secret: Redacted.Redacted<string>
  readonly previousValidUntilMs: number
}

type OwnFault = WebhookNotFound | StoreUnavailable

export class ManageWebhooks extends Context.Service<
  ManageWebhooks,
  {
    readonly test: (caller: Caller, webhookId: string) => Effect.Effect<Delivery, OwnFault>
    readonly deliveries: (
      caller: Pick<Caller, "keyId">,
      query: { readonly webhookId: string; readonly limit: number; readonly beforeId: string | null }
    ) => Effect.Effect<DeliveryPage, OwnFault>
    readonly redeliver: (
      caller: Caller,
      webhookId: string,
      deliveryId: string
    ) => Effect.Effect<Delivery, OwnFault | DeliveryNotFound>
    readonly rotateSecret: (caller: Caller, webhookId: string) => Effect.Effect<RotatedSecret, OwnFault>
  }
>()("backlinks/usecases/ManageWebhooks") {
  static readonly layer = Layer.effect(
    ManageWebhooks,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const subscriptions = yield* Subscriptions
      const deliveries = yield* Deliveries
      const vault = yield* Vault
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const { render } = yield* ServiceContext

      const reads = (webhookId: string, deliveryId?: string) => ({
        _tag: "ForSubscription" as const,
        webhookId,
        ...(deliveryId === undefined ? {} : { deliveryId })
      })

      return ManageWebhooks.of({
        test: Effect.fn("ManageWebhooks.test")((caller, webhookId) =>
          book.transact(reads(webhookId), testEndpoint(webhookId, caller, render))
        ),
        deliveries: Effect.fn("ManageWebhooks.deliveries")(function* (caller, query) {
          const own = yield* subscriptions.ofKey(caller.keyId)
          const { webhookId } = query
          if (!own.some((one) => one.webhookId === webhookId)) return yield* new WebhookNotFound({ webhookId })
          return yield* deliveries.ofWebhook(query)
        }),
        redeliver: Effect.fn("ManageWebhooks.redeliver")((caller, webhookId, deliveryId) =>
          book.transact(reads(webhookId, deliveryId), redeliver(webhookId, deliveryId, caller))
        ),
        rotateSecret: Effect.fn("ManageWebhooks.rotateSecret")(function* (caller, webhookId) {
          const { secret, signingKey } = yield* makeSecret.pipe(
            Effect.provideService(Digest.Digest, digest),
            Effect.provideService(SecureRandom.SecureRandom, random)
          )
          const sealed = yield* vault.seal(signingKey)
          const { previousValidUntilMs } = yield* book.transact(
            reads(webhookId),
            rotateSecret(webhookId, sealed, caller)
          )
          return { secret, previousValidUntilMs }
        })
      })
    })
  )
}
