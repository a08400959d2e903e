// What the bench knows of prepaid credit: each wallet as its last ledger entry left it, a short history and the last entries.
// One part of the model. It repeats what the ledger says and computes no money of its own.
import type { Millis } from "#core/domain/DecisionContext.ts"
import type { Cents } from "#core/domain/Money.ts"
import type { MovementKind } from "#core/domain/Wallet.ts"
import type { BenchEvent, WalletEvent } from "../events/BenchEvent.ts"
import { append, appendSparing, changeLast } from "./BoundedList.ts"

export type Movement = Extract<WalletEvent, { readonly _tag: "WalletMoved" }> & { readonly atMs: Millis }

export interface LedgerRow {
  readonly entryId: string
  readonly atMs: Millis
  readonly kind: MovementKind
  readonly amountCents: Cents
  readonly balanceCents: Cents
  readonly heldCents: Cents
  readonly availableCents: Cents
  /** The order it belongs to, else the quote; `null` for a top-up. */
  readonly about: string | null
}

export interface WalletRow {
  readonly accountId: string
  readonly name: string
  readonly balanceCents: Cents
  readonly heldCents: Cents
  readonly availableCents: Cents
  /** Available credit after each of the last movements, oldest first. */
  readonly history: ReadonlyArray<Cents>
  readonly ledger: ReadonlyArray<LedgerRow>
  readonly changedAtMs: Millis
}

export const MAX_WALLETS = 32
export const MAX_LEDGER_ENTRIES = 100
export const MAX_HISTORY = 240

const emptyWallet = (accountId: string, name: string, atMs: Millis): WalletRow => ({
  accountId,
  name,
  balanceCents: 0,
  heldCents: 0,
  availableCents: 0,
  history: [],
  ledger: [],
  changedAtMs: atMs
})

const open = (wallets: ReadonlyArray<WalletRow>, accountId: string, name: string, atMs: Millis) => {
  if (wallets.some((row) => row.accountId === accountId)) return wallets
  const longestAgo = Math.min(...wallets.map(({ changedAtMs }) => changedAtMs))
  const wallet = emptyWallet(accountId, name, atMs)
  return appendSparing(wallets, wallet, MAX_WALLETS, ({ changedAtMs }) => changedAtMs === longestAgo)
}

const moved = (wallet: WalletRow, movement: Movement): WalletRow => {
  const { entryId, kind, amountCents, balanceCents, heldCents, availableCents, quoteId, orderId, atMs } = movement
  if (wallet.ledger.some((entry) => entry.entryId === entryId)) return wallet
  const about = orderId ?? quoteId
  const entry = { entryId, atMs, kind, amountCents, balanceCents, heldCents, availableCents, about }
  return {
    ...wallet,
    balanceCents,
    heldCents,
    availableCents,
    history: append(wallet.history, availableCents, MAX_HISTORY),
    ledger: append(wallet.ledger, entry, MAX_LEDGER_ENTRIES),
    changedAtMs: atMs
  }
}

export const reduceWallets = (wallets: ReadonlyArray<WalletRow>, event: BenchEvent): ReadonlyArray<WalletRow> => {
  switch (event._tag) {
    case "ServiceOpened":
      return []
    case "WalletOpened":
      return open(wallets, event.accountId, event.name, event.atMs)
    case "WalletMoved":
      return changeLast(
        open(wallets, event.accountId, event.accountId, event.atMs),
        ({ accountId }) => accountId === event.accountId,
        (wallet) => moved(wallet, event)
      )
    default:
      return wallets
  }
}
