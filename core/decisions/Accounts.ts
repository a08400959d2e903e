// Opens accounts and takes their top-ups.
import { Result } from "effect"
import type { Account } from "#core/domain/Account.ts"
import type { Cents } from "#core/domain/Money.ts"
import { AccountNotFound } from "#core/domain/Refusal.ts"
import { emptyWallet, type LedgerEntry } from "#core/domain/Wallet.ts"
import { find } from "./Books.ts"
import { type Actor, audit, begin, type Decide, enter } from "./Draft.ts"

export const openAccount =
  (input: { readonly name: string; readonly email: string; readonly actor: Actor }): Decide<Account, never> =>
  (books, moment) => {
    const draft = begin(books, moment)
    const { name, email, actor } = input
    const accountId = draft.nextId("acc_")
    const welcome = { state: "available" as const }
    const account = { accountId, name, email, wallet: emptyWallet, welcome, createdAtMs: moment.nowMs }
    draft.record({ _tag: "AccountOpened", account })
    audit(draft, actor, { action: "account.open", subject: accountId, details: { name, email } })
    return Result.succeed(draft.decided(account))
  }

/** `cents` is a positive whole amount, checked where it was read. */
export const topUp =
  (input: {
    readonly accountId: string
    readonly cents: Cents
    readonly reference: string
    readonly actor: Actor
  }): Decide<LedgerEntry, AccountNotFound> =>
  (books, moment) => {
    const { accountId, cents, reference, actor } = input
    if (find(books.accounts, accountId) === undefined) return Result.fail(new AccountNotFound({ accountId }))
    const draft = begin(books, moment)
    const entry = enter(draft, accountId, { kind: "top_up", cents }, {})
    draft.record({ _tag: "Credited", entry })
    audit(draft, actor, { action: "account.top_up", subject: accountId, details: { cents, reference } })
    return Result.succeed(draft.decided(entry))
  }
