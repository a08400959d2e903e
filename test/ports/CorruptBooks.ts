// Changes that no decision would make, written as if one had: what reconciliation is there to find. The database itself refuses
// many more; these are what its constraints let pass.
import { Effect, Result } from "effect"
import type { Books } from "#core/decisions/Books.ts"
import type { Change } from "#core/decisions/Change.ts"
import type { Decided } from "#core/decisions/Draft.ts"
import type { Reads } from "#core/decisions/Reads.ts"
import type { DecisionContext } from "#core/domain/DecisionContext.ts"
import { type LedgerEntry, type Movement, move, type Wallet } from "#core/domain/Wallet.ts"
import { OrderBook } from "#core/ports/OrderBook.ts"

export type CorruptChanges = (books: Books, moment: DecisionContext) => ReadonlyArray<Change>

/** Writes them, unlawful as they are. */
export const writeCorrupt = Effect.fnUntraced(function* (reads: Reads, misdeed: CorruptChanges) {
  const book = yield* OrderBook
  const decide = (books: Books, moment: DecisionContext): Result.Result<Decided<void>, never> =>
    Result.succeed({ reply: undefined, changes: misdeed(books, moment) })
  yield* book.transact(reads, decide)
})

export const corruptQuote = (quoteId: string, misdeed: CorruptChanges) =>
  writeCorrupt({ _tag: "ForQuote", quoteId }, misdeed)

export const corruptLink = (linkId: string, misdeed: CorruptChanges) =>
  writeCorrupt({ _tag: "ForLink", linkId }, misdeed)

/** A line that follows from this wallet, but for what is said otherwise. */
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
