// Refusals to give up what another credential made, or what only a human or the operator may cancel.
import { Schema } from "effect"

/** Only the credential that made a quote, and humans of its account, abandon it. */
export class QuoteOfAnother extends Schema.TaggedError<QuoteOfAnother>()("QuoteOfAnother", {
  quoteId: Schema.String
}) {}

/** `another`: another credential placed the order; `human`: a human placed, paid for or approved it. */
export class OrderNotCancellable extends Schema.TaggedError<OrderNotCancellable>()("OrderNotCancellable", {
  orderId: Schema.String,
  decidedBy: Schema.Literals(["another", "human"])
}) {}

/** These links, of those that were asked for, are assigned or further, or cancelled. */
export class LinksNotCancellable extends Schema.TaggedError<LinksNotCancellable>()("LinksNotCancellable", {
  orderId: Schema.String,
  links: Schema.Array(Schema.Struct({ linkId: Schema.String, status: Schema.String }))
}) {}

/** The order has no such link; `position` is that in the request. */
export class LinkNotOfOrder extends Schema.TaggedError<LinkNotOfOrder>()("LinkNotOfOrder", {
  orderId: Schema.String,
  linkId: Schema.String,
  position: Schema.Int
}) {}

export type CancelRefusal = LinkNotOfOrder | LinksNotCancellable | OrderNotCancellable | QuoteOfAnother
