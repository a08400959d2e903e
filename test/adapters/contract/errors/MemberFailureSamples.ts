// A hostile sample of each refusal in the member area, sheets of links included.
import { InvitationEnd } from "#core/domain/members/Invitation.ts"
import * as MemberRefusal from "#core/domain/members/MemberRefusal.ts"
import { CreditTooLow } from "#core/domain/pricing/PriceRefusal.ts"
import * as SheetRefusal from "#core/domain/pricing/SheetRefusal.ts"
import { AccountId, InvitationId, MemberId, SessionId, SheetId } from "#core/domain/shared/Ids.ts"

/** `long` stands in for whatever a client sent. */
export const memberSamples = (long: string) => ({
  AccountClosed: [new MemberRefusal.AccountClosed({ accountId: AccountId.make(long) })],
  AccountInUse: [new MemberRefusal.AccountInUse({ accountId: AccountId.make(long) })],
  AlreadyInvited: [new MemberRefusal.AlreadyInvited({ email: long, invitationId: InvitationId.make(long) })],
  InvitationEnded: InvitationEnd.literals.map((reason) => new MemberRefusal.InvitationEnded({ reason })),
  InvitationLimitReached: [
    new MemberRefusal.InvitationLimitReached({ limit: 5, resetsAtMs: 1_800_000_000_000, retryAfterSeconds: 60 })
  ],
  InvitationNotFound: [new MemberRefusal.InvitationNotFound({ invitationId: InvitationId.make(long) })],
  CreditTooLow: [new CreditTooLow({ totalCents: 1_999, availableCents: 1_000 })],
  SheetChanged: [new SheetRefusal.SheetChanged({ sheetId: SheetId.make(long) })],
  SheetLimitReached: [new SheetRefusal.SheetLimitReached({ limit: 20 })],
  SheetNotFound: [new SheetRefusal.SheetNotFound({ sheetId: SheetId.make(long) })],
  CodeRefused: [new MemberRefusal.CodeRefused({ left: 4 })],
  FactorLimitReached: [new MemberRefusal.FactorLimitReached({ limit: 10 })],
  FactorNotFound: [new MemberRefusal.FactorNotFound({ factorId: long })],
  LastOwner: [new MemberRefusal.LastOwner({ memberId: MemberId.make(long) })],
  MemberLimitReached: [new MemberRefusal.MemberLimitReached({ limit: 10 })],
  MemberNotFound: [new MemberRefusal.MemberNotFound({ memberId: MemberId.make(long) })],
  NotConfirmed: (["missing", "refused", "no_factor"] as const).map(
    (reason) => new MemberRefusal.NotConfirmed({ reason })
  ),
  NotSignedIn: [new MemberRefusal.NotSignedIn()],
  OwnerOnly: [new MemberRefusal.OwnerOnly()],
  PasskeyRefused: [new MemberRefusal.PasskeyRefused()],
  PasswordRefused: [new MemberRefusal.PasswordRefused()],
  ReviewerNameTaken: [new MemberRefusal.ReviewerNameTaken({ name: long })],
  ReviewerNotFound: [new MemberRefusal.ReviewerNotFound({ name: long })],
  SandboxAccount: [new MemberRefusal.SandboxAccount({ accountId: AccountId.make(long) })],
  SessionNotFound: [new MemberRefusal.SessionNotFound({ sessionId: SessionId.make(long) })],
  SignInLinkInvalid: [new MemberRefusal.SignInLinkInvalid()],
  SignInTooOld: [new MemberRefusal.SignInTooOld({ minutes: 10 })],
  AccountNotFound: [new MemberRefusal.AccountNotFound({ accountId: AccountId.make("acc_1") })],
  EmailTaken: [new MemberRefusal.EmailTaken({ email: "ada@brand.example", accountId: AccountId.make("acc_1") })]
})
