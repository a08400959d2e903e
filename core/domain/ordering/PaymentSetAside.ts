// Money that came in for a quote or a top-up and cannot be booked: it does not fit its quote, or the account is closed. It settles
// nothing and is no credit until the operator says what became of it.
import { Schema } from "effect"
import { Millis } from "../shared/DecisionContext.ts"
import { PayableId } from "../shared/Ids.ts"
import { Payment } from "./Quote.ts"

/** `refunded`: the operator gave it back at the processor. `credited`: it became prepaid credit of the account. */
export const SetAsideOutcome = Schema.Literals(["refunded", "credited"])
export type SetAsideOutcome = typeof SetAsideOutcome.Type

export const PaymentSetAside = Schema.Struct({
  ...Payment.fields,
  /** The quote or the top-up that it was paid for. */
  quoteId: PayableId,
  /** `session`: it fits, but was made in another session than the quote's own. `closed`: it would be credit of a closed account. */
  reason: Schema.Literals(["amount", "currency", "session", "closed"]),
  atMs: Millis,
  /** `null` until the operator has decided; final then. */
  outcome: Schema.NullOr(SetAsideOutcome)
})
export type PaymentSetAside = typeof PaymentSetAside.Type

/** The payments of one currency that wait for the operator's decision: how many, and their sum. */
export interface SetAsideOpen {
  readonly currency: string
  readonly count: number
  readonly cents: number
}
