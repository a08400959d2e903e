// Refusals about invoices and the VAT id on them.
import { Schema } from "effect"
import { AccountId, InvoiceId } from "../shared/Ids.ts"

/** Only the VAT id that the account has can be confirmed; `vatId` is that one. */
export class VatIdDiffers extends Schema.TaggedError<VatIdDiffers>()("VatIdDiffers", {
  accountId: AccountId,
  vatId: Schema.NullOr(Schema.String)
}) {}

export class InvoiceNotFound extends Schema.TaggedError<InvoiceNotFound>()("InvoiceNotFound", {
  invoiceId: InvoiceId
}) {}

export type InvoiceRefusal = InvoiceNotFound | VatIdDiffers
