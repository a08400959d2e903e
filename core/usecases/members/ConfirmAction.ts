// Has a member confirm one action with a second factor, where the account has one: a passkey, whose challenge is bound to the action and
// its content, or a code of the authenticator app. Changes that want it take the `Confirmed` that is made here alone.
import { Clock, Context, Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import {
  type Action,
  type Asks,
  actionText,
  asksToConfirm,
  type ConfirmationNeed,
  type Confirmed,
  type Proof
} from "#core/domain/members/Confirmation.ts"
import type { ChallengePurpose } from "#core/domain/members/Factor.ts"
import { FactorNotFound, NotConfirmed } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Passkeys } from "#core/ports/members/Passkeys.ts"
import { Sessions } from "#core/ports/members/Sessions.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ResetCodes } from "./ResetCodes.ts"
import { VerifyFactor } from "./VerifyFactor.ts"

type Confirm = (
  signedIn: SignedIn,
  action: Action,
  proof: Proof
) => Effect.Effect<Confirmed, NotConfirmed | StoreUnavailable>

export class ConfirmAction extends Context.Service<
  ConfirmAction,
  {
    readonly need: (signedIn: SignedIn) => Effect.Effect<ConfirmationNeed, StoreUnavailable>
    /** JSON for the member's browser, whose response confirms this action in this session alone. */
    readonly challenge: (signedIn: SignedIn, action: Action) => Effect.Effect<string, FactorNotFound | StoreUnavailable>
    /** Succeeds without a proof where nothing has to be confirmed. A proof that counted is spent, and confirms the session, too. */
    readonly confirm: Confirm
    /** Confirms the session by a proof for this action, where a change that asks this wants it. */
    readonly confirmSession: (
      asks: Asks,
      ...of: Parameters<Confirm>
    ) => Effect.Effect<void, NotConfirmed | StoreUnavailable>
    /** Confirms a change of the member's own factors: a one-time code counts, too. */
    readonly confirmFactorChange: Confirm
  }
>()("backlinks/usecases/members/ConfirmAction") {
  static readonly layer = Layer.effect(
    ConfirmAction,
    Effect.gen(function* () {
      const members = yield* Members
      const factors = yield* Factors
      const sessions = yield* Sessions
      const passkeys = yield* Passkeys
      const verify = yield* VerifyFactor
      const resetCodes = yield* ResetCodes
      const digest = yield* Digest.Digest

      const hashOf = (text: string) => digest.digestHex(Digest.sha256, new TextEncoder().encode(text))

      const purposeOf = (action: Action): Effect.Effect<ChallengePurpose> =>
        Effect.map(hashOf(actionText(action)), (actionHash) => ({ kind: "confirm", actionHash }))

      const holderOf = ({ session: { sessionId } }: SignedIn): string => `session ${sessionId}`

      const need = Effect.fnUntraced(function* ({ member, account }: SignedIn) {
        const owners = (yield* members.ofAccount(account.accountId)).filter(({ role }) => role === "owner")
        const ids = new Set([member.memberId, ...owners.map(({ memberId }) => memberId)])
        const kept = yield* factors.ofMembers([...ids])
        const isOwn = ({ memberId }: { readonly memberId: MemberId }) => memberId === member.memberId
        return {
          isNeeded: kept.passkeys.length + kept.totps.length > 0,
          passkey: kept.passkeys.some(isOwn),
          totp: kept.totps.some(isOwn)
        }
      })

      /** Whether the assertion is one of this member's for this action. */
      const asserts = Effect.fnUntraced(function* (signedIn: SignedIn, action: Action, assertion: string) {
        const passkey = yield* verify
          .assertion(assertion, yield* purposeOf(action), holderOf(signedIn))
          .pipe(Effect.catchTag("PasskeyRefused", () => Effect.succeed(null)))
        return passkey?.memberId === signedIn.member.memberId
      })

      const codeCounts = Effect.fnUntraced(function* (memberId: MemberId, code: string, acceptsResetCode: boolean) {
        if (acceptsResetCode && (yield* resetCodes.use(memberId, code))) return true
        return yield* verify.code(memberId, code)
      })

      const recordIn = ({ sessionId, confirmedAtMs }: SignedIn["session"]) =>
        confirmedAtMs === null
          ? Effect.flatMap(Clock.currentTimeMillis, (nowMs) => sessions.confirm(sessionId, nowMs))
          : Effect.void

      const confirmWith = (acceptsResetCode: boolean): Confirm =>
        Effect.fnUntraced(function* (signedIn, action, { assertion, code }) {
          const { memberId } = signedIn.member
          // The one place that makes one: the proof has been checked, or there is nothing to check it by.
          const confirmed = { memberId } as Confirmed
          const { isNeeded, passkey, totp } = yield* need(signedIn)
          if (!isNeeded) return confirmed
          const isProven =
            assertion === ""
              ? code !== "" && (yield* codeCounts(memberId, code, acceptsResetCode))
              : yield* asserts(signedIn, action, assertion)
          if (isProven) {
            yield* recordIn(signedIn.session)
            return confirmed
          }
          const hasNone = !passkey && !totp
          const reason = assertion !== "" || code !== "" ? "refused" : hasNone ? "no_factor" : "missing"
          return yield* new NotConfirmed({ reason })
        })

      return ConfirmAction.of({
        need: Effect.fn("ConfirmAction.need")(need),
        challenge: Effect.fn("ConfirmAction.challenge")(function* (signedIn, action) {
          const { passkeys: allowed } = yield* factors.ofMembers([signedIn.member.memberId])
          if (allowed.length === 0) return yield* new FactorNotFound({ factorId: "passkey" })
          const challenge = yield* verify.newChallenge(holderOf(signedIn), yield* purposeOf(action))
          return yield* passkeys.assertionOptions({ challenge, allowed })
        }),
        confirm: Effect.fn("ConfirmAction.confirm")(confirmWith(false)),
        confirmSession: Effect.fn("ConfirmAction.confirmSession")(function* (asks, signedIn, action, proof) {
          if (asksToConfirm(asks, signedIn.session)) yield* confirmWith(false)(signedIn, action, proof)
        }),
        confirmFactorChange: Effect.fn("ConfirmAction.confirmFactorChange")(confirmWith(true))
      })
    })
  )
}
