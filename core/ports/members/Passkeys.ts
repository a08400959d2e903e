// The ceremonies of passkeys (WebAuthn): what a browser is asked, and whether its response counts. User verification is required.
import { Context, type Effect } from "effect"
import type { Passkey } from "#core/domain/members/Factor.ts"
import type { Member } from "#core/domain/members/Member.ts"
import type { PasskeyRefused } from "#core/domain/members/MemberRefusal.ts"
import type { PasskeyId } from "#core/domain/shared/Ids.ts"

export type NewPasskey = Pick<Passkey, "counter" | "passkeyId" | "publicKey" | "transports">

export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** JSON for a browser that makes a passkey of this member. `existing` are those that it must not make again. */
    readonly registrationOptions: (request: {
      readonly member: Member
      readonly accountName: string
      readonly challenge: string
      readonly existing: ReadonlyArray<Passkey>
    }) => Effect.Effect<string>
    /** JSON for a browser that uses one of these passkeys; of those it knows itself if none are named. */
    readonly assertionOptions: (request: {
      readonly challenge: string
      readonly allowed: ReadonlyArray<Passkey>
    }) => Effect.Effect<string>
    /** What a browser's response claims to answer, and with which passkey; nothing of it is verified. */
    readonly claimOf: (
      response: string
    ) => Effect.Effect<{ readonly challenge: string; readonly passkeyId: PasskeyId }, PasskeyRefused>
    /** Fails unless the response answers this challenge, on a page of this service. */
    readonly verifyRegistration: (response: string, challenge: string) => Effect.Effect<NewPasskey, PasskeyRefused>
    /** Fails unless this passkey answers this challenge, on a page of this service; the authenticator's counter after it. */
    readonly verifyAssertion: (
      response: string,
      challenge: string,
      passkey: Passkey
    ) => Effect.Effect<number, PasskeyRefused>
  }
>()("backlinks/ports/members/Passkeys") {}
