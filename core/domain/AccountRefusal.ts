// Refusals about an account's address, balance and invoices.
import { Schema } from "effect"

/** The account `accountId` has the address. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", {
  email: Schema.String,
  accountId: Schema.String
}) {}

/** An adjustment may not take what open quotes hold. */
export class BalanceTooLow extends Schema.TaggedError<BalanceTooLow>()("BalanceTooLow", {
  accountId: Schema.String,
  cents: Schema.Int,
  availableCents: Schema.Int
}) {}

/** A movement of another amount was booked under this reference. */
export class ReferenceReused extends Schema.TaggedError<ReferenceReused>()("ReferenceReused", {
  reference: Schema.String,
  bookedCents: Schema.Int
}) {}

/** Only the VAT id that the account has can be confirmed; `vatId` is that one. */
export class VatIdDiffers extends Schema.TaggedError<VatIdDiffers>()("VatIdDiffers", {
  accountId: Schema.String,
  vatId: Schema.NullOr(Schema.String)
}) {}

export class InvoiceNotFound extends Schema.TaggedError<InvoiceNotFound>()("InvoiceNotFound", {
  invoiceId: Schema.String
}) {}

export type AccountRefusal = BalanceTooLow | EmailTaken | InvoiceNotFound | ReferenceReused | VatIdDiffers
