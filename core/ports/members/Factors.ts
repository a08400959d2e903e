// Keeps the passkeys and authenticator apps of members. They move no money, so they are kept beside the books, each call atomic by itself.
import { Context, type Effect } from "effect"
import type { Passkey, Totp } from "#core/domain/members/Factor.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { MemberId, PasskeyId } from "#core/domain/shared/Ids.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface KeptFactors {
  /** Oldest first. */
  readonly passkeys: ReadonlyArray<Passkey>
  readonly totps: ReadonlyArray<Totp>
}

export class Factors extends Context.Service<
  Factors,
  {
    readonly ofMembers: (memberIds: ReadonlyArray<MemberId>) => Effect.Effect<KeptFactors, StoreUnavailable>
    readonly passkey: (passkeyId: PasskeyId) => Effect.Effect<Passkey | null, StoreUnavailable>
    /** `false`, and nothing is kept, where the id is kept already or the member has `MAX_PASSKEYS`. */
    readonly addPasskey: (passkey: Passkey) => Effect.Effect<boolean, StoreUnavailable>
    /** `false`, and nothing changes, where the passkey is gone or its counter does not rise, see `counterRises`. */
    readonly usePasskey: (
      passkeyId: PasskeyId,
      counter: number,
      atMs: Millis
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** `false` where this member has no such passkey. */
    readonly removePasskey: (memberId: MemberId, passkeyId: PasskeyId) => Effect.Effect<boolean, StoreUnavailable>
    /** `false`, and nothing is kept, where the member has one. */
    readonly addTotp: (totp: Totp) => Effect.Effect<boolean, StoreUnavailable>
    /** Counts a code before it is looked at; `false`, and nothing is counted, where `mayTryCode` forbids it. */
    readonly countAttempt: (memberId: MemberId, atMs: Millis) => Effect.Effect<boolean, StoreUnavailable>
    /** A right code of this step: of concurrent calls one gets `true`, and later none. Forgets the attempts. */
    readonly useStep: (memberId: MemberId, step: number, atMs: Millis) => Effect.Effect<boolean, StoreUnavailable>
    /** `false` where the member has none. */
    readonly removeTotp: (memberId: MemberId) => Effect.Effect<boolean, StoreUnavailable>
    /** In the order of the members' ids; `after` is the last id of the page before, `null` for the first page. */
    readonly totpsAfter: (page: {
      readonly after: MemberId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Totp>, StoreUnavailable>
    /** Replaces a sealed secret that is still this one. */
    readonly resealTotp: (
      memberId: MemberId,
      sealed: string,
      resealed: string
    ) => Effect.Effect<boolean, StoreUnavailable>
  }
>()("backlinks/ports/members/Factors") {}
