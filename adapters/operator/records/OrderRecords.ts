// Orders and quotes on the operator plane, without the payment token, which grants access to the payment page.
import { Schema, Struct } from "effect"
import { Link } from "#core/domain/ordering/Link.ts"
import { Order, OrderStatus } from "#core/domain/ordering/Order.ts"
import { Quote as CoreQuote, QuoteLine } from "#core/domain/ordering/Quote.ts"
import { Reversal } from "#core/domain/ordering/Reversal.ts"
import { Millis } from "#core/domain/shared/DecisionContext.ts"

export const OrderDetails = Schema.Struct({
  order: Schema.Struct(Struct.omit(Order.fields, ["linkIds"])),
  status: OrderStatus,
  links: Schema.Array(Link),
  /** Only where an order is shown by its id. */
  reversals: Schema.optionalKey(Schema.Array(Schema.Struct(Struct.omit(Reversal.fields, ["quoteId"]))))
})
export type OrderDetails = typeof OrderDetails.Type

/**
 * A link of the work queue. `dueAtMs` is null where its quote promised nothing. `atRisk`: credit paid it that came from a top-up which was
 * refunded or disputed, and the account owes that.
 */
export const QueuedLink = Schema.Struct({
  ...Link.fields,
  dueAtMs: Schema.NullOr(Millis),
  overdue: Schema.Boolean,
  atRisk: Schema.optionalKey(Schema.Literal(true))
})
export type QueuedLink = typeof QueuedLink.Type

const Line = Schema.Struct(Struct.pick(QuoteLine.fields, ["domain", "shelf", "priceCents", "netCents"]))

export const Quote = Schema.Struct({
  ...Struct.pick(CoreQuote.fields, ["quoteId", "accountId", "keyId", "mode"]),
  lines: Schema.Array(Line),
  ...Struct.pick(CoreQuote.fields, [
    "grossCents",
    "totalCents",
    "creditCents",
    "cardCents",
    "status",
    "abandonedBy",
    "orderId",
    "creditedCents",
    "idempotencyKey",
    "sessionId",
    "createdAtMs",
    "expiresAtMs",
    "paymentPendingAtMs",
    "approvedBy",
    "approvedAtMs",
    "declinedReason",
    "reference"
  ])
})
export type Quote = typeof Quote.Type
