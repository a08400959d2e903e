// The refusal of an order whose quote would reserve too much beside the open quotes of its account.
import { Schema } from "effect"
import { QuoteId } from "../shared/Ids.ts"

/** An open quote of the account, and the articles that it reserves: none where the refusal is about a promo code. */
const OpenReservation = Schema.Struct({
  quoteId: QuoteId,
  expiresAtMs: Schema.Int,
  articleIds: Schema.Array(Schema.Int)
})
export type OpenReservation = typeof OpenReservation.Type

/** Open quotes of the account would reserve more than `limit`; `promoCode` is `null` for articles. The first to expire comes first. */
export class TooManyReservations extends Schema.TaggedError<TooManyReservations>()("TooManyReservations", {
  promoCode: Schema.NullOr(Schema.String),
  limit: Schema.Int,
  reserved: Schema.Int,
  requested: Schema.Int,
  open: Schema.Array(OpenReservation),
  /** The limit is that of a self-opened account, and ends with its first payment. */
  untilFirstPayment: Schema.optionalKey(Schema.Literal(true))
}) {}
