// An account's complete ledger, read page by page, and its consistency.
import { Effect } from "effect"
import { expect } from "vitest"
import { sum } from "#core/domain/pricing/Money.ts"
import type { AccountId, EntryId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"

/** Oldest first. */
export const ledgerOf = Effect.fnUntraced(function* (accountId: AccountId) {
  const wallets = yield* Wallets
  const newestFirst: Array<LedgerEntry> = []
  let beforeId: EntryId | null = null
  do {
    const page: { readonly entries: ReadonlyArray<LedgerEntry>; readonly nextBeforeId: EntryId | null } =
      yield* wallets.ledger({ accountId, limit: 50, beforeId })
    newestFirst.push(...page.entries)
    beforeId = page.nextBeforeId
  } while (beforeId !== null)
  return newestFirst.reverse()
})

/** Kind and amount of each entry, short enough for an expectation. */
export const movements = (accountId: AccountId) =>
  Effect.map(ledgerOf(accountId), (entries) => entries.map(({ kind, amountCents }) => `${kind} ${amountCents}`))

/**
 * Expects every entry to follow from the one before, nothing overdrawn, and the open holds to add up; returns the wallet. Stated
 * independently of core/decisions/Invariants, from what the port returns.
 */
export const expectConsistentWallet = Effect.fnUntraced(function* (accountId: AccountId) {
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
