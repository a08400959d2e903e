// Refusals to give up what another credential made, or what only a human or the operator may cancel.
import { Schema } from "effect"
import { LinkId, OrderId, QuoteId } from "../shared/Ids.ts"
import { WhoCan } from "./Cancelling.ts"

/** Only the credential that made a quote, and humans of its account, abandon it. */
export class QuoteOfAnother extends Schema.TaggedError<QuoteOfAnother>()("QuoteOfAnother", {
  quoteId: QuoteId
}) {}

/** `another`: another credential placed the order; `human`: a human placed, paid for or approved it. `whoCan` cancel what was asked for. */
export class OrderNotCancellable extends Schema.TaggedError<OrderNotCancellable>()("OrderNotCancellable", {
  orderId: OrderId,
  decidedBy: Schema.Literals(["another", "human"]),
  whoCan: WhoCan
}) {}

/** The payment was refunded or is disputed: only the operator knows what is still to be given back. */
export class OrderPaymentReversed extends Schema.TaggedError<OrderPaymentReversed>()("OrderPaymentReversed", {
  orderId: OrderId
}) {}

/** These links, of those that were asked for, are assigned or further. */
export class LinksNotCancellable extends Schema.TaggedError<LinksNotCancellable>()("LinksNotCancellable", {
  orderId: OrderId,
  links: Schema.Array(Schema.Struct({ linkId: LinkId, status: Schema.String }))
}) {}

/** The order has no such link; `position` is that in the request. */
export class LinkNotOfOrder extends Schema.TaggedError<LinkNotOfOrder>()("LinkNotOfOrder", {
  orderId: OrderId,
  linkId: LinkId,
  position: Schema.Int
}) {}

export type CancelRefusal =
  | LinkNotOfOrder
  | LinksNotCancellable
  | OrderNotCancellable
  | OrderPaymentReversed
  | QuoteOfAnother
