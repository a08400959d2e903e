// Money that the payment processor gave back, or may have to: a refund, or a payer's dispute.
import { Schema } from "effect"
import { Cents, sum } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { QuoteId, ReversalId } from "../shared/Ids.ts"

export const Reversal = Schema.Struct({
  /** The processor's id of the refunded charge, or of the dispute. */
  reversalId: ReversalId,
  quoteId: QuoteId,
  kind: Schema.Literals(["refund", "dispute"]),
  /** In all: further refunds of a charge raise it. */
  cents: Cents,
  /** A refund is `final` at once; a dispute is `open` until it is lost (`final`) or `won`. */
  state: Schema.Literals(["open", "final", "won"]),
  /** What was taken back from the account because it had the money as credit already. */
  takenBackCents: Cents,
  atMs: Millis
})
export type Reversal = typeof Reversal.Type

/** What has gone back for good. */
export const goneCents = (reversals: ReadonlyArray<Reversal>): Cents =>
  sum(reversals.filter(({ state }) => state === "final").map(({ cents }) => cents))

/** What has gone back, or will if open disputes are lost. */
export const atRiskCents = (reversals: ReadonlyArray<Reversal>): Cents =>
  sum(reversals.filter(({ state }) => state !== "won").map(({ cents }) => cents))

/** Whether the payment was refunded, or is disputed; a dispute that was won leaves it as it was. */
export const isReversed = (reversals: ReadonlyArray<Reversal>): boolean =>
  reversals.some(({ state }) => state !== "won")

/** The dispute that keeps links from being worked on. */
export const blockingDispute = (reversals: ReadonlyArray<Reversal>): Reversal | undefined =>
  reversals.find(({ kind, state }) => kind === "dispute" && state !== "won")

/** What is known of a reversal after a further notice; notices may come repeatedly and in any order. */
export const later = <Told extends Pick<Reversal, "cents" | "state">>(known: Told | undefined, told: Told): Told =>
  known === undefined
    ? told
    : {
        ...known,
        cents: Math.max(known.cents, told.cents),
        state: known.state === "open" ? told.state : known.state
      }
