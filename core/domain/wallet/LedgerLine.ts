// Lines of the ledger as people read it: all that one purchase moved, or one movement that belongs to none.
import { type Cents, sum } from "../pricing/Money.ts"
import type { EntryId, QuoteId } from "../shared/Ids.ts"
import type { LedgerEntry, MovementKind } from "./Ledger.ts"

/** Kinds by which a purchase takes credit and gives it back. A late payment is money that came in, and has a line for itself. */
export const PURCHASE_KINDS = ["hold", "release", "capture", "recredit"] as const satisfies ReadonlyArray<MovementKind>

export interface LedgerLine {
  readonly newest: LedgerEntry
  /** Oldest first; the newest is the last of them. */
  readonly movements: ReadonlyArray<LedgerEntry>
}

const isOfPurchase = ({ kind }: LedgerEntry): boolean => PURCHASE_KINDS.some((one) => one === kind)

/** Movements with the same key are one line. */
const lineKey = (entry: LedgerEntry): QuoteId | EntryId =>
  isOfPurchase(entry) && entry.quoteId !== null ? entry.quoteId : entry.entryId

/** The line of these movements, oldest first; `null` without any. */
export const lineOf = (movements: ReadonlyArray<LedgerEntry>): LedgerLine | null => {
  const newest = movements.at(-1)
  return newest === undefined ? null : { newest, movements }
}

const byId = (a: LedgerEntry, b: LedgerEntry): number => (a.entryId < b.entryId ? -1 : 1)

/** The lines of a whole ledger, the one that moved last first. */
export const linesOf = (entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<LedgerLine> =>
  Object.values(Object.groupBy(entries.toSorted(byId), lineKey))
    .flatMap((movements) => lineOf(movements ?? []) ?? [])
    .toSorted((a, b) => byId(b.newest, a.newest))

/** What a line came to: its effect on the balance so far. */
export const cameToCents = ({ movements }: LedgerLine): Cents =>
  sum(movements.map(({ balanceDeltaCents }) => balanceDeltaCents))

/** What a line still holds. */
export const stillHeldCents = ({ movements }: LedgerLine): Cents =>
  sum(movements.map(({ heldDeltaCents }) => heldDeltaCents))

/** How much a line moved by this kind. */
export const movedCents = ({ movements }: LedgerLine, of: MovementKind): Cents =>
  sum(movements.flatMap(({ kind, amountCents }) => (kind === of ? [amountCents] : [])))
