// Whether the key that the service was started with opens the signing keys that lie in the store: a wrong one would else show only
// once a webhook is to be sent. What follows from it is not its business.
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { signingKeysAt } from "#core/domain/Subscription.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { Vault } from "#core/ports/Vault.ts"

export class CheckSigningKeys extends Context.Service<
  CheckSigningKeys,
  {
    /** Looks at one active webhook, because one key seals them all: which one it is if it cannot be signed, else `null`. */
    readonly unsignable: () => Effect.Effect<{ readonly webhookId: string } | null, StoreUnavailable>
  }
>()("backlinks/usecases/CheckSigningKeys") {
  static readonly layer = Layer.effect(
    CheckSigningKeys,
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const vault = yield* Vault

      return CheckSigningKeys.of({
        unsignable: Effect.fn("CheckSigningKeys.unsignable")(function* () {
          const found = yield* subscriptions.anyActive
          if (found === null) return null
          // Those before a rotation are signed with as well, and may have been sealed before a change of key.
          const sealed = signingKeysAt(found, yield* Clock.currentTimeMillis)
          const opened = yield* Effect.exit(Effect.forEach(sealed, vault.unseal))
          return Exit.isSuccess(opened) ? null : { webhookId: found.webhookId }
        })
      })
    })
  )
}
