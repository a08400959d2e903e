// The VAT of an order: what it is for a seller and a buyer, before the order is invoiced and on its invoice.
import type { BasisPoints } from "../pricing/Money.ts"
import type { BillingIdentity, SellerTerms } from "./Party.ts"
import { type VatTreatment, vatTreatment } from "./Vat.ts"

/** How the VAT of an order's price is computed; the price includes it. */
export interface OrderVat {
  readonly treatment: VatTreatment
  /** 0 where none is charged. */
  readonly vatBasisPoints: BasisPoints
}

/** What an order that is made now bears for a buyer of this identity. */
export const orderVat = (terms: SellerTerms, identity: BillingIdentity | null): OrderVat => {
  const sellerCountry = terms.seller?.country ?? identity?.country ?? ""
  const hasConfirmedVatId = identity !== null && identity.vatId !== null && identity.vatIdConfirmed
  const country = identity?.country ?? sellerCountry
  const treatment = vatTreatment({ country: sellerCountry, vat: terms.vat }, { country, hasConfirmedVatId })
  return { treatment, vatBasisPoints: treatment === "standard" ? terms.vatBasisPoints : 0 }
}
