// An account's prepaid credit: the balance, what open quotes hold of it, and the movements that change both.
// Invariant: 0 ≤ held ≤ balance. A movement that would break it fails and is never written.
import { Result, Schema } from "effect"
import { Cents } from "../pricing/Money.ts"

export const Wallet = Schema.Struct({
  balanceCents: Cents,
  heldCents: Cents
})
export type Wallet = typeof Wallet.Type

export const emptyWallet: Wallet = { balanceCents: 0, heldCents: 0 }

export const availableCents = (wallet: Wallet): Cents => wallet.balanceCents - wallet.heldCents

export type Movement =
  /** Money that was paid in ahead. */
  | { readonly kind: "top_up"; readonly cents: Cents }
  /** A payment whose quote could no longer become an order. */
  | { readonly kind: "late_payment"; readonly cents: Cents }
  /** The net price of a cancelled link. */
  | { readonly kind: "recredit"; readonly cents: Cents }
  /** Lowers the balance: a mistyped top-up, or money that the processor gave back. */
  | { readonly kind: "adjustment"; readonly cents: Cents }
  /** Gives back what an adjustment took: the dispute of a top-up was won. */
  | { readonly kind: "adjustment_reversed"; readonly cents: Cents }
  | { readonly kind: "hold"; readonly cents: Cents }
  | { readonly kind: "release"; readonly cents: Cents }
  /** Spends credit on an order: what its quote held, or what is free, where credit covers an order at once or its hold was released. */
  | { readonly kind: "capture"; readonly cents: Cents; readonly from: "hold" | "free" }

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
    case "adjustment_reversed":
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
