// Refusals of a payment, and of the operator's decision about money that was set aside.
import { Schema } from "effect"
import { PayableId, PaymentId, QuoteId } from "../shared/Ids.ts"

/** The quote cannot be abandoned: money is under way for it, which cannot be stopped. */
export class PaymentUnderWay extends Schema.TaggedError<PaymentUnderWay>()("PaymentUnderWay", {
  quoteId: QuoteId
}) {}

/** A payment notice that does not match its quote and moved no money, or money that cannot become credit. Nothing is written. */
export class PaymentMismatch extends Schema.TaggedError<PaymentMismatch>()("PaymentMismatch", {
  quoteId: PayableId,
  reason: Schema.Literals(["amount", "currency"])
}) {}

/** Payments cannot be simulated: a real processor takes them. */
export class PaymentsAreReal extends Schema.TaggedError<PaymentsAreReal>()("PaymentsAreReal", {}) {}

/** No money with that id is set aside. */
export class PaymentNotFound extends Schema.TaggedError<PaymentNotFound>()("PaymentNotFound", {
  paymentId: PaymentId
}) {}

/** What became of the money was recorded before, with another outcome. */
export class PaymentResolved extends Schema.TaggedError<PaymentResolved>()("PaymentResolved", {
  paymentId: PaymentId,
  outcome: Schema.Literals(["refunded", "credited"])
}) {}

export type PaymentRefusal = PaymentMismatch | PaymentNotFound | PaymentResolved | PaymentUnderWay | PaymentsAreReal
