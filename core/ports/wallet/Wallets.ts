// Reads accounts, wallets, ledgers and the daily usage of keys. Money moves through the order book.
import { Context, type Effect } from "effect"
import type { Account } from "#core/domain/members/Account.ts"
import type { DailyUsage } from "#core/domain/ordering/DailyCap.ts"
import type { AccountId, EntryId, KeyId } from "#core/domain/shared/Ids.ts"
import type { Hold } from "#core/domain/wallet/Hold.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import type { LedgerLine } from "#core/domain/wallet/LedgerLine.ts"
import type { PageRequest } from "../shared/PageRequest.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"

export interface WalletView {
  readonly account: Account
  /** The open holds, earliest expiry first. */
  readonly holds: ReadonlyArray<Hold>
}

export interface LedgerPage {
  /** Newest first. */
  readonly entries: ReadonlyArray<LedgerEntry>
  readonly nextBeforeId: EntryId | null
}

/** Entries that one page of lines examines, unless told otherwise: its time does not grow with the ledger. */
export const EXAMINED_ENTRIES = 1_000

export interface LedgerLinePage {
  /** The line that moved last first. */
  readonly lines: ReadonlyArray<LedgerLine>
  /** The `beforeId` of the next page, which may follow a page that is not full: then no more entries were to be examined. */
  readonly nextBeforeId: EntryId | null
}

export interface AccountPage {
  /** Newest first. */
  readonly accounts: ReadonlyArray<Account>
  readonly nextBeforeId: AccountId | null
}

export class Wallets extends Context.Service<
  Wallets,
  {
    readonly of: (accountId: AccountId) => Effect.Effect<WalletView | null, StoreUnavailable>
    readonly ledger: (
      query: PageRequest<EntryId> & { readonly accountId: AccountId }
    ) => Effect.Effect<LedgerPage, StoreUnavailable>
    /**
     * All that each purchase moved is one line, at the place of its newest movement. `beforeId`: the newest movement of the last line that
     * was shown, or where the page before stopped.
     */
    readonly ledgerLines: (
      query: PageRequest<EntryId> & {
        readonly accountId: AccountId
        /** The most entries examined for a page; `EXAMINED_ENTRIES` unless given. */
        readonly examine?: number
      }
    ) => Effect.Effect<LedgerLinePage, StoreUnavailable>
    /** The entry of this kind with this reference, of which an account has one. */
    readonly referring: (
      query: Required<Pick<LedgerEntry, "accountId" | "kind" | "reference">>
    ) => Effect.Effect<LedgerEntry | null, StoreUnavailable>
    /** `day` counts UTC days since the epoch. */
    readonly dailyUsage: (keyId: KeyId, day: number) => Effect.Effect<DailyUsage, StoreUnavailable>
    /** Accounts that owe something of refunded or disputed top-ups, the most first. */
    readonly owing: (query: { readonly limit: number }) => Effect.Effect<ReadonlyArray<Account>, StoreUnavailable>
    /** `text` is found in an id, a name, or an address of the account or a member; upper and lower case are the same. */
    readonly accounts: (
      query: PageRequest<AccountId> & { readonly text?: string }
    ) => Effect.Effect<AccountPage, StoreUnavailable>
  }
>()("backlinks/ports/wallet/Wallets") {}
