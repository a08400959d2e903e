// Refusals in the member area: accounts, members, signing in and second factors.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, InvitationId, MemberId, SessionId } from "../shared/Ids.ts"
import { InvitationEnd } from "./Invitation.ts"

export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  accountId: AccountId
}) {}

/** The account `accountId` has the address. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", {
  email: Schema.String,
  accountId: AccountId
}) {}

/** An owner or an operator closed the account. */
export class AccountClosed extends Schema.TaggedError<AccountClosed>()("AccountClosed", {
  accountId: AccountId
}) {}

/** Its owner cannot close the account: a quote is open, or links of an order are neither online nor cancelled. */
export class AccountInUse extends Schema.TaggedError<AccountInUse>()("AccountInUse", {
  accountId: AccountId
}) {}

/** No session, or one that has ended. */
export class NotSignedIn extends Schema.TaggedError<NotSignedIn>()("NotSignedIn", {}) {}

/** Unknown, used or too old: a caller need not tell them apart. */
export class SignInLinkInvalid extends Schema.TaggedError<SignInLinkInvalid>()("SignInLinkInvalid", {}) {}

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", {
  sessionId: SessionId
}) {}

/** A viewer asked for a change that only an owner may make. */
export class OwnerOnly extends Schema.TaggedError<OwnerOnly>()("OwnerOnly", {}) {}

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", {
  memberId: MemberId
}) {}

/** Members and open invitations count together. */
export class MemberLimitReached extends Schema.TaggedError<MemberLimitReached>()("MemberLimitReached", {
  limit: Schema.Int
}) {}

/** The account invited this address already, and the invitation is open. */
export class AlreadyInvited extends Schema.TaggedError<AlreadyInvited>()("AlreadyInvited", {
  email: Schema.String,
  invitationId: InvitationId
}) {}

/** The account has made the invitations that it may make in a day; `resetsAtMs` is the end of that day. */
export class InvitationLimitReached extends Schema.TaggedError<InvitationLimitReached>()("InvitationLimitReached", {
  limit: Schema.Int,
  resetsAtMs: Millis,
  retryAfterSeconds: Schema.Int
}) {}

/** The account has no open invitation of this id. */
export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()("InvitationNotFound", {
  invitationId: InvitationId
}) {}

/** Told only to a person who holds the invitation's link, or whose address it is for. */
export class InvitationEnded extends Schema.TaggedError<InvitationEnded>()("InvitationEnded", {
  reason: InvitationEnd
}) {}

/** An account always has an owner. */
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", { memberId: MemberId }) {}

/** The account is a reviewer's: it has no live credential, no top-up and no other member. */
export class SandboxAccount extends Schema.TaggedError<SandboxAccount>()("SandboxAccount", {
  accountId: AccountId
}) {}

/** Another reviewer, who is not ended, signs in with this name. */
export class ReviewerNameTaken extends Schema.TaggedError<ReviewerNameTaken>()("ReviewerNameTaken", {
  name: Schema.String
}) {}

export class ReviewerNotFound extends Schema.TaggedError<ReviewerNotFound>()("ReviewerNotFound", {
  name: Schema.String
}) {}

/** No such name, another password, one that has expired, or too many attempts: a caller need not tell them apart. */
export class PasswordRefused extends Schema.TaggedError<PasswordRefused>()("PasswordRefused", {}) {}

/** The action wants a fresh proof by a second factor. `no_factor`: the account has one, and this member has none. */
export class NotConfirmed extends Schema.TaggedError<NotConfirmed>()("NotConfirmed", {
  reason: Schema.Literals(["missing", "refused", "no_factor"])
}) {}

/** Factors are added shortly after a sign-in. */
export class SignInTooOld extends Schema.TaggedError<SignInTooOld>()("SignInTooOld", { minutes: Schema.Int }) {}

/** An answer to no challenge of this service, to another one, to one that was answered, or too late. */
export class PasskeyRefused extends Schema.TaggedError<PasskeyRefused>()("PasskeyRefused", {}) {}

/**
 * A code that is wrong, was used or has passed, or one too many: a caller need not tell them apart. `left`: how many more codes may be tried,
 * where they are counted.
 */
export class CodeRefused extends Schema.TaggedError<CodeRefused>()("CodeRefused", {
  left: Schema.optionalKey(Schema.Int)
}) {}

export class FactorNotFound extends Schema.TaggedError<FactorNotFound>()("FactorNotFound", {
  factorId: Schema.String
}) {}

export class FactorLimitReached extends Schema.TaggedError<FactorLimitReached>()("FactorLimitReached", {
  limit: Schema.Int
}) {}

export type MemberRefusal =
  | AccountClosed
  | AccountInUse
  | AccountNotFound
  | AlreadyInvited
  | CodeRefused
  | EmailTaken
  | FactorLimitReached
  | FactorNotFound
  | InvitationEnded
  | InvitationLimitReached
  | InvitationNotFound
  | LastOwner
  | MemberLimitReached
  | MemberNotFound
  | NotConfirmed
  | NotSignedIn
  | OwnerOnly
  | PasskeyRefused
  | PasswordRefused
  | ReviewerNameTaken
  | ReviewerNotFound
  | SandboxAccount
  | SessionNotFound
  | SignInLinkInvalid
  | SignInTooOld
