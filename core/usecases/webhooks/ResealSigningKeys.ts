// Seals webhook signing keys, and the secrets of authenticator apps, again that were sealed under the previous encryption key or in an
// earlier format. Any instance may do so at any time, and start again after a crash: each webhook and each app is checked again in a
// separate transaction.
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { resealSigningKeys } from "#core/decisions/webhooks/SigningKeys.ts"
import { type Totp, totpSeal } from "#core/domain/members/Factor.ts"
import type { MemberId, WebhookId } from "#core/domain/shared/Ids.ts"
import { type Subscription, sealedTexts, signingKeysAt } from "#core/domain/webhooks/Subscription.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"

const BATCH = 100

export interface Resealed {
  /** Webhooks and apps whose secrets this pass sealed again. */
  readonly resealed: number
  /** Webhooks and apps with a secret that neither encryption key opens. */
  readonly unopened: number
}

export class ResealSigningKeys extends Context.Service<
  ResealSigningKeys,
  {
    /** One pass over all active webhooks and all apps. After one without `unopened`, the previous encryption key opens nothing that is still used. */
    readonly pass: () => Effect.Effect<Resealed, StoreUnavailable>
  }
>()("backlinks/usecases/webhooks/ResealSigningKeys") {
  static readonly layer = Layer.effect(
    ResealSigningKeys,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const subscriptions = yield* Subscriptions
      const factors = yield* Factors
      const vault = yield* Vault

      const resealOne = Effect.fnUntraced(function* (one: Subscription) {
        const { webhookId } = one
        const sealedNow = sealedTexts(signingKeysAt(one, yield* Clock.currentTimeMillis))
        const stale = sealedNow.filter((sealed) => !vault.isCurrent(sealed))
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

      const resealTotp = Effect.fnUntraced(function* ({ memberId, sealedSecret }: Totp) {
        if (vault.isCurrent(sealedSecret)) return { isResealed: false, isUnopened: false }
        const opened = yield* Effect.exit(vault.unseal(sealedSecret, totpSeal(memberId)))
        if (!Exit.isSuccess(opened)) return { isResealed: false, isUnopened: true }
        const resealed = yield* vault.seal(opened.value, totpSeal(memberId))
        return { isResealed: yield* factors.resealTotp(memberId, sealedSecret, resealed), isUnopened: false }
      })

      const total = (
        counts: ReadonlyArray<{ readonly isResealed: boolean; readonly isUnopened: boolean }>
      ): Resealed => ({
        resealed: counts.filter(({ isResealed }) => isResealed).length,
        unopened: counts.filter(({ isUnopened }) => isUnopened).length
      })

      const passPages = Effect.fnUntraced(function* <A, Id extends string>(
        page: (after: Id | null) => Effect.Effect<ReadonlyArray<A>, StoreUnavailable>,
        idOf: (one: A) => Id,
        reseal: (
          one: A
        ) => Effect.Effect<{ readonly isResealed: boolean; readonly isUnopened: boolean }, StoreUnavailable>
      ) {
        let [resealed, unopened] = [0, 0]
        for (let after: Id | null = null; ; ) {
          const found: ReadonlyArray<A> = yield* page(after)
          const counts = total(yield* Effect.forEach(found, reseal))
          resealed += counts.resealed
          unopened += counts.unopened
          const last = found.at(-1)
          if (found.length < BATCH || last === undefined) return { resealed, unopened }
          after = idOf(last)
        }
      })

      return ResealSigningKeys.of({
        pass: Effect.fn("ResealSigningKeys.pass")(function* () {
          const webhooks = yield* passPages(
            (after: WebhookId | null) => subscriptions.activeAfter({ after, limit: BATCH }),
            ({ webhookId }) => webhookId,
            resealOne
          )
          const apps = yield* passPages(
            (after: MemberId | null) => factors.totpsAfter({ after, limit: BATCH }),
            ({ memberId }) => memberId,
            resealTotp
          )
          return { resealed: webhooks.resealed + apps.resealed, unopened: webhooks.unopened + apps.unopened }
        })
      })
    })
  )
}
