// Writes changes that no decision makes, for reconciliation to find. Limited to those that the database's constraints let pass.
import { Effect, Result } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Decided } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { DecisionContext } from "#core/domain/shared/DecisionContext.ts"
import type { LinkId, QuoteId } from "#core/domain/shared/Ids.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { type Movement, move, type Wallet } from "#core/domain/wallet/Wallet.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"

export type CorruptChanges = (books: Books, context: DecisionContext) => ReadonlyArray<Change>

/** Commits the changes as if a decision had made them. */
export const writeCorrupt = Effect.fnUntraced(function* (reads: Reads, changes: CorruptChanges) {
  const book = yield* OrderBook
  const decide = (books: Books, context: DecisionContext): Result.Result<Decided<void>, never> =>
    Result.succeed({ reply: undefined, changes: changes(books, context) })
  yield* book.transact(reads, decide)
})

export const corruptQuote = (quoteId: QuoteId, changes: CorruptChanges) =>
  writeCorrupt({ _tag: "ForQuote", quoteId }, changes)

export const corruptLink = (linkId: LinkId, changes: CorruptChanges) =>
  writeCorrupt({ _tag: "ForLink", linkId }, changes)

/** A correct ledger entry that follows from this wallet, except for `over`. */
export const ledgerEntryAfter = (
  wallet: Wallet,
  movement: Movement,
  over: Partial<LedgerEntry> & Pick<LedgerEntry, "accountId" | "entryId">
): LedgerEntry => {
  const { wallet: after, deltas } = Result.getOrThrow(move(wallet, movement))
  return {
    kind: movement.kind,
    amountCents: movement.cents,
    balanceDeltaCents: deltas.balanceCents,
    heldDeltaCents: deltas.heldCents,
    balanceAfterCents: after.balanceCents,
    heldAfterCents: after.heldCents,
    quoteId: null,
    orderId: null,
    linkId: null,
    atMs: 0,
    ...over
  }
}
