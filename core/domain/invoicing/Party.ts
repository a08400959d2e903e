// The parties of an invoice: the seller by the settings, and the buyer by the billing identity of the account.
import { Schema } from "effect"
import type { BasisPoints } from "../pricing/Money.ts"
import type { SellerVat } from "./Vat.ts"

/** What an account wants on its invoices. Documents that are issued keep the identity of their time. */
export const BillingIdentity = Schema.Struct({
  name: Schema.String,
  /** One to several lines. */
  address: Schema.String,
  /** ISO 3166, two letters. */
  country: Schema.String,
  /** Begins with the prefix of its country; `null` for consumers. */
  vatId: Schema.NullOr(Schema.String),
  /** The operator has seen that the id belongs to this business. */
  vatIdConfirmed: Schema.Boolean,
  /** The buyer's own reference, such as a purchase order. */
  reference: Schema.NullOr(Schema.String)
})
export type BillingIdentity = typeof BillingIdentity.Type

/** What members and operators write; only the operator confirms. */
export type BillingDetails = Omit<BillingIdentity, "vatIdConfirmed">

/** The confirmation is that of this VAT id in this country, and ends with either. */
export const withDetails = (previous: BillingIdentity | null, details: BillingDetails): BillingIdentity => {
  const isSame = previous !== null && previous.vatId === details.vatId && previous.country === details.country
  return { ...details, vatIdConfirmed: isSame && previous.vatIdConfirmed && details.vatId !== null }
}

/** One party as it is printed. */
export const Party = Schema.Struct({
  name: Schema.String,
  address: Schema.NullOr(Schema.String),
  /** `null` only where no seller was configured. */
  country: Schema.NullOr(Schema.String),
  vatId: Schema.NullOr(Schema.String),
  reference: Schema.NullOr(Schema.String)
})
export type Party = typeof Party.Type

export interface Seller {
  readonly name: string
  readonly address: string
  readonly country: string
  readonly vatId: string
}

/** The operator's settings for invoices. Without a seller, documents are pro forma and bear no number. */
export interface SellerTerms {
  readonly seller: Seller | null
  readonly vat: SellerVat
  readonly vatBasisPoints: BasisPoints
  /** IANA name; dates and years of documents are those of this zone. */
  readonly timeZone: string
}

export const sellerParty = ({ seller }: SellerTerms): Party | null =>
  seller === null ? null : { ...seller, reference: null }

/** A buyer without a billing identity is a consumer under the account's name in the seller's country. */
export const buyerParty = (
  accountName: string,
  identity: BillingIdentity | null,
  sellerCountry: string | null
): Party => {
  if (identity === null)
    return { name: accountName, address: null, country: sellerCountry, vatId: null, reference: null }
  const { name, address, country, vatId, reference } = identity
  return { name, address, country, vatId, reference }
}
