// A hold: the credit that an open quote keeps from being spent elsewhere.
import { Schema } from "effect"
import { Cents } from "../pricing/Money.ts"
import { Millis } from "../shared/DecisionContext.ts"
import { AccountId, HoldId, QuoteId } from "../shared/Ids.ts"

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
