// Refusals of a cart: its rules, its promotion code, and its total.
import { Schema } from "effect"
import { FieldPath } from "../shared/RequestRefusal.ts"

/** Each field is valid, but the request breaks rules that span fields or items. */
export class CartInvalid extends Schema.TaggedError<CartInvalid>()("CartInvalid", {
  faults: Schema.NonEmptyArray(Schema.Struct({ path: FieldPath, message: Schema.String }))
}) {}

export const PromoFault = Schema.Literals([
  "unknown",
  "not_started",
  "expired",
  "exhausted",
  "already_used",
  "minimum_not_met"
])
export type PromoFault = typeof PromoFault.Type

export class PromoCodeInvalid extends Schema.TaggedError<PromoCodeInvalid>()("PromoCodeInvalid", {
  code: Schema.String,
  reason: PromoFault,
  minimumCents: Schema.optionalKey(Schema.Int),
  /** The account's own open quote that reserves the use. */
  reservedBy: Schema.optionalKey(Schema.String)
}) {}

/** The net total is above the caller's own guard (`max_total_eur`). */
export class PriceAboveLimit extends Schema.TaggedError<PriceAboveLimit>()("PriceAboveLimit", {
  totalCents: Schema.Int,
  limitCents: Schema.Int
}) {}

/** The remainder to pay by card is above zero but below the processor's minimum. */
export class AmountBelowMinimum extends Schema.TaggedError<AmountBelowMinimum>()("AmountBelowMinimum", {
  totalCents: Schema.Int,
  availableCents: Schema.Int,
  minimumCents: Schema.Int
}) {}

/** The remainder to pay by card is above what the processor charges at once. */
export class AmountAboveMaximum extends Schema.TaggedError<AmountAboveMaximum>()("AmountAboveMaximum", {
  totalCents: Schema.Int,
  availableCents: Schema.Int,
  maximumCents: Schema.Int
}) {}

/** The order is to be paid from credit alone, and there is less of it. */
export class CreditTooLow extends Schema.TaggedError<CreditTooLow>()("CreditTooLow", {
  totalCents: Schema.Int,
  availableCents: Schema.Int
}) {}

export type PriceRefusal =
  | AmountAboveMaximum
  | AmountBelowMinimum
  | CartInvalid
  | CreditTooLow
  | PriceAboveLimit
  | PromoCodeInvalid
