// Checks at the start whether the configured encryption key opens the stored signing keys. A wrong key would otherwise show only when a
// webhook is sent.
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { type Totp, totpSeal } from "#core/domain/members/Factor.ts"
import type { MemberId, WebhookId } from "#core/domain/shared/Ids.ts"
import { type Subscription, sealedTexts, signingKeysAt } from "#core/domain/webhooks/Subscription.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"

/** Signing keys of active webhooks, and secrets of authenticator apps, by the encryption key that opens them. */
export interface SigningKeyCounts {
  /** Sealed as they would be sealed now. */
  readonly current: number
  /** They need the previous encryption key, or are sealed in an earlier format. */
  readonly previous: number
  /** Neither encryption key opens them. */
  readonly unopened: number
}

const PAGE = 100

export class CheckSigningKeys extends Context.Service<
  CheckSigningKeys,
  {
    /** Checks any one active webhook: a wrong key opens none. Returns it if its signing keys cannot be opened, else `null`. */
    readonly unsignable: () => Effect.Effect<{ readonly webhookId: WebhookId } | null, StoreUnavailable>
    /** Looks at every active webhook and every app. */
    readonly count: () => Effect.Effect<SigningKeyCounts, StoreUnavailable>
  }
>()("backlinks/usecases/webhooks/CheckSigningKeys") {
  static readonly layer = Layer.effect(
    CheckSigningKeys,
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const factors = yield* Factors
      const vault = yield* Vault

      const kindOf = (sealed: string, owner: string): Effect.Effect<keyof SigningKeyCounts> =>
        vault.isCurrent(sealed)
          ? Effect.succeed("current")
          : Effect.map(Effect.exit(vault.unseal(sealed, owner)), (opened) =>
              Exit.isSuccess(opened) ? "previous" : "unopened"
            )

      return CheckSigningKeys.of({
        count: Effect.fn("CheckSigningKeys.count")(function* () {
          const counts = { current: 0, previous: 0, unopened: 0 }
          for (let after: MemberId | null = null; ; ) {
            const page: ReadonlyArray<Totp> = yield* factors.totpsAfter({ after, limit: PAGE })
            for (const { sealedSecret, memberId } of page) counts[yield* kindOf(sealedSecret, totpSeal(memberId))]++
            if (page.length < PAGE) break
            after = page.at(-1)?.memberId ?? null
          }
          for (let after: WebhookId | null = null; ; ) {
            const page: ReadonlyArray<Subscription> = yield* subscriptions.activeAfter({ after, limit: PAGE })
            const nowMs = yield* Clock.currentTimeMillis
            for (const one of page) {
              for (const sealed of sealedTexts(signingKeysAt(one, nowMs)))
                counts[yield* kindOf(sealed, one.webhookId)]++
            }
            if (page.length < PAGE) return counts
            after = page.at(-1)?.webhookId ?? null
          }
        }),
        unsignable: Effect.fn("CheckSigningKeys.unsignable")(function* () {
          const found = yield* subscriptions.anyActive
          if (found === null) return null
          // Deliveries are also signed with previous keys, which may have been sealed before a change of the encryption key.
          const sealed = sealedTexts(signingKeysAt(found, yield* Clock.currentTimeMillis))
          const opened = yield* Effect.exit(Effect.forEach(sealed, (one) => vault.unseal(one, found.webhookId)))
          return Exit.isSuccess(opened) ? null : { webhookId: found.webhookId }
        })
      })
    })
  )
}
