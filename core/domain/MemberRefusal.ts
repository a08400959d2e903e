// Refusals in the member area: signing in, members and top-ups.
import { Schema } from "effect"
import type { TopUpAmountInvalid, TopUpNotFound } from "./TopUp.ts"

/** No session, or one that has ended. */
export class NotSignedIn extends Schema.TaggedError<NotSignedIn>()("NotSignedIn", {}) {}

/** Unknown, used or too old: a caller need not tell them apart. */
export class SignInLinkInvalid extends Schema.TaggedError<SignInLinkInvalid>()("SignInLinkInvalid", {}) {}

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
  | SessionNotFound
  | SignInLinkInvalid
  | TopUpAmountInvalid
  | TopUpNotFound
