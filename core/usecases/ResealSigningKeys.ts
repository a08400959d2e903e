// Seals webhook signing keys again that were sealed under the previous encryption key or in an earlier format. Any instance may do so
// at any time, and start again after a crash: each webhook is a transaction of its own, which checks it again.
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { resealSigningKeys } from "#core/decisions/Deliveries.ts"
import { type Subscription, signingKeysAt } from "#core/domain/Subscription.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { Vault } from "#core/ports/Vault.ts"

const BATCH = 100

export interface Resealed {
  /** Webhooks whose keys this pass sealed again. */
  readonly resealed: number
  /** Webhooks with a signing key that neither encryption key opens. */
  readonly unopened: number
}

export class ResealSigningKeys extends Context.Service<
  ResealSigningKeys,
  {
    /** One pass over all active webhooks. After one without `unopened`, the previous encryption key opens nothing that is still used. */
    readonly pass: () => Effect.Effect<Resealed, StoreUnavailable>
  }
>()("backlinks/usecases/ResealSigningKeys") {
  static readonly layer = Layer.effect(
    ResealSigningKeys,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const subscriptions = yield* Subscriptions
      const vault = yield* Vault

      const resealOne = Effect.fnUntraced(function* (one: Subscription) {
        const { webhookId } = one
        const stale = signingKeysAt(one, yield* Clock.currentTimeMillis).filter((sealed) => !vault.isCurrent(sealed))
        const replacements = new Map<string, string>()
        for (const sealed of stale) {
          const opened = yield* Effect.exit(vault.unseal(sealed, webhookId))
          if (Exit.isSuccess(opened)) replacements.set(sealed, yield* vault.seal(opened.value, webhookId))
        }
        const isUnopened = replacements.size < stale.length
        if (replacements.size === 0) return { isResealed: false, isUnopened }
        const reads = { _tag: "ForSubscription" as const, webhookId }
        return { isResealed: yield* book.transact(reads, resealSigningKeys(webhookId, replacements)), isUnopened }
      })

      return ResealSigningKeys.of({
        pass: Effect.fn("ResealSigningKeys.pass")(function* () {
          let [resealed, unopened] = [0, 0]
          for (let after: string | null = null; ; ) {
            const page: ReadonlyArray<Subscription> = yield* subscriptions.activeAfter({ after, limit: BATCH })
            for (const { isResealed, isUnopened } of yield* Effect.forEach(page, resealOne)) {
              if (isResealed) resealed++
              if (isUnopened) unopened++
            }
            if (page.length < BATCH) return { resealed, unopened }
            after = page.at(-1)?.webhookId ?? null
          }
        })
      })
    })
  )
}
