// Checks at the start whether the configured encryption key opens the stored signing keys. A wrong key would otherwise show only when a
// webhook is sent.
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { signingKeysAt } from "#core/domain/Subscription.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { Vault } from "#core/ports/Vault.ts"

export class CheckSigningKeys extends Context.Service<
  CheckSigningKeys,
  {
    /** Checks any one active webhook: a wrong key opens none. Returns it if its signing keys cannot be opened, else `null`. */
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
          // Deliveries are also signed with previous keys, which may have been sealed before a change of the encryption key.
          const sealed = signingKeysAt(found, yield* Clock.currentTimeMillis)
          const opened = yield* Effect.exit(Effect.forEach(sealed, (one) => vault.unseal(one, found.webhookId)))
          return Exit.isSuccess(opened) ? null : { webhookId: found.webhookId }
        })
      })
    })
  )
}
