// Money that came in for a quote and does not fit it. It settles nothing and is no credit until the operator says what became of it.
import type { Millis } from "./DecisionContext.ts"
import type { Payment } from "./Quote.ts"

/** `refunded`: the operator gave it back at the processor. `credited`: it became prepaid credit of the quote's account. */
export type SetAsideOutcome = "refunded" | "credited"

export interface PaymentSetAside extends Payment {
  /** `session`: it fits, but was made in another session than the quote's own. */
  readonly reason: "amount" | "currency" | "session"
  readonly atMs: Millis
  /** `null` until the operator has decided; final then. */
  readonly outcome: SetAsideOutcome | null
}

/** The payments of one currency that wait for the operator's decision: how many, and their sum. */
export interface SetAsideOpen {
  readonly currency: string
  readonly count: number
  readonly cents: number
}
