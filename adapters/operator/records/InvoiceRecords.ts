// The files of a document, and who issues documents, on the operator plane.
import { Schema } from "effect"

const nullable = Schema.NullOr

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
