// Money that the payment processor gave back, or may have to: a refund, or a payer's dispute.
import type { Millis } from "./DecisionContext.ts"
import { type Cents, sum } from "./Money.ts"

export interface Reversal {
  /** The processor's id of the refunded charge, or of the dispute. */
  readonly reversalId: string
  readonly quoteId: string
  readonly kind: "refund" | "dispute"
  /** In all: further refunds of a charge raise it. */
  readonly cents: Cents
  /** A refund is `final` at once; a dispute is `open` until it is lost (`final`) or `won`. */
  readonly state: "open" | "final" | "won"
  /** What was taken back from the account because it had the money as credit already. */
  readonly takenBackCents: Cents
  readonly atMs: Millis
}

/** What has gone back for good. */
export const goneCents = (reversals: ReadonlyArray<Reversal>): Cents =>
  sum(reversals.filter(({ state }) => state === "final").map(({ cents }) => cents))

/** What has gone back, or will if open disputes are lost. */
export const atRiskCents = (reversals: ReadonlyArray<Reversal>): Cents =>
  sum(reversals.filter(({ state }) => state !== "won").map(({ cents }) => cents))

/** The dispute that keeps links from being worked on. */
export const blockingDispute = (reversals: ReadonlyArray<Reversal>): Reversal | undefined =>
  reversals.find(({ kind, state }) => kind === "dispute" && state !== "won")

/** What is known of a reversal after a further notice; notices may come repeatedly and in any order. */
export const later = (known: Reversal | undefined, told: Reversal): Reversal =>
  known === undefined
    ? told
    : {
        ...known,
        cents: Math.max(known.cents, told.cents),
        state: known.state === "open" ? told.state : known.state
      }
