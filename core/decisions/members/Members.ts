// The members of an account: who they are, which role they have, and their end. An address belongs to one account, which always has an owner.
import { HashMap, Result } from "effect"
import { emailKey } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { type Invitation, isOpenInvitation } from "#core/domain/members/Invitation.ts"
import type { GivenRole, Member } from "#core/domain/members/Member.ts"
import { LastOwner, MemberNotFound, OwnerOnly, SandboxAccount } from "#core/domain/members/MemberRefusal.ts"
import type { Refusal } from "#core/domain/Refusal.ts"
import type { Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"

/** Who makes a change: an operator, or a member, who must be an owner of the account at that moment. */
export type MadeBy = { readonly operator: Actor } | { readonly memberId: MemberId }

/** The name that the audit log gives them. */
export const actorOf = (by: MadeBy): Actor => ("operator" in by ? by.operator : by.memberId)

export const activeMembers = ({ members }: Books, accountId: AccountId): ReadonlyArray<Member> =>
  Array.from(HashMap.values(members)).filter((one) => one.accountId === accountId && one.removedAtMs === null)

/** The member with this address in any spelling. */
export const memberWith = ({ members }: Books, email: string): Member | undefined =>
  Array.from(HashMap.values(members)).find((one) => one.removedAtMs === null && emailKey(one.email) === emailKey(email))

/** The id of another account than `accountId` that has the address, as its own or of a member. */
export const holderOf = (books: Books, email: string, accountId?: AccountId): AccountId | undefined => {
  const member = memberWith(books, email)
  if (member !== undefined && member.accountId !== accountId) return member.accountId
  return Array.from(HashMap.values(books.accounts)).find(
    (account) => account.accountId !== accountId && emailKey(account.email) === emailKey(email)
  )?.accountId
}

/** Fails unless an operator or an owner of the account makes the change. */
export const requireOwner = (books: Books, accountId: AccountId, by: MadeBy): Result.Result<void, OwnerOnly> => {
  if ("operator" in by) return Result.void
  const member = find(books.members, by.memberId)
  const may = member?.accountId === accountId && member.removedAtMs === null && member.role === "owner"
  return may ? Result.void : Result.fail(new OwnerOnly())
}

/** Requires an owner; in the sandbox, a reviewer may do it, too. */
export const requireOwnerOrReviewer = (
  books: Books,
  input: { readonly accountId: AccountId; readonly mode: Mode; readonly by: MadeBy }
): Result.Result<void, OwnerOnly> => {
  const { accountId, mode, by } = input
  const member = "operator" in by ? undefined : find(books.members, by.memberId)
  const isReviewer = member?.accountId === accountId && member.removedAtMs === null && member.role === "reviewer"
  return isReviewer && mode === "sandbox" ? Result.void : requireOwner(books, accountId, by)
}

/** Fails for the account of a reviewer, by whomever the change is made. */
export const refuseSandboxAccount = (books: Books, accountId: AccountId): Result.Result<void, SandboxAccount> =>
  activeMembers(books, accountId).some(({ role }) => role === "reviewer")
    ? Result.fail(new SandboxAccount({ accountId }))
    : Result.void

/** The decision, if it may be made for this account; its books have to include the account's members. */
export const asOwner =
  <A, E extends Refusal>(accountId: AccountId, by: MadeBy, decide: Decide<A, E>): Decide<A, E | OwnerOnly> =>
  (books, context) =>
    Result.flatMap(requireOwner(books, accountId, by), () => decide(books, context))

export const invitationsOf = ({ invitations }: Books, accountId: AccountId): ReadonlyArray<Invitation> =>
  Array.from(HashMap.values(invitations)).filter((one) => one.accountId === accountId)

/** Ends an open invitation. */
export const recordWithdrawal = (draft: Draft, open: Invitation, actor: Actor): Invitation => {
  const invitation: Invitation = { ...open, outcome: "withdrawn", endedAtMs: draft.context.nowMs }
  draft.record({ _tag: "InvitationSaved", invitation })
  const { invitationId, accountId, email } = invitation
  audit(draft, actor, { action: "invitation.withdraw", subject: invitationId, accountId, details: { email } })
  return invitation
}

/** Ends all open invitations of the account: it takes no members any more. */
export const withdrawAll = (draft: Draft, accountId: AccountId, actor: Actor): void => {
  for (const invitation of invitationsOf(draft.books, accountId))
    if (isOpenInvitation(invitation, draft.context.nowMs)) recordWithdrawal(draft, invitation, actor)
}

interface OneMember {
  readonly accountId: AccountId
  readonly memberId: MemberId
  readonly by: MadeBy
}

const changeable = (
  books: Books,
  { accountId, memberId, by }: OneMember
): Result.Result<Member, MemberNotFound | OwnerOnly> =>
  Result.flatMap(requireOwner(books, accountId, by), () => {
    const member = find(books.members, memberId)
    return member?.accountId === accountId && member.removedAtMs === null
      ? Result.succeed(member)
      : Result.fail(new MemberNotFound({ memberId }))
  })

/** A reviewer stays as well. */
const isLastOwner = (books: Books, { accountId, memberId, role }: Member): boolean =>
  role !== "viewer" && !activeMembers(books, accountId).some((one) => one.role === "owner" && one.memberId !== memberId)

/** Removes every member, the last owner too, and ends open invitations: no one can sign in to the account any more. */
export const endMembers =
  (accountId: AccountId, actor: Actor): Decide<ReadonlyArray<Member>, never> =>
  (books, context) => {
    const draft = new Draft(books, context)
    const ended = activeMembers(books, accountId)
    for (const member of ended) {
      const { memberId, email } = member
      draft.record({ _tag: "MemberSaved", member: { ...member, removedAtMs: context.nowMs } })
      audit(draft, actor, {
        action: "member.remove",
        subject: memberId,
        accountId,
        details: { account: accountId, email }
      })
    }
    withdrawAll(draft, accountId, actor)
    return Result.succeed(draft.decided(ended))
  }

/** The present role changes nothing. */
export const changeRole =
  (input: OneMember & { readonly role: GivenRole }): Decide<Member, LastOwner | MemberNotFound | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      const { memberId, role, by } = input
      const member = yield* changeable(books, input)
      if (member.role === role) return unchanged(member)
      if (isLastOwner(books, member)) return yield* Result.fail(new LastOwner({ memberId }))
      const draft = new Draft(books, context)
      const changed = { ...member, role }
      draft.record({ _tag: "MemberSaved", member: changed })
      const details = { account: member.accountId, from: member.role, to: role }
      audit(draft, actorOf(by), { action: "member.role", subject: memberId, accountId: member.accountId, details })
      return draft.decided(changed)
    })

/** A member's own wish, viewers' too. The zone that they have changes nothing. */
export const chooseTimeZone =
  (input: Omit<OneMember, "by"> & { readonly timeZone: string }): Decide<Member, MemberNotFound> =>
  (books, context) => {
    const { accountId, memberId, timeZone } = input
    const member = activeMembers(books, accountId).find((one) => one.memberId === memberId)
    if (member === undefined) return Result.fail(new MemberNotFound({ memberId }))
    if (member.timeZone === timeZone) return Result.succeed(unchanged(member))
    const draft = new Draft(books, context)
    const changed = { ...member, timeZone }
    draft.record({ _tag: "MemberSaved", member: changed })
    return Result.succeed(draft.decided(changed))
  }

export const removeMember =
  (input: OneMember): Decide<Member, LastOwner | MemberNotFound | OwnerOnly> =>
  (books, context) =>
    Result.gen(function* () {
      const { memberId, by } = input
      const member = yield* changeable(books, input)
      if (isLastOwner(books, member)) return yield* Result.fail(new LastOwner({ memberId }))
      const draft = new Draft(books, context)
      const removed = { ...member, removedAtMs: context.nowMs }
      draft.record({ _tag: "MemberSaved", member: removed })
      const details = { account: member.accountId, email: member.email }
      audit(draft, actorOf(by), { action: "member.remove", subject: memberId, accountId: member.accountId, details })
      return draft.decided(removed)
    })
