// Opens and lists accounts, and books their deposits and adjustments.
import { Context, Effect, Layer } from "effect"
import { editAccount } from "#core/decisions/AccountState.ts"
import { type Booked, changeEmail, debitOnce, openAccount, topUp, topUpOnce } from "#core/decisions/Accounts.ts"
import type { Account } from "#core/domain/Account.ts"
import type { BalanceTooLow, EmailTaken, ReferenceReused } from "#core/domain/AccountRefusal.ts"
import type { Actor } from "#core/domain/Actor.ts"
import type { SandboxAccount } from "#core/domain/MemberRefusal.ts"
import type { AccountNotFound } from "#core/domain/Refusal.ts"
import type { LedgerEntry } from "#core/domain/Wallet.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"
import { Wallets } from "#core/ports/Wallets.ts"

export class ManageAccounts extends Context.Service<
  ManageAccounts,
  {
    /** The address may have blanks around it. */
    readonly open: (
      account: { readonly name: string; readonly email: string },
      actor: Actor
    ) => Effect.Effect<Account, EmailTaken | StoreUnavailable>
    readonly changeEmail: (
      account: { readonly accountId: string; readonly email: string },
      actor: Actor
    ) => Effect.Effect<Account, AccountNotFound | EmailTaken | StoreUnavailable>
    /** Books a deposit of positive `cents`. `reference` is the payer's, for the audit log. */
    readonly topUp: (
      deposit: { readonly accountId: string; readonly cents: number; readonly reference: string },
      actor: Actor
    ) => Effect.Effect<LedgerEntry, AccountNotFound | SandboxAccount | StoreUnavailable>
    /** Idempotent by `reference` within the account. */
    readonly topUpOnce: (
      deposit: { readonly accountId: string; readonly cents: number; readonly reference: string },
      actor: Actor
    ) => Effect.Effect<Booked, AccountNotFound | ReferenceReused | SandboxAccount | StoreUnavailable>
    /** Lowers the balance. Idempotent by `reference` within the account's adjustments. */
    readonly debitOnce: (
      adjustment: {
        readonly accountId: string
        readonly cents: number
        readonly reference: string
        readonly reason: string
      },
      actor: Actor
    ) => Effect.Effect<Booked, AccountNotFound | ReferenceReused | BalanceTooLow | StoreUnavailable>
    /** `name` and `note` replace what is there; an empty note takes it away. */
    readonly edit: (
      change: { readonly accountId: string; readonly name?: string; readonly note?: string },
      actor: Actor
    ) => Effect.Effect<Account, AccountNotFound | StoreUnavailable>
    readonly list: Wallets["Service"]["accounts"]
  }
>()("backlinks/usecases/ManageAccounts") {
  static readonly layer = Layer.effect(
    ManageAccounts,
    Effect.gen(function* () {
      const book = yield* OrderBook
      const wallets = yield* Wallets

      return ManageAccounts.of({
        open: Effect.fn("ManageAccounts.open")((account, actor) =>
          book.transact({ _tag: "ForEmail", email: account.email }, openAccount({ ...account, actor }))
        ),
        changeEmail: Effect.fn("ManageAccounts.changeEmail")(({ accountId, email }, actor) =>
          book.transact({ _tag: "ForEmail", email, accountId }, changeEmail({ accountId, email, actor }))
        ),
        topUp: Effect.fn("ManageAccounts.topUp")((deposit, actor) =>
          book.transact({ _tag: "ForAccount", accountId: deposit.accountId }, topUp({ ...deposit, actor }))
        ),
        topUpOnce: Effect.fn("ManageAccounts.topUpOnce")(({ accountId, cents, reference }, actor) =>
          book.transact({ _tag: "ForAccount", accountId, reference }, topUpOnce({ accountId, cents, reference, actor }))
        ),
        debitOnce: Effect.fn("ManageAccounts.debitOnce")(({ accountId, cents, reference, reason }, actor) =>
          book.transact(
            { _tag: "ForAccount", accountId, reference },
            debitOnce({ accountId, cents, reference, reason, actor })
          )
        ),
        edit: Effect.fn("ManageAccounts.edit")((change, actor) =>
          book.transact({ _tag: "ForAccount", accountId: change.accountId }, editAccount({ ...change, actor }))
        ),
        list: wallets.accounts
      })
    })
  )
}
