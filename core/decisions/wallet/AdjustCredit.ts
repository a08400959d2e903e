// Books credit that the operator gives or takes back: top-ups and adjustments, once per reference.
import { HashMap, Result } from "effect"
import type { Actor } from "#core/domain/members/Actor.ts"
import { AccountNotFound, type SandboxAccount } from "#core/domain/members/MemberRefusal.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { availableCents } from "#core/domain/wallet/Wallet.ts"
import { BalanceTooLow, ReferenceReused } from "#core/domain/wallet/WalletRefusal.ts"
import { type Books, find } from "../Books.ts"
import { audit, type Decide, Draft, type LedgerRefs, ledgerEntry, unchanged } from "../Draft.ts"
import { recordFirstPayment } from "../members/AccountState.ts"
import { refuseSandboxAccount } from "../members/Members.ts"
import { bookCredit } from "./OwedCredit.ts"

export interface TopUp {
  readonly accountId: AccountId
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
  const entry = bookCredit(draft, accountId, { kind: "top_up", cents }, refs)
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
