// Refusals of the operator's decision about money that was set aside.
import { Schema } from "effect"

/** No money with that id is set aside. */
export class PaymentNotFound extends Schema.TaggedError<PaymentNotFound>()("PaymentNotFound", {
  paymentId: Schema.String
}) {}

/** What became of the money was recorded before, with another outcome. */
export class PaymentResolved extends Schema.TaggedError<PaymentResolved>()("PaymentResolved", {
  paymentId: Schema.String,
  outcome: Schema.Literals(["refunded", "credited"])
}) {}

export type PaymentRefusal = PaymentNotFound | PaymentResolved
