// An account's whole ledger, read page by page, and the invariants that hold of it whatever happened.
import { Effect } from "effect"
import { expect } from "vitest"
import { sum } from "#core/domain/Money.ts"
import type { LedgerEntry } from "#core/domain/Wallet.ts"
import { Wallets } from "#core/ports/Wallets.ts"

/** Oldest first. */
export const ledgerOf = Effect.fnUntraced(function* (accountId: string) {
  const wallets = yield* Wallets
  const newestFirst: Array<LedgerEntry> = []
  let beforeId: string | null = null
  do {
    const page: { readonly entries: ReadonlyArray<LedgerEntry>; readonly nextBeforeId: string | null } =
      yield* wallets.ledger({ accountId, limit: 50, beforeId })
    newestFirst.push(...page.entries)
    beforeId = page.nextBeforeId
  } while (beforeId !== null)
  return newestFirst.reverse()
})

/** What moved, in words short enough for an expectation. */
export const movements = (accountId: string) =>
  Effect.map(ledgerOf(accountId), (entries) => entries.map(({ kind, amountCents }) => `${kind} ${amountCents}`))

/** Every entry builds on the one before; nothing is overdrawn; open holds are what is held. Answers the wallet. */
export const expectConsistentWallet = Effect.fnUntraced(function* (accountId: string) {
  const wallets = yield* Wallets
  const view = yield* wallets.of(accountId)
  if (view === null) throw new Error(`no account ${accountId}`)
  const { wallet } = view.account
  let balanceCents = 0
  let heldCents = 0
  for (const entry of yield* ledgerOf(accountId)) {
    balanceCents += entry.balanceDeltaCents
    heldCents += entry.heldDeltaCents
    expect(entry).toMatchObject({ balanceAfterCents: balanceCents, heldAfterCents: heldCents })
    expect(heldCents).toBeGreaterThanOrEqual(0)
    expect(heldCents).toBeLessThanOrEqual(balanceCents)
  }
  expect(wallet).toEqual({ balanceCents, heldCents })
  expect(sum(view.holds.map(({ cents }) => cents))).toBe(heldCents)
  return wallet
})
