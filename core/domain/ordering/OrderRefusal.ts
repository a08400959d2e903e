// Refusals of an order, a quote or a link: not found, in another state, or over the daily cap.
import { Schema } from "effect"
import { KeyId, LinkId, OrderId, QuoteId } from "../shared/Ids.ts"
import { QuoteStatus } from "./QuoteStatus.ts"

export class QuoteNotFound extends Schema.TaggedError<QuoteNotFound>()("QuoteNotFound", {
  quoteId: QuoteId,
  /**
   * Set where it was sought by idempotency key: what an order under that key would be now. `once`: made once at most. `again`: perhaps for a
   * second time, because sandbox orders are deleted with their keys. `forbidden`: the caller may not order.
   */
  soughtBy: Schema.optionalKey(Schema.Literals(["once", "again", "forbidden"]))
}) {}

export class OrderNotFound extends Schema.TaggedError<OrderNotFound>()("OrderNotFound", { orderId: OrderId }) {}

export class LinkNotFound extends Schema.TaggedError<LinkNotFound>()("LinkNotFound", { linkId: LinkId }) {}

export class DailyCapReached extends Schema.TaggedError<DailyCapReached>()("DailyCapReached", {
  limit: Schema.Int,
  used: Schema.Int,
  resetsAtMs: Schema.Int,
  retryAfterSeconds: Schema.Int
}) {}

export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {
  idempotencyKey: Schema.String,
  quoteId: QuoteId,
  /** The credential that used it, if it is not the caller, and what the account calls it. */
  placedBy: Schema.optionalKey(KeyId),
  label: Schema.optionalKey(Schema.String)
}) {}

/** The quote is in this state, in which it cannot be abandoned, paid or decided. */
export class QuoteNotOpen extends Schema.TaggedError<QuoteNotOpen>()("QuoteNotOpen", {
  quoteId: QuoteId,
  status: QuoteStatus
}) {}

/** The published URL is not on the site that the link was bought on. */
export class PublishedElsewhere extends Schema.TaggedError<PublishedElsewhere>()("PublishedElsewhere", {
  url: Schema.String,
  domain: Schema.String
}) {}

export class InvalidTransition extends Schema.TaggedError<InvalidTransition>()("InvalidTransition", {
  from: Schema.String,
  to: Schema.String,
  reason: Schema.String
}) {}

export type OrderRefusal =
  | DailyCapReached
  | IdempotencyKeyReused
  | InvalidTransition
  | LinkNotFound
  | OrderNotFound
  | PublishedElsewhere
  | QuoteNotFound
  | QuoteNotOpen
