// Credit of an account that may owe something: what comes in, and what a hold sets free, pays what is owed in the same transaction.
import { HashMap, Option } from "effect"
import type { Account } from "#core/domain/members/Account.ts"
import { owedCentsOf } from "#core/domain/members/Account.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { AccountId, EntryId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { giveBack, takeBack } from "#core/domain/wallet/TopUpReversal.ts"
import { availableCents, type Movement } from "#core/domain/wallet/Wallet.ts"
import { type Draft, type LedgerRefs, ledgerEntry } from "../Draft.ts"

/** Decisions about credit read its account. */
const accountOf = (draft: Draft, accountId: AccountId): Account =>
  Option.getOrThrow(HashMap.get(draft.books.accounts, accountId))

const debit = (draft: Draft, accountId: AccountId, cents: Cents, reference: string): void => {
  const entry = ledgerEntry(draft, accountId, { kind: "adjustment", cents }, { reference })
  draft.record({ _tag: "Debited", entry })
}

/** Takes what is free for what is owed. `from`: the entry by which it became free, which the adjustment refers to. */
export const collectOwed = (draft: Draft, accountId: AccountId, from: EntryId): void => {
  const account = accountOf(draft, accountId)
  const owed = owedCentsOf(account)
  const { taken } = takeBack(owed, availableCents(account.wallet))
  if (taken === 0) return
  debit(draft, accountId, taken, from)
  draft.record({ _tag: "OwedChanged", accountId, owedCents: owed - taken })
}

type CreditMovement = Extract<
  Movement,
  { readonly kind: "top_up" | "late_payment" | "recredit" | "adjustment_reversed" }
>

/** Books credit in full, then takes of it what the account owes. */
export const bookCredit = (
  draft: Draft,
  accountId: AccountId,
  movement: CreditMovement,
  refs: LedgerRefs
): LedgerEntry => {
  const entry = ledgerEntry(draft, accountId, movement, refs)
  draft.record({ _tag: "Credited", entry })
  collectOwed(draft, accountId, entry.entryId)
  return entry
}

/** Takes credit as far as it is free; the rest is owed from now on. Returns that rest. */
export const takeCredit = (draft: Draft, accountId: AccountId, cents: Cents, reference: string): Cents => {
  const account = accountOf(draft, accountId)
  const { taken, owed } = takeBack(cents, availableCents(account.wallet))
  if (taken > 0) debit(draft, accountId, taken, reference)
  if (owed > 0) draft.record({ _tag: "OwedChanged", accountId, owedCents: owedCentsOf(account) + owed })
  return owed
}

/** Strikes off what is owed, and credits what was taken beyond it. */
export const returnCredit = (draft: Draft, accountId: AccountId, cents: Cents, reference: string): void => {
  const owed = owedCentsOf(accountOf(draft, accountId))
  const { struckOff, credited } = giveBack(cents, owed)
  if (struckOff > 0) draft.record({ _tag: "OwedChanged", accountId, owedCents: owed - struckOff })
  if (credited > 0) bookCredit(draft, accountId, { kind: "adjustment_reversed", cents: credited }, { reference })
}
