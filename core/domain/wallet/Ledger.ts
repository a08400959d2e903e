// The ledger: every movement of an account's credit, with its effect and the wallet after it.
import { Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, EntryId, LinkId, OrderId, QuoteId } from "../shared/Ids.ts"

/** Movements that are no part of paying a quote. */
export const CREDIT_KINDS = ["top_up", "late_payment", "recredit", "adjustment", "adjustment_reversed"] as const

export const MovementKind = Schema.Literals([...CREDIT_KINDS, "hold", "release", "capture"])
export type MovementKind = typeof MovementKind.Type

/** One entry of the append-only ledger. `amountCents` is positive; the deltas are its effect on the wallet. */
export const LedgerEntry = Schema.Struct({
  entryId: EntryId,
  accountId: AccountId,
  kind: MovementKind,
  amountCents: Cents,
  balanceDeltaCents: Cents,
  heldDeltaCents: Cents,
  balanceAfterCents: Cents,
  heldAfterCents: Cents,
  quoteId: Schema.NullOr(QuoteId),
  orderId: Schema.NullOr(OrderId),
  linkId: Schema.NullOr(LinkId),
  /** The payer's reference of an idempotent top-up, or the cause of an adjustment or its reversal; unique for each kind of the account. */
  reference: Schema.optionalKey(Schema.String),
  atMs: Millis
})
export type LedgerEntry = typeof LedgerEntry.Type
