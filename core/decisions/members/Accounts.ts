// Opens accounts and changes their addresses.
import { Result } from "effect"
import type { Account } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import { firstOwner } from "#core/domain/members/Member.ts"
import { AccountNotFound, EmailTaken } from "#core/domain/members/MemberRefusal.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { emptyWallet } from "#core/domain/wallet/Wallet.ts"
import { find } from "../Books.ts"
import { audit, type Decide, Draft, unchanged } from "../Draft.ts"
import { activeMembers, holderOf, memberWith } from "./Members.ts"

/** `email` may have blanks around it. */
export const openAccount =
  (input: {
    readonly name: string
    readonly email: string
    readonly actor: Actor | null
    /** The first sign-in of its owner opened it. */
    readonly selfOpened?: true
    /** The role of its first member; an owner unless given. */
    readonly role?: "reviewer"
  }): Decide<Account, EmailTaken> =>
  (books, context) => {
    const { name, actor } = input
    const email = input.email.trim()
    const holder = holderOf(books, email)
    if (holder !== undefined) return Result.fail(new EmailTaken({ email, accountId: holder }))
    const draft = new Draft(books, context)
    const accountId = draft.nextId("acc_")
    const welcome = { state: "available" as const }
    const opened = { accountId, name, email, wallet: emptyWallet, welcome, createdAtMs: context.nowMs }
    const account = input.selfOpened ? { ...opened, selfOpened: input.selfOpened } : opened
    draft.record({ _tag: "AccountOpened", account })
    draft.record({ _tag: "MemberSaved", member: { ...firstOwner(account), role: input.role ?? "owner" } })
    audit(draft, actor, { action: "account.open", subject: accountId, accountId, details: { name, email } })
    return Result.succeed(draft.decided(account))
  }

/** `email` may have blanks around it. The account's own address changes nothing. */
export const changeEmail =
  (input: {
    readonly accountId: AccountId
    readonly email: string
    readonly actor: Actor | null
  }): Decide<Account, AccountNotFound | EmailTaken> =>
  (books, context) => {
    const { accountId, actor } = input
    const email = input.email.trim()
    const account = find(books.accounts, accountId)
    if (account === undefined) return Result.fail(new AccountNotFound({ accountId }))
    const holder = holderOf(books, email, accountId)
    if (holder !== undefined) return Result.fail(new EmailTaken({ email, accountId: holder }))
    if (account.email === email) return Result.succeed(unchanged(account))
    const draft = new Draft(books, context)
    draft.record({ _tag: "EmailChanged", accountId, email })
    // The member with the former address signs in with the new one, unless another member does already.
    const member = memberWith(books, account.email)
    if (member?.accountId === accountId && [undefined, member].includes(memberWith(books, email)))
      draft.record({ _tag: "MemberSaved", member: { ...member, email } })
    // An account that shared its address with an older one was left without a member: it gets its owner with its new address.
    else if (activeMembers(books, accountId).length === 0)
      draft.record({ _tag: "MemberSaved", member: firstOwner({ ...account, email }) })
    audit(draft, actor, {
      action: "account.email",
      subject: accountId,
      accountId,
      details: { from: account.email, to: email }
    })
    return Result.succeed(draft.decided({ ...account, email }))
  }
