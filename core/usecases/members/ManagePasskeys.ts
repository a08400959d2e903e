// The passkeys of a member: added shortly after a sign-in or with a proof, and removed.
import { Clock, Context, Effect, Layer } from "effect"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import { MAX_PASSKEYS, type Passkey } from "#core/domain/members/Factor.ts"
import {
  FactorLimitReached,
  FactorNotFound,
  type MemberNotFound,
  PasskeyRefused,
  type SignInTooOld
} from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { PasskeyId } from "#core/domain/shared/Ids.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { Passkeys } from "#core/ports/members/Passkeys.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type AddFault, type Confirm, ManageFactors } from "./ManageFactors.ts"
import { VerifyFactor } from "./VerifyFactor.ts"

export class ManagePasskeys extends Context.Service<
  ManagePasskeys,
  {
    /** JSON for the member's browser, whose response adds a passkey in this session. */
    readonly options: (signedIn: SignedIn) => Effect.Effect<string, SignInTooOld | StoreUnavailable>
    readonly add: (
      signedIn: SignedIn,
      passkey: { readonly name: string; readonly response: string },
      confirm: Confirm
    ) => Effect.Effect<Passkey, AddFault | PasskeyRefused>
    readonly remove: (
      signedIn: SignedIn,
      passkeyId: PasskeyId,
      by: Confirmed
    ) => Effect.Effect<void, FactorNotFound | MemberNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/members/ManagePasskeys") {
  static readonly layer = Layer.effect(
    ManagePasskeys,
    Effect.gen(function* () {
      const factors = yield* Factors
      const passkeys = yield* Passkeys
      const verify = yield* VerifyFactor
      const { list, change, requireFresh, add: addFactor } = yield* ManageFactors

      const holderOf = ({ session }: SignedIn): string => `session ${session.sessionId}`

      return ManagePasskeys.of({
        options: Effect.fn("ManagePasskeys.options")(function* (signedIn) {
          yield* requireFresh(signedIn)
          const { member, account } = signedIn
          const { passkeys: existing } = yield* list(signedIn)
          const challenge = yield* verify.newChallenge(holderOf(signedIn), { kind: "add_passkey" })
          return yield* passkeys.registrationOptions({ member, accountName: account.name, challenge, existing })
        }),
        add: Effect.fn("ManagePasskeys.add")(function* (signedIn, { name, response }, confirm) {
          yield* requireFresh(signedIn)
          const { memberId } = signedIn.member
          const challenge = yield* verify.takeChallenge(response, { kind: "add_passkey" }, holderOf(signedIn))
          const made = yield* passkeys.verifyRegistration(response, challenge)
          const createdAtMs = yield* Clock.currentTimeMillis
          const passkey: Passkey = { ...made, memberId, name, createdAtMs, lastUsedAtMs: null }
          const { passkeys: own } = yield* list(signedIn)
          if (own.length >= MAX_PASSKEYS) return yield* new FactorLimitReached({ limit: MAX_PASSKEYS })
          if ((yield* factors.passkey(passkey.passkeyId)) !== null) return yield* new PasskeyRefused()
          const add = Effect.flatMap(factors.addPasskey(passkey), (isAdded) =>
            isAdded ? Effect.void : Effect.fail(new FactorLimitReached({ limit: MAX_PASSKEYS }))
          )
          yield* addFactor(signedIn, "passkey_added", confirm, add)
          return passkey
        }),
        remove: Effect.fn("ManagePasskeys.remove")(function* (signedIn, passkeyId, by) {
          const { passkeys: own } = yield* list(signedIn)
          const isOwn = own.some((passkey) => passkey.passkeyId === passkeyId)
          if (!isOwn) return yield* new FactorNotFound({ factorId: passkeyId })
          yield* change(signedIn, "passkey_removed", by, factors.removePasskey(signedIn.member.memberId, passkeyId))
        })
      })
    })
  )
}
