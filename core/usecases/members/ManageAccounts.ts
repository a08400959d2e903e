// Opens and lists accounts, and books their top-ups and adjustments.
import { Context, Effect, Layer } from "effect"
import { editAccount, renameAccount } from "#core/decisions/members/AccountState.ts"
import { changeEmail, openAccount } from "#core/decisions/members/Accounts.ts"
import { type Booked, debitOnce, topUp, topUpOnce } from "#core/decisions/wallet/AdjustCredit.ts"
import type { Account } from "#core/domain/members/Account.ts"
import type { Actor } from "#core/domain/members/Actor.ts"
import type {
  AccountClosed,
  AccountNotFound,
  EmailTaken,
  OwnerOnly,
  SandboxAccount
} from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { BalanceTooLow, ReferenceReused } from "#core/domain/wallet/WalletRefusal.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"

export class ManageAccounts extends Context.Service<
  ManageAccounts,
  {
    /** The address may have blanks around it. */
    readonly open: (
      account: { readonly name: string; readonly email: string },
      actor: Actor
    ) => Effect.Effect<Account, EmailTaken | StoreUnavailable>
    readonly changeEmail: (
      account: { readonly accountId: AccountId; readonly email: string },
      actor: Actor
    ) => Effect.Effect<Account, AccountNotFound | EmailTaken | StoreUnavailable>
    /** Books a top-up of positive `cents`. `reference` is the payer's, for the audit log. */
    readonly topUp: (
      credit: { readonly accountId: AccountId; readonly cents: number; readonly reference: string },
      actor: Actor
    ) => Effect.Effect<LedgerEntry, AccountNotFound | SandboxAccount | StoreUnavailable>
    /** Idempotent by `reference` within the account. */
    readonly topUpOnce: (
      credit: { readonly accountId: AccountId; readonly cents: number; readonly reference: string },
      actor: Actor
    ) => Effect.Effect<Booked, AccountNotFound | ReferenceReused | SandboxAccount | StoreUnavailable>
    /** Lowers the balance. Idempotent by `reference` within the account's adjustments. */
    readonly debitOnce: (
      adjustment: {
        readonly accountId: AccountId
        readonly cents: number
        readonly reference: string
        readonly reason: string
      },
      actor: Actor
    ) => Effect.Effect<Booked, AccountNotFound | ReferenceReused | BalanceTooLow | StoreUnavailable>
    /** `name` and `note` replace what is there; an empty note takes it away. */
    readonly edit: (
      change: { readonly accountId: AccountId; readonly name?: string; readonly note?: string },
      actor: Actor
    ) => Effect.Effect<Account, AccountNotFound | StoreUnavailable>
    /** An owner changes the name, which may have blanks around it. */
    readonly rename: (
      signedIn: SignedIn,
      name: string
    ) => Effect.Effect<Account, AccountClosed | AccountNotFound | OwnerOnly | StoreUnavailable>
    readonly list: Wallets["Service"]["accounts"]
  }
>()("backlinks/usecases/members/ManageAccounts") {
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
        topUp: Effect.fn("ManageAccounts.topUp")((credit, actor) =>
          book.transact({ _tag: "ForAccount", accountId: credit.accountId }, topUp({ ...credit, actor }))
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
        rename: Effect.fn("ManageAccounts.rename")(({ account: { accountId }, member }, name) =>
          book.transact({ _tag: "ForAccount", accountId }, renameAccount({ accountId, name: name.trim(), by: member }))
        ),
        list: wallets.accounts
      })
    })
  )
}
