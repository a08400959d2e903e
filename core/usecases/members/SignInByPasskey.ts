// Signs people in by a passkey, which the browser finds by itself: no address is asked for, and a second factor is part of it.
import { Context, Effect, Layer } from "effect"
import { PasskeyRefused } from "#core/domain/members/MemberRefusal.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Passkeys } from "#core/ports/members/Passkeys.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { type Client, MemberSessions, type NewSession } from "./MemberSessions.ts"
import { VerifyFactor } from "./VerifyFactor.ts"

export class SignInByPasskey extends Context.Service<
  SignInByPasskey,
  {
    /** JSON for the browser. */
    readonly options: Effect.Effect<string>
    /** `response`: of the browser, as JSON. A removed member and a closed account are refused like a wrong response. */
    readonly use: (response: string, client: Client) => Effect.Effect<NewSession, PasskeyRefused | StoreUnavailable>
  }
>()("backlinks/usecases/members/SignInByPasskey") {
  static readonly layer = Layer.effect(
    SignInByPasskey,
    Effect.gen(function* () {
      const members = yield* Members
      const passkeys = yield* Passkeys
      const sessions = yield* MemberSessions
      const verify = yield* VerifyFactor

      return SignInByPasskey.of({
        options: Effect.flatMap(verify.newSignIn, (challenge) => passkeys.assertionOptions({ challenge, allowed: [] })),
        use: Effect.fn("SignInByPasskey.use")(function* (response, client) {
          const { memberId } = yield* verify.signIn(response)
          const found = yield* members.byId(memberId)
          if (found === null || found.member.removedAtMs !== null || found.account.closedAtMs !== undefined)
            return yield* new PasskeyRefused()
          return yield* sessions.start(found, "passkey", client)
        })
      })
    })
  )
}
