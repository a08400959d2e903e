// A member's address changes once both mailboxes have confirmed it. The answer tells nothing of other accounts, until the person of the new
// mailbox has pressed the button there.
import { Result } from "effect"
import { emailKey } from "#core/domain/members/Account.ts"
import {
  EMAIL_CHANGE_MS,
  type EmailChange,
  openChange,
  sideOf,
  unfinishedChange
} from "#core/domain/members/EmailChange.ts"
import type { Member } from "#core/domain/members/Member.ts"
import {
  type AccountClosed,
  type AccountNotFound,
  EmailTaken,
  MemberNotFound,
  type SandboxAccount
} from "#core/domain/members/MemberRefusal.ts"
import type { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { openAccountOf } from "./AccountState.ts"
import { holderOf, memberWith, refuseSandboxAccount } from "./Members.ts"

const withoutChange = ({ emailChange: _ended, ...member }: Member): Member => member

const activeMember = (books: Books, memberId: MemberId): Member | null => {
  const member = find(books.members, memberId)
  return member === undefined || member.removedAtMs !== null ? null : member
}

/**
 * The change takes the place of an earlier one, whose links end. Nothing of other accounts is read. `EmailTaken`: a member of this account has
 * the address, the asking one included.
 */
export const askEmailChange =
  (input: {
    readonly accountId: AccountId
    readonly memberId: MemberId
    /** May have blanks around it. */
    readonly to: string
    readonly hashes: Pick<EmailChange, "newHash" | "oldHash">
  }): Decide<EmailChange, AccountClosed | AccountNotFound | EmailTaken | MemberNotFound | SandboxAccount> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, memberId, hashes } = input
      const to = input.to.trim()
      yield* openAccountOf(books, accountId)
      yield* refuseSandboxAccount(books, accountId)
      const member = activeMember(books, memberId)
      if (member?.accountId !== accountId) return yield* Result.fail(new MemberNotFound({ memberId }))
      if (memberWith(books, to)?.accountId === accountId)
        return yield* Result.fail(new EmailTaken({ email: to, accountId }))
      const draft = new Draft(books, context)
      const times = { expiresAtMs: context.nowMs + EMAIL_CHANGE_MS, oldConfirmedAtMs: null, newConfirmedAtMs: null }
      const emailChange: EmailChange = { from: member.email, to, ...hashes, ...times }
      draft.record({ _tag: "MemberSaved", member: { ...member, emailChange } })
      audit(draft, memberId, { action: "member.email_ask", subject: memberId, accountId, details: { to } })
      return draft.decided(emailChange)
    })

/** What a link did. `Changed`: the address is another one; the change stays with the member until `finishEmailChange`. `Ended`: the change was done, refused, withdrawn or replaced, is too old, or never was. */
export type EmailChangeStep =
  | { readonly _tag: "Ended" }
  /** The other mailbox has to confirm it, too. */
  | { readonly _tag: "Waits"; readonly change: EmailChange }
  | { readonly _tag: "Changed"; readonly change: EmailChange; readonly member: Member }

/**
 * Confirms it for the mailbox of the link. `EmailTaken` is told to the person of the new mailbox, and once that one has confirmed: the address
 * belongs to the account `accountId`, as it does to all accounts and members that the books have of it.
 */
export const confirmEmailChange =
  (input: { readonly memberId: MemberId; readonly hash: string }): Decide<EmailChangeStep, EmailTaken> =>
  (books, context) =>
    Result.gen(function* () {
      const { nowMs } = context
      const member = activeMember(books, input.memberId)
      const open = member === null ? null : openChange(member, nowMs)
      const side = open === null ? null : sideOf(open, input.hash)
      if (member === null || open === null || side === null) return unchanged<EmailChangeStep>({ _tag: "Ended" })
      const { accountId, memberId } = member
      const change: EmailChange = {
        ...open,
        oldConfirmedAtMs: open.oldConfirmedAtMs ?? (side === "old" ? nowMs : null),
        newConfirmedAtMs: open.newConfirmedAtMs ?? (side === "new" ? nowMs : null)
      }
      const { to, oldConfirmedAtMs, newConfirmedAtMs } = change
      const holder = memberWith(books, to)?.accountId ?? holderOf(books, to, accountId)
      if (newConfirmedAtMs !== null && holder !== undefined)
        return yield* Result.fail(new EmailTaken({ email: to, accountId: holder }))
      const draft = new Draft(books, context)
      if (oldConfirmedAtMs === null || newConfirmedAtMs === null) {
        const isKnown = open.oldConfirmedAtMs === oldConfirmedAtMs && open.newConfirmedAtMs === newConfirmedAtMs
        if (!isKnown) draft.record({ _tag: "MemberSaved", member: { ...member, emailChange: change } })
        return draft.decided<EmailChangeStep>({ _tag: "Waits", change })
      }
      const changed: Member = { ...member, emailChange: change, email: to }
      draft.record({ _tag: "MemberSaved", member: changed })
      const account = find(books.accounts, accountId)
      if (account !== undefined && emailKey(account.email) === emailKey(member.email))
        draft.record({ _tag: "EmailChanged", accountId, email: to })
      // The mails to owners know a member by the label, as they know an agent.
      const details = { label: member.email, email: to }
      audit(draft, memberId, { action: "member.email", subject: memberId, accountId, details })
      return draft.decided<EmailChangeStep>({ _tag: "Changed", change, member: changed })
    })

/** Takes off a change that is done, once the sessions from before it have ended. */
export const finishEmailChange =
  (memberId: MemberId, { newHash }: Pick<EmailChange, "newHash">): Decide<null, never> =>
  (books, context) => {
    const member = activeMember(books, memberId)
    if (member === null || unfinishedChange(member)?.newHash !== newHash) return Result.succeed(unchanged(null))
    const draft = new Draft(books, context)
    draft.record({ _tag: "MemberSaved", member: withoutChange(member) })
    return Result.succeed(draft.decided(null))
  }

/** Ends a change before it is done: by the link to the old mailbox, or, without one, by the member. Returns what ended. */
export const endEmailChange =
  (input: { readonly memberId: MemberId; readonly oldHash?: string }): Decide<EmailChange | null, never> =>
  (books, context) => {
    const { memberId, oldHash } = input
    const member = activeMember(books, memberId)
    const open = member === null ? null : openChange(member, context.nowMs)
    if (member === null || open === null || (oldHash !== undefined && oldHash !== open.oldHash))
      return Result.succeed(unchanged(null))
    const draft = new Draft(books, context)
    draft.record({ _tag: "MemberSaved", member: withoutChange(member) })
    const { accountId } = member
    const action = oldHash === undefined ? "member.email_withdraw" : "member.email_refuse"
    audit(draft, memberId, { action, subject: memberId, accountId, details: { to: open.to } })
    return Result.succeed(draft.decided(open))
  }
