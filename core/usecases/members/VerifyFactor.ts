// Whether a code of an authenticator app, or a browser's use of a passkey, counts: each once, and in bounded numbers.
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import {
  CHALLENGE_BYTES,
  CHALLENGE_MS,
  type ChallengePurpose,
  type Passkey,
  purposeText,
  SIGN_IN_SEAL,
  totpCodeKey,
  totpSeal
} from "#core/domain/members/Factor.ts"
import { PasskeyRefused } from "#core/domain/members/MemberRefusal.ts"
import type { MemberId } from "#core/domain/shared/Ids.ts"
import { Challenges } from "#core/ports/members/Challenges.ts"
import { Factors } from "#core/ports/members/Factors.ts"
import { Passkeys } from "#core/ports/members/Passkeys.ts"
import { TotpCodes } from "#core/ports/members/TotpCodes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Vault } from "#core/ports/webhooks/Vault.ts"

export class VerifyFactor extends Context.Service<
  VerifyFactor,
  {
    /** A new challenge, kept for this holder and purpose. */
    readonly newChallenge: (holder: string, purpose: ChallengePurpose) => Effect.Effect<string, StoreUnavailable>
    /** Takes the challenge that a response claims to answer, if it was made for this purpose and holder. */
    readonly takeChallenge: (
      response: string,
      purpose: ChallengePurpose,
      holder: string
    ) => Effect.Effect<string, PasskeyRefused | StoreUnavailable>
    /** The passkey that answers a challenge of this purpose and holder. Its challenge is spent, whatever comes out. */
    readonly assertion: (
      response: string,
      purpose: ChallengePurpose,
      holder: string
    ) => Effect.Effect<Passkey, PasskeyRefused | StoreUnavailable>
    /** A challenge for anyone who wants to sign in. It is kept nowhere, so that strangers who ask for many push out no one else's. */
    readonly newSignIn: Effect.Effect<string>
    /** The passkey that answers a challenge of `newSignIn`, each of which counts once. */
    readonly signIn: (response: string) => Effect.Effect<Passkey, PasskeyRefused | StoreUnavailable>
    /** Whether this is a code of the member's app that counts now. Wrong ones are counted. */
    readonly code: (memberId: MemberId, typed: string) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("backlinks/usecases/members/VerifyFactor") {
  static readonly layer = Layer.effect(
    VerifyFactor,
    Effect.gen(function* () {
      const factors = yield* Factors
      const challenges = yield* Challenges
      const passkeys = yield* Passkeys
      const totpCodes = yield* TotpCodes
      const vault = yield* Vault
      const random = yield* SecureRandom.SecureRandom

      const takeChallenge = Effect.fnUntraced(function* (response: string, purpose: ChallengePurpose, holder: string) {
        const { challenge } = yield* passkeys.claimOf(response)
        const taken = yield* challenges.take(challenge, yield* Clock.currentTimeMillis)
        if (taken?.purpose !== purposeText(purpose) || taken.holder !== holder) return yield* new PasskeyRefused()
        return challenge
      })

      /** The passkey whose response answers this challenge. */
      const verified = Effect.fnUntraced(function* (response: string, challenge: string) {
        const { passkeyId } = yield* passkeys.claimOf(response)
        const passkey = yield* factors.passkey(passkeyId)
        if (passkey === null) return yield* new PasskeyRefused()
        return { passkey, counter: yield* passkeys.verifyAssertion(response, challenge, passkey) }
      })

      const used = Effect.fnUntraced(function* ({ passkey, counter }: { passkey: Passkey; counter: number }) {
        const isUsed = yield* factors.usePasskey(passkey.passkeyId, counter, yield* Clock.currentTimeMillis)
        return isUsed ? passkey : yield* new PasskeyRefused()
      })

      /** When the sign-in challenge was made; `null` if it was not made here. */
      const madeAt = (challenge: string) =>
        Effect.fromResult(Base64Url.decodeString(challenge)).pipe(
          Effect.flatMap((sealed) => vault.open(sealed, SIGN_IN_SEAL)),
          Effect.map((text) => (text === null ? null : Number(text))),
          Effect.orElseSucceed(() => null)
        )

      return VerifyFactor.of({
        newChallenge: Effect.fn("VerifyFactor.newChallenge")(function* (holder, purpose) {
          const challenge = Base64Url.encode(yield* random.randomBytes(CHALLENGE_BYTES))
          const nowMs = yield* Clock.currentTimeMillis
          const kept = { challenge, holder, purpose: purposeText(purpose), createdAtMs: nowMs }
          yield* challenges.keep({ ...kept, expiresAtMs: nowMs + CHALLENGE_MS })
          return challenge
        }),
        takeChallenge: Effect.fn("VerifyFactor.takeChallenge")(takeChallenge),
        assertion: Effect.fn("VerifyFactor.assertion")(function* (response, purpose, holder) {
          const challenge = yield* takeChallenge(response, purpose, holder)
          return yield* used(yield* verified(response, challenge))
        }),
        newSignIn: Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          Effect.map(vault.seal(String(nowMs), SIGN_IN_SEAL), (sealed) => Base64Url.encode(sealed))
        ),
        signIn: Effect.fn("VerifyFactor.signIn")(function* (response) {
          const { challenge } = yield* passkeys.claimOf(response)
          const createdAtMs = yield* madeAt(challenge)
          const nowMs = yield* Clock.currentTimeMillis
          if (createdAtMs === null || createdAtMs + CHALLENGE_MS <= nowMs) return yield* new PasskeyRefused()
          const answer = yield* verified(response, challenge)
          const times = { createdAtMs, expiresAtMs: createdAtMs + CHALLENGE_MS }
          const purpose = purposeText({ kind: "sign_in" })
          const isFirst = yield* challenges.spend({ challenge, holder: "sign-in", purpose, ...times })
          return isFirst ? yield* used(answer) : yield* new PasskeyRefused()
        }),
        code: Effect.fn("VerifyFactor.code")(function* (memberId, typed) {
          const code = totpCodeKey(typed)
          if (code === null) return false
          const [totp] = (yield* factors.ofMembers([memberId])).totps
          const nowMs = yield* Clock.currentTimeMillis
          // Counted before it is looked at, so that concurrent guesses are bounded too.
          if (totp === undefined || !(yield* factors.countAttempt(memberId, nowMs))) return false
          const secret = yield* vault.unseal(totp.sealedSecret, totpSeal(memberId))
          const step = totpCodes.stepOf(secret, code, nowMs)
          return step !== null && (yield* factors.useStep(memberId, step, nowMs))
        })
      })
    })
  )
}
