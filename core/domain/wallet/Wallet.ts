// An account's prepaid credit: the balance, what open quotes hold of it, and the movements that change both.
// Invariant: 0 ≤ held ≤ balance. A movement that would break it fails and is never written.
import { Result, Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, EntryId, HoldId, LinkId, OrderId, QuoteId } from "../shared/Ids.ts"

export const Wallet = Schema.Struct({
  balanceCents: Cents,
  heldCents: Cents
})
export type Wallet = typeof Wallet.Type

export const emptyWallet: Wallet = { balanceCents: 0, heldCents: 0 }

export const availableCents = (wallet: Wallet): Cents => wallet.balanceCents - wallet.heldCents

/** How many holds a balance lists. */
export const MAX_HOLDS = 50

/** Credit held for one open quote. It ends once: captured by the order, or released when the quote is abandoned. */
export const Hold = Schema.Struct({
  holdId: HoldId,
  accountId: AccountId,
  quoteId: QuoteId,
  cents: Cents,
  state: Schema.Literals(["open", "captured", "released"]),
  expiresAtMs: Millis
})
export type Hold = typeof Hold.Type

export type Movement =
  /** A deposit. */
  | { readonly kind: "top_up"; readonly cents: Cents }
  /** A payment whose quote could no longer become an order. */
  | { readonly kind: "late_payment"; readonly cents: Cents }
  /** The net price of a cancelled link. */
  | { readonly kind: "recredit"; readonly cents: Cents }
  /** Lowers the balance: a mistyped top-up, or money that the processor gave back. */
  | { readonly kind: "adjustment"; readonly cents: Cents }
  | { readonly kind: "hold"; readonly cents: Cents }
  | { readonly kind: "release"; readonly cents: Cents }
  /** Spends credit on an order: what its quote held, or, where credit covers an order at once, what was free. */
  | { readonly kind: "capture"; readonly cents: Cents; readonly from: "hold" | "free" }

/** Movements that are no part of paying a quote. */
export const CREDIT_KINDS = ["top_up", "late_payment", "recredit", "adjustment"] as const

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
  /** The payer's reference of an idempotent top-up or an adjustment, unique among those of the account. */
  reference: Schema.optionalKey(Schema.String),
  atMs: Millis
})
export type LedgerEntry = typeof LedgerEntry.Type

export class Overdrawn {
  readonly _tag = "Overdrawn"
  readonly movement: Movement
  readonly wallet: Wallet
  constructor(movement: Movement, wallet: Wallet) {
    this.movement = movement
    this.wallet = wallet
  }
}

interface Deltas {
  readonly balanceCents: Cents
  readonly heldCents: Cents
}

const deltas = (movement: Movement): Deltas => {
  const { kind, cents } = movement
  switch (kind) {
    case "top_up":
    case "late_payment":
    case "recredit":
      return { balanceCents: cents, heldCents: 0 }
    case "adjustment":
      return { balanceCents: -cents, heldCents: 0 }
    case "hold":
      return { balanceCents: 0, heldCents: cents }
    case "release":
      return { balanceCents: 0, heldCents: -cents }
    case "capture":
      return { balanceCents: -cents, heldCents: movement.from === "hold" ? -cents : 0 }
  }
}

/** Applies a movement of a positive whole amount. Fails if it would break the invariant. */
export const move = (
  wallet: Wallet,
  movement: Movement
): Result.Result<{ readonly wallet: Wallet; readonly deltas: Deltas }, Overdrawn> => {
  const change = deltas(movement)
  const moved = {
    balanceCents: wallet.balanceCents + change.balanceCents,
    heldCents: wallet.heldCents + change.heldCents
  }
  const isValid =
    Number.isSafeInteger(movement.cents) &&
    movement.cents > 0 &&
    Number.isSafeInteger(moved.balanceCents) &&
    moved.heldCents >= 0 &&
    moved.heldCents <= moved.balanceCents
  return isValid ? Result.succeed({ wallet: moved, deltas: change }) : Result.fail(new Overdrawn(movement, wallet))
}
