// Refusals about invoices and the VAT id on them.
import { Schema } from "effect"

/** Only the VAT id that the account has can be confirmed; `vatId` is that one. */
export class VatIdDiffers extends Schema.TaggedError<VatIdDiffers>()("VatIdDiffers", {
  accountId: Schema.String,
  vatId: Schema.NullOr(Schema.String)
}) {}

export class InvoiceNotFound extends Schema.TaggedError<InvoiceNotFound>()("InvoiceNotFound", {
  invoiceId: Schema.String
}) {}

export type InvoiceRefusal = InvoiceNotFound | VatIdDiffers
