// Leads a secret that was just made, such as the text of a key, to the one page that shows it: sealed, for the session that made it, once.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { SHOWN_ID_BYTES, SHOWN_ONCE_MS, shownSeal } from "#core/domain/members/Factor.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { Challenges } from "#core/ports/members/Challenges.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"

export class ShowOnce extends Context.Service<
  ShowOnce,
  {
    /** Keeps a secret for ten minutes. The id that it returns is no secret. */
    readonly keep: (signedIn: SignedIn, secret: Redacted.Redacted<string>) => Effect.Effect<string, StoreUnavailable>
    /** The secret of this id, which is gone from then on; `null` if it was shown, is of another session, or is too old. */
    readonly take: (
      signedIn: SignedIn,
      shownId: string
    ) => Effect.Effect<Redacted.Redacted<string> | null, StoreUnavailable>
  }
>()("backlinks/usecases/members/ShowOnce") {
  static readonly layer = Layer.effect(
    ShowOnce,
    Effect.gen(function* () {
      const challenges = yield* Challenges
      const vault = yield* Vault
      const random = yield* SecureRandom.SecureRandom

      const holderOf = ({ session: { sessionId } }: SignedIn): string => `session ${sessionId}`

      return ShowOnce.of({
        keep: Effect.fn("ShowOnce.keep")(function* (signedIn, secret) {
          const shownId = Base64Url.encode(yield* random.randomBytes(SHOWN_ID_BYTES))
          const holder = holderOf(signedIn)
          const createdAtMs = yield* Clock.currentTimeMillis
          const sealed = yield* vault.seal(Redacted.value(secret), shownSeal({ shownId, holder }))
          yield* challenges.keepShown({
            shownId,
            holder,
            sealed,
            createdAtMs,
            expiresAtMs: createdAtMs + SHOWN_ONCE_MS
          })
          return shownId
        }),
        take: Effect.fn("ShowOnce.take")(function* (signedIn, shownId) {
          const of = { shownId, holder: holderOf(signedIn) }
          const taken = yield* challenges.takeShown(of, yield* Clock.currentTimeMillis)
          return taken === null ? null : Redacted.make(yield* vault.unseal(taken.sealed, shownSeal(of)))
        })
      })
    })
  )
}
