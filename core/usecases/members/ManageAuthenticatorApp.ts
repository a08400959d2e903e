// The authenticator app of a member: shown with its secret, added shortly after a sign-in or with a proof, and removed.
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import { TOTP_SECRET_BYTES, totpCodeKey, totpSeal } from "#core/domain/members/Factor.ts"
import {
  CodeRefused,
  FactorLimitReached,
  FactorNotFound,
  type MemberNotFound,
  type SignInTooOld
} from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { TotpCodes } from "#core/ports/members/TotpCodes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"
import { type AddFault, type Confirm, ManageFactors } from "./ManageFactors.ts"

/** A secret that is not kept yet: the form that shows it brings `sealed` back, which opens for this member alone. */
export interface NewTotp {
  /** Base32. */
  readonly secret: string
  readonly uri: string
  readonly sealed: string
}

export class ManageAuthenticatorApp extends Context.Service<
  ManageAuthenticatorApp,
  {
    readonly create: (
      signedIn: SignedIn
    ) => Effect.Effect<NewTotp, FactorLimitReached | SignInTooOld | StoreUnavailable>
    /** What a form brought back shows again; `CodeRefused` for a text that was not sealed for this member. */
    readonly open: (signedIn: SignedIn, sealed: string) => Effect.Effect<NewTotp, CodeRefused>
    /** `code`: of the new app, to show that it has the secret. It counts for nothing else. */
    readonly add: (
      signedIn: SignedIn,
      totp: { readonly sealed: string; readonly code: string },
      confirm: Confirm
    ) => Effect.Effect<void, AddFault | CodeRefused>
    readonly remove: (
      signedIn: SignedIn,
      by: Confirmed
    ) => Effect.Effect<void, FactorNotFound | MemberNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/members/ManageAuthenticatorApp") {
  static readonly layer = Layer.effect(
    ManageAuthenticatorApp,
    Effect.gen(function* () {
      const factors = yield* Factors
      const totpCodes = yield* TotpCodes
      const vault = yield* Vault
      const random = yield* SecureRandom.SecureRandom
      const { list, change, requireFresh, add: addFactor } = yield* ManageFactors

      const requireNone = Effect.fnUntraced(function* (signedIn: SignedIn) {
        if ((yield* list(signedIn)).totp !== null) return yield* new FactorLimitReached({ limit: 1 })
      })

      const described = (secret: string, sealed: string, { member }: SignedIn): NewTotp => ({
        secret,
        sealed,
        uri: totpCodes.uri(secret, member.email)
      })

      const open = (signedIn: SignedIn, sealed: string) =>
        vault.unseal(sealed, totpSeal(signedIn.member.memberId)).pipe(
          // A form can bring back any text; the vault takes it for a mistake of the configuration.
          Effect.catchDefect(() => Effect.fail(new CodeRefused({}))),
          Effect.map((secret) => described(secret, sealed, signedIn))
        )

      return ManageAuthenticatorApp.of({
        create: Effect.fn("ManageAuthenticatorApp.create")(function* (signedIn) {
          yield* requireFresh(signedIn)
          yield* requireNone(signedIn)
          const secret = totpCodes.secretOf(yield* random.randomBytes(TOTP_SECRET_BYTES))
          return described(secret, yield* vault.seal(secret, totpSeal(signedIn.member.memberId)), signedIn)
        }),
        open: Effect.fn("ManageAuthenticatorApp.open")(open),
        add: Effect.fn("ManageAuthenticatorApp.add")(function* (signedIn, { sealed, code }, confirm) {
          yield* requireFresh(signedIn)
          const { memberId } = signedIn.member
          const { secret } = yield* open(signedIn, sealed)
          const nowMs = yield* Clock.currentTimeMillis
          const lastStep = totpCodes.stepOf(secret, totpCodeKey(code) ?? "", nowMs)
          if (lastStep === null) return yield* new CodeRefused({})
          yield* requireNone(signedIn)
          const totp = { memberId, sealedSecret: sealed, createdAtMs: nowMs, lastStep, lastUsedAtMs: null }
          const add = Effect.flatMap(factors.addTotp(totp), (isAdded) =>
            isAdded ? Effect.void : Effect.fail(new FactorLimitReached({ limit: 1 }))
          )
          yield* addFactor(signedIn, "totp_added", confirm, add)
        }),
        remove: Effect.fn("ManageAuthenticatorApp.remove")(function* (signedIn, by) {
          if ((yield* list(signedIn)).totp === null) return yield* new FactorNotFound({ factorId: "totp" })
          yield* change(signedIn, "totp_removed", by, factors.removeTotp(signedIn.member.memberId))
        })
      })
    })
  )
}
