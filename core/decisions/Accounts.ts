// Opens accounts and takes their top-ups.
import { HashMap, Result } from "effect"
import type { Account } from "#core/domain/Account.ts"
import type { Actor } from "#core/domain/Actor.ts"
import type { DecisionContext } from "#core/domain/DecisionContext.ts"
import type { Cents } from "#core/domain/Money.ts"
import { AccountNotFound, ReferenceReused } from "#core/domain/Refusal.ts"
import { emptyWallet, type LedgerEntry } from "#core/domain/Wallet.ts"
import { type Books, find } from "./Books.ts"
import { audit, type Decide, Draft, type LedgerRefs, ledgerEntry, unchanged } from "./Draft.ts"

export const openAccount =
  (input: { readonly name: string; readonly email: string; readonly actor: Actor | null }): Decide<Account, never> =>
  (books, context) => {
    const draft = new Draft(books, context)
    const { name, email, actor } = input
    const accountId = draft.nextId("acc_")
    const welcome = { state: "available" as const }
    const account = { accountId, name, email, wallet: emptyWallet, welcome, createdAtMs: context.nowMs }
    draft.record({ _tag: "AccountOpened", account })
    audit(draft, actor, { action: "account.open", subject: accountId, details: { name, email } })
    return Result.succeed(draft.decided(account))
  }

export interface TopUp {
  readonly accountId: string
  /** A positive whole amount, validated when it was decoded. */
  readonly cents: Cents
  readonly reference: string
  readonly actor: Actor | null
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
  audit(draft, actor, { action: "account.top_up", subject: accountId, details: { cents, reference } })
  return draft.decided(entry)
}

/** Books a top-up on every call. */
export const topUp =
  (input: TopUp): Decide<LedgerEntry, AccountNotFound> =>
  (books, context) => {
    const { accountId } = input
    if (find(books.accounts, accountId) === undefined) return Result.fail(new AccountNotFound({ accountId }))
    return Result.succeed(book(books, context, input, {}))
  }

/** Idempotent: books once per reference of the account; a repetition returns the entry that was booked. */
export const topUpOnce =
  (input: TopUp): Decide<LedgerEntry, AccountNotFound | ReferenceReused> =>
  (books, context) => {
    const { accountId, reference, cents } = input
    if (find(books.accounts, accountId) === undefined) return Result.fail(new AccountNotFound({ accountId }))
    const booked = Array.from(HashMap.values(books.ledger)).find(
      (entry) => entry.accountId === accountId && entry.reference === reference
    )
    if (booked === undefined) return Result.succeed(book(books, context, input, { reference }))
    return booked.amountCents === cents
      ? Result.succeed(unchanged(booked))
      : Result.fail(new ReferenceReused({ reference, bookedCents: booked.amountCents }))
  }
