// Invites people to an account. Accepting makes a member, and nothing else does; an invitation ends once, by whichever comes first.
import { Result } from "effect"
import type { Account } from "#core/domain/members/Account.ts"
import { emailKey } from "#core/domain/members/Account.ts"
import {
  INVITATION_MS,
  type Invitation,
  invitationEnd,
  invitationsADay,
  isMadeToday,
  isOpenInvitation
} from "#core/domain/members/Invitation.ts"
import { type GivenRole, MAX_MEMBERS, type Member } from "#core/domain/members/Member.ts"
import {
  type AccountClosed,
  type AccountNotFound,
  AlreadyInvited,
  EmailTaken,
  InvitationEnded,
  InvitationLimitReached,
  InvitationNotFound,
  MemberLimitReached,
  type OwnerOnly,
  type SandboxAccount
} from "#core/domain/members/MemberRefusal.ts"
import { dayEndsAtMs, utcDay } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, InvitationId } from "#core/domain/shared/Ids.ts"
import { find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { openAccountOf } from "./AccountState.ts"
import {
  activeMembers,
  actorOf,
  holderOf,
  invitationsOf,
  type MadeBy,
  memberWith,
  recordWithdrawal,
  refuseSandboxAccount,
  requireOwner
} from "./Members.ts"

interface NewInvitation {
  readonly accountId: AccountId
  /** May have blanks around it. */
  readonly email: string
  readonly role: GivenRole
  readonly by: MadeBy
}

export type InviteRefusal =
  | AccountClosed
  | AccountNotFound
  | AlreadyInvited
  | EmailTaken
  | InvitationLimitReached
  | MemberLimitReached
  | OwnerOnly
  | SandboxAccount

/**
 * Reads nothing of other accounts, so that its answer tells nothing of them. `EmailTaken`: a member of this account has the address, which
 * its owners see anyway.
 */
export const inviteMember =
  (input: NewInvitation): Decide<Invitation, InviteRefusal> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, role, by } = input
      const { nowMs } = context
      const email = input.email.trim()
      yield* requireOwner(books, accountId, by)
      const account: Account = yield* openAccountOf(books, accountId)
      yield* refuseSandboxAccount(books, accountId)
      if (memberWith(books, email)?.accountId === accountId)
        return yield* Result.fail(new EmailTaken({ email, accountId }))
      const known = invitationsOf(books, accountId)
      const open = known.filter((one) => isOpenInvitation(one, nowMs))
      const same = open.find((one) => emailKey(one.email) === emailKey(email))
      if (same !== undefined) return yield* Result.fail(new AlreadyInvited({ email, invitationId: same.invitationId }))
      if (activeMembers(books, accountId).length + open.length >= MAX_MEMBERS)
        return yield* Result.fail(new MemberLimitReached({ limit: MAX_MEMBERS }))
      const limit = invitationsADay(account)
      if (known.filter((one) => isMadeToday(one, nowMs)).length >= limit) {
        const resetsAtMs = dayEndsAtMs(utcDay(nowMs))
        const retryAfterSeconds = Math.ceil((resetsAtMs - nowMs) / 1_000)
        return yield* Result.fail(new InvitationLimitReached({ limit, resetsAtMs, retryAfterSeconds }))
      }
      const draft = new Draft(books, context)
      const invitation: Invitation = {
        invitationId: draft.nextId("ivt_"),
        accountId,
        email,
        role,
        invitedBy: actorOf(by),
        createdAtMs: nowMs,
        expiresAtMs: nowMs + INVITATION_MS,
        outcome: null,
        endedAtMs: null
      }
      draft.record({ _tag: "InvitationSaved", invitation })
      const { invitationId: subject } = invitation
      audit(draft, actorOf(by), { action: "member.invite", subject, accountId, details: { email, role } })
      return draft.decided(invitation)
    })

export const withdrawInvitation =
  (input: {
    readonly accountId: AccountId
    readonly invitationId: InvitationId
    readonly by: MadeBy
  }): Decide<Invitation, InvitationNotFound | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, invitationId, by } = input
      yield* requireOwner(books, accountId, by)
      const invitation = find(books.invitations, invitationId)
      // It is withdrawn already, by whichever owner.
      if (invitation?.accountId === accountId && invitation.outcome === "withdrawn") return unchanged(invitation)
      if (invitation?.accountId !== accountId || !isOpenInvitation(invitation, context.nowMs))
        return yield* Result.fail(new InvitationNotFound({ invitationId }))
      const draft = new Draft(books, context)
      return draft.decided(recordWithdrawal(draft, invitation, actorOf(by)))
    })

/**
 * Makes the invited person a member. `email`: the address that the person has shown to be theirs; another one than the invitation's finds
 * no invitation. `EmailTaken`: the person belongs to the account `accountId` already, and stays there.
 */
export const acceptInvitation =
  (input: {
    readonly invitationId: InvitationId
    readonly email: string
  }): Decide<Member, EmailTaken | InvitationEnded | MemberLimitReached> =>
  (books, context) =>
    Result.gen(function* () {
      const { nowMs } = context
      const found = find(books.invitations, input.invitationId)
      const invitation = found && emailKey(found.email) === emailKey(input.email) ? found : undefined
      const reason = invitationEnd(invitation, nowMs)
      if (invitation === undefined || reason !== null)
        return yield* Result.fail(new InvitationEnded({ reason: reason ?? "unknown" }))
      const { invitationId, accountId, email, role } = invitation
      const holder = memberWith(books, email)?.accountId ?? holderOf(books, email, accountId)
      if (holder !== undefined) return yield* Result.fail(new EmailTaken({ email, accountId: holder }))
      // Only an instance of an earlier version adds members beside invitations.
      if (activeMembers(books, accountId).length >= MAX_MEMBERS)
        return yield* Result.fail(new MemberLimitReached({ limit: MAX_MEMBERS }))
      const draft = new Draft(books, context)
      const memberId = draft.nextId("mem_")
      const member: Member = { memberId, accountId, email, role, createdAtMs: nowMs, removedAtMs: null }
      draft.record({ _tag: "MemberSaved", member })
      draft.record({ _tag: "InvitationSaved", invitation: { ...invitation, outcome: "accepted", endedAtMs: nowMs } })
      const details = { email, role, invitation: invitationId }
      audit(draft, memberId, { action: "member.join", subject: memberId, accountId, details })
      return draft.decided(member)
    })
