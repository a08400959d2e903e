// Documents, and who issues them, on the operator plane.
import { Schema } from "effect"
import { InvoiceFacts, InvoiceKind } from "#core/domain/invoicing/Invoice.ts"
import { AccountId, InvoiceId } from "#core/domain/shared/Ids.ts"

const nullable = Schema.NullOr

export const Invoice = Schema.Struct({
  invoiceId: InvoiceId,
  kind: InvoiceKind,
  accountId: AccountId,
  orderId: nullable(Schema.String),
  linkId: nullable(Schema.String),
  entryId: nullable(Schema.String),
  series: nullable(Schema.Struct({ year: Schema.Int, sequence: Schema.Int })),
  issuedAtMs: Schema.Int,
  totalCents: Schema.Int,
  netCents: Schema.Int,
  vatCents: Schema.Int,
  facts: InvoiceFacts
})
export type Invoice = typeof Invoice.Type

export const Rendered = Schema.Struct({
  pdf: Schema.Uint8ArrayFromBase64,
  /** `null` for receipts and pro forma documents. */
  xml: nullable(Schema.String)
})

export const Seller = Schema.Struct({
  /** `null`: documents are pro forma. */
  seller: nullable(
    Schema.Struct({ name: Schema.String, address: Schema.String, country: Schema.String, vatId: Schema.String })
  ),
  vat: Schema.Literals(["standard", "franchise"]),
  vatBasisPoints: Schema.Int,
  timeZone: Schema.String,
  /** Orders since then are numbered; `null`: none. */
  numberedSinceMs: nullable(Schema.Int)
})
export type Seller = typeof Seller.Type
