// Refusals in the member area: signing in, members, second factors and top-ups.
import { Schema } from "effect"
import type { TopUpAmountInvalid, TopUpNotFound } from "./TopUp.ts"

/** No session, or one that has ended. */
export class NotSignedIn extends Schema.TaggedError<NotSignedIn>()("NotSignedIn", {}) {}

/** Unknown, used or too old: a caller need not tell them apart. */
export class SignInLinkInvalid extends Schema.TaggedError<SignInLinkInvalid>()("SignInLinkInvalid", {}) {}

/** The change needs a fresh passkey assertion or TOTP code of this member. */
export class SecondFactorRequired extends Schema.TaggedError<SecondFactorRequired>()("SecondFactorRequired", {}) {}

/** The assertion or the code does not prove it; `attemptsLeft` is 0 when the sign-in link has ended by it. */
export class SecondFactorWrong extends Schema.TaggedError<SecondFactorWrong>()("SecondFactorWrong", {
  attemptsLeft: Schema.NullOr(Schema.Int)
}) {}

/** Factors are added soon after signing in only: the session is older than `maxAgeMs`. */
export class SignInTooOld extends Schema.TaggedError<SignInTooOld>()("SignInTooOld", { maxAgeMs: Schema.Int }) {}

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {
  sessionId: Schema.String
}) {}

/** A viewer asked for a change that only an owner may make. */
export class OwnerOnly extends Schema.TaggedError<OwnerOnly>()("OwnerOnly", {}) {}

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {
  memberId: Schema.String
}) {}

export class MemberLimitReached extends Schema.TaggedError<MemberLimitReached>()("MemberLimitReached", {
  limit: Schema.Int
}) {}

/** An account always has an owner. */
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", { memberId: Schema.String }) {}

/** An operator closed the account. */
export class AccountClosed extends Schema.TaggedError<AccountClosed>()("AccountClosed", {
  accountId: Schema.String
}) {}

export type MemberRefusal =
  | AccountClosed
  | LastOwner
  | MemberLimitReached
  | MemberNotFound
  | NotSignedIn
  | OwnerOnly
  | SecondFactorRequired
  | SecondFactorWrong
  | SessionNotFound
  | SignInLinkInvalid
  | SignInTooOld
  | TopUpAmountInvalid
  | TopUpNotFound
