// What a payment processor reports unasked: payments, sessions that end without one, refunds and disputes.

import type { ChargeId, PayableId, PaymentSessionId, QuoteId } from "../shared/Ids.ts"
import type { PaymentFor } from "./Quote.ts"
import type { Reversal } from "./Reversal.ts"

/** What a refund or a dispute says, and for what the money had been paid. */
export interface ReversalNotice<Id extends PayableId = QuoteId>
  extends Pick<Reversal, "reversalId" | "kind" | "cents" | "state"> {
  readonly quoteId: Id
}

export type ProcessorNotice =
  | { readonly _tag: "Payment"; readonly payment: PaymentFor<PayableId>; readonly sessionId: PaymentSessionId }
  /** The session of a quote has no payment: a bank debit is under way, or it ended, or its bank debit failed. */
  | {
      readonly _tag: "Unpaid"
      readonly quoteId: PayableId
      readonly sessionId: PaymentSessionId
      readonly outcome: "pending" | "expired"
    }
  | { readonly _tag: "Refund"; readonly chargeId: ChargeId; readonly reversal: ReversalNotice<PayableId> }
  /** Names its charge; only the charge names the quote or the top-up. */
  | { readonly _tag: "Dispute"; readonly chargeId: ChargeId; readonly reversal: Omit<ReversalNotice, "quoteId"> }
