// A refund or a dispute of a top-up: how much of the top-up it takes back, and how that is shared between free credit and debt.
import { Schema } from "effect"
import { Cents, sum } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { ChargeId, ReversalId, TopUpId } from "../shared/Ids.ts"
import type { TopUp } from "./TopUp.ts"

export const TopUpReversal = Schema.Struct({
  /** The processor's id of the refunded charge, or of the dispute. */
  reversalId: ReversalId,
  topUpId: TopUpId,
  /** Refunds and a dispute of one charge take back no more than it brought. */
  chargeId: ChargeId,
  kind: Schema.Literals(["refund", "dispute"]),
  /** In all: further refunds of a charge raise it. */
  cents: Cents,
  /** A refund is `final` at once; a dispute is `open` until it is lost (`final`) or `won`. */
  state: Schema.Literals(["open", "final", "won"]),
  atMs: Millis
})
export type TopUpReversal = typeof TopUpReversal.Type

/**
 * What the top-up is to give back: each charge as much as its refunds and disputes name, disputes from the day they begin, those that
 * were won not at all. Nothing before the top-up is paid: its payment may be reported later than its refund.
 */
export const reversedCentsDue = (
  { status, cents }: Pick<TopUp, "status" | "cents">,
  reversals: ReadonlyArray<Pick<TopUpReversal, "chargeId" | "cents" | "state">>
): Cents => {
  if (status !== "paid") return 0
  const counted = reversals.filter(({ state }) => state !== "won")
  const byCharge = Map.groupBy(counted, ({ chargeId }) => chargeId)
  return sum(Array.from(byCharge.values(), (ofCharge) => Math.min(cents, sum(ofCharge.map((one) => one.cents)))))
}

/** What is taken comes from free credit as far as it goes; the rest is owed. */
export const takeBack = (cents: Cents, availableCents: Cents): { readonly taken: Cents; readonly owed: Cents } => {
  const taken = Math.min(cents, availableCents)
  return { taken, owed: cents - taken }
}

/** What is given back strikes off what is owed first; only the rest was taken, and becomes credit again. */
export const giveBack = (cents: Cents, owedCents: Cents): { readonly struckOff: Cents; readonly credited: Cents } => {
  const struckOff = Math.min(cents, owedCents)
  return { struckOff, credited: cents - struckOff }
}
