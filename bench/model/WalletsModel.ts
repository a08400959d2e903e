// The part of the model about prepaid credit: each wallet after its last ledger entry, its history and its last entries. Every
// amount is the ledger's own.

import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import type { BenchEvent, EventOf, WalletAmounts } from "../events/BenchEvent.ts"
import { append, appendOver, changeLast } from "./BoundedList.ts"

export type WalletMovement = EventOf<"WalletMoved">

export interface LedgerRow
  extends Pick<WalletMovement, "entryId" | "atMs" | "kind" | "amountCents" | "heldDeltaCents" | keyof WalletAmounts> {
  /** The order it is for, else the quote; `null` for a top-up. */
  readonly about: string | null
}

export interface WalletRow extends WalletAmounts {
  readonly accountId: AccountId
  readonly name: string
  /** Available credit after each of the last movements, oldest first. */
  readonly history: ReadonlyArray<Cents>
  readonly ledger: ReadonlyArray<LedgerRow>
  readonly changedAtMs: Millis
}

export const MAX_WALLETS = 32
export const MAX_LEDGER_ENTRIES = 100
export const MAX_HISTORY = 240

const open = (wallets: ReadonlyArray<WalletRow>, accountId: AccountId, name: string, atMs: Millis) => {
  if (wallets.some((row) => row.accountId === accountId)) return wallets
  const wallet: WalletRow = {
    accountId,
    name,
    balanceCents: 0,
    heldCents: 0,
    availableCents: 0,
    history: [],
    ledger: [],
    changedAtMs: atMs
  }
  const oldestChange = Math.min(...wallets.map(({ changedAtMs }) => changedAtMs))
  return appendOver(wallets, wallet, MAX_WALLETS, ({ changedAtMs }) => changedAtMs === oldestChange)
}

const moved = (wallet: WalletRow, movement: WalletMovement): WalletRow => {
  const { entryId, kind, amountCents, heldDeltaCents, quoteId, orderId, atMs } = movement
  const { balanceCents, heldCents, availableCents } = movement
  if (wallet.ledger.some((entry) => entry.entryId === entryId)) return wallet
  const about = orderId ?? quoteId
  const entry = { entryId, atMs, kind, amountCents, heldDeltaCents, balanceCents, heldCents, availableCents, about }
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
