// Opens accounts, changes their addresses, takes their top-ups and books adjustments.
import { HashMap, Result } from "effect"
import type { Account } from "#core/domain/Account.ts"
import { BalanceTooLow, EmailTaken, ReferenceReused } from "#core/domain/AccountRefusal.ts"
import type { Actor } from "#core/domain/Actor.ts"
import type { DecisionContext } from "#core/domain/DecisionContext.ts"
import { firstOwner } from "#core/domain/Member.ts"
import type { SandboxAccount } from "#core/domain/MemberRefusal.ts"
import type { Cents } from "#core/domain/Money.ts"
import { AccountNotFound } from "#core/domain/Refusal.ts"
import { availableCents, emptyWallet, type LedgerEntry } from "#core/domain/Wallet.ts"
import { recordFirstPayment } from "./AccountState.ts"
import { type Books, find } from "./Books.ts"
import { audit, type Decide, Draft, type LedgerRefs, ledgerEntry, unchanged } from "./Draft.ts"
import { activeMembers, holderOf, memberWith, refuseSandboxAccount } from "./Members.ts"

/** `email` may have blanks around it. */
export const openAccount =
  (input: {
    readonly name: string
    readonly email: string
    readonly actor: Actor | null
    /** By the first sign-in of its owner. */
    readonly selfOpened?: true
    /** Of its first member; an owner by default. */
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
    readonly accountId: string
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
    // An account that shared its address with an older one was left without a member: it gets its owner with an address of its own.
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

export interface TopUp {
  readonly accountId: string
  /** A positive whole amount, validated when it was decoded. */
  readonly cents: Cents
  readonly reference: string
  readonly actor: Actor | null
}

/** `repeated`: it was booked before, and this is the entry of that time. */
export interface Booked {
  readonly entry: LedgerEntry
  readonly repeated: boolean
}

const book = (
  books: Books,
  context: DecisionContext,
  { accountId, cents, reference, actor }: TopUp,
  refs: LedgerRefs
) => {
  const draft = new Draft(books, context)
  const entry = ledgerEntry(draft, accountId, { kind: "top_up", cents }, refs)
  draft.record({ _tag: "Credited", entry })
  recordFirstPayment(draft, accountId)
  audit(draft, actor, { action: "account.top_up", subject: accountId, accountId, details: { cents, reference } })
  return draft.decided(entry)
}

/** Books a top-up on every call. */
export const topUp =
  (input: TopUp): Decide<LedgerEntry, AccountNotFound | SandboxAccount> =>
  (books, context) => {
    const { accountId } = input
    if (find(books.accounts, accountId) === undefined) return Result.fail(new AccountNotFound({ accountId }))
    return Result.map(refuseSandboxAccount(books, accountId), () => book(books, context, input, {}))
  }

/** The earlier movement of that kind under the reference, if it has the same amount. */
const bookedBefore = (
  books: Books,
  kind: "top_up" | "adjustment",
  { accountId, reference, cents }: TopUp
): Result.Result<LedgerEntry | undefined, ReferenceReused> => {
  const booked = Array.from(HashMap.values(books.ledger)).find(
    (entry) => entry.accountId === accountId && entry.reference === reference && entry.kind === kind
  )
  return booked === undefined || booked.amountCents === cents
    ? Result.succeed(booked)
    : Result.fail(new ReferenceReused({ reference, bookedCents: booked.amountCents }))
}

/** Idempotent: books once per reference of the account; a repetition returns the entry that was booked. */
export const topUpOnce =
  (input: TopUp): Decide<Booked, AccountNotFound | ReferenceReused | SandboxAccount> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, reference } = input
      if (find(books.accounts, accountId) === undefined) return yield* Result.fail(new AccountNotFound({ accountId }))
      yield* refuseSandboxAccount(books, accountId)
      const before = yield* bookedBefore(books, "top_up", input)
      if (before !== undefined) return unchanged({ entry: before, repeated: true })
      const { reply, changes } = book(books, context, input, { reference })
      return { reply: { entry: reply, repeated: false }, changes }
    })

export interface Debit extends TopUp {
  readonly reason: string
}

/** Lowers the balance, once per reference of the account's adjustments, and never below what open quotes hold. */
export const debitOnce =
  (input: Debit): Decide<Booked, AccountNotFound | ReferenceReused | BalanceTooLow> =>
  (books, context) =>
    Result.gen(function* () {
      const { accountId, reference, cents, reason, actor } = input
      const account = find(books.accounts, accountId)
      if (account === undefined) return yield* Result.fail(new AccountNotFound({ accountId }))
      const before = yield* bookedBefore(books, "adjustment", input)
      if (before !== undefined) return unchanged({ entry: before, repeated: true })
      const available = availableCents(account.wallet)
      if (cents > available)
        return yield* Result.fail(new BalanceTooLow({ accountId, cents, availableCents: available }))
      const draft = new Draft(books, context)
      const entry = ledgerEntry(draft, accountId, { kind: "adjustment", cents }, { reference })
      draft.record({ _tag: "Debited", entry })
      audit(draft, actor, {
        action: "account.debit",
        subject: accountId,
        accountId,
        details: { cents, reference, reason }
      })
      return draft.decided({ entry, repeated: false })
    })
