// Which VAT a sale carries, and the net amount inside a price that includes it.
import { Schema } from "effect"
import { type BasisPoints, Cents } from "../pricing/Money.ts"

/** How the seller is taxed: `franchise` is a small business that charges no VAT. */
export const SellerVat = Schema.Literals(["standard", "franchise"])
export type SellerVat = typeof SellerVat.Type

export const VatTreatment = Schema.Literals(["standard", "reverse_charge", "outside_eu", "franchise", "prepayment"])
export type VatTreatment = typeof VatTreatment.Type

/** Category codes of EN 16931 (UNTDID 5305): standard rate, reverse charge, not subject to VAT, exempt. */
export const VatCategory = Schema.Literals(["S", "AE", "O", "E"])
export type VatCategory = typeof VatCategory.Type

const CATEGORY: Readonly<Record<VatTreatment, VatCategory>> = {
  standard: "S",
  reverse_charge: "AE",
  outside_eu: "O",
  franchise: "E",
  prepayment: "O"
}

export const vatCategory = (treatment: VatTreatment): VatCategory => CATEGORY[treatment]

const SENTENCE: Readonly<Record<VatTreatment, string | null>> = {
  standard: null,
  reverse_charge: "Reverse charge: VAT is due by the customer, Articles 44 and 196 of Directive 2006/112/EC.",
  outside_eu:
    "Not subject to VAT: the place of supply is outside the European Union, Article 44 of Directive 2006/112/EC.",
  franchise:
    "VAT exempt: small business scheme, Article 284 of Directive 2006/112/EC (in France: TVA non applicable, art. 293 B du CGI).",
  prepayment: "Prepaid credit: no VAT is due on the top-up. Each order paid from it has its own invoice."
}

/** The sentence that the law wants on the document; `null` where VAT is charged. */
export const vatSentence = (treatment: VatTreatment): string | null => SENTENCE[treatment]

/** ISO 3166 codes of the European Union's members, and of Monaco, whose VAT is French. */
const EU = new Set("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK".split(" "))

export const isInEu = (country: string): boolean => EU.has(country)

/**
 * Only a business of another member state whose VAT id the operator has confirmed pays VAT itself; every other buyer in the Union is
 * charged the seller's rate.
 */
export const vatTreatment = (
  seller: { readonly country: string; readonly vat: SellerVat },
  buyer: { readonly country: string; readonly hasConfirmedVatId: boolean }
): VatTreatment => {
  if (seller.vat === "franchise") return "franchise"
  if (buyer.country === seller.country) return "standard"
  if (!isInEu(seller.country) || !isInEu(buyer.country)) return "outside_eu"
  return buyer.hasConfirmedVatId ? "reverse_charge" : "standard"
}

export const Taxed = Schema.Struct({
  /** The amount with VAT. */
  totalCents: Cents,
  netCents: Cents,
  vatCents: Cents
})
export type Taxed = typeof Taxed.Type

const HUNDRED_PERCENT = 10_000

/** The net part of a total that includes VAT at this rate, rounded half up. */
export const netOf = (totalCents: Cents, basisPoints: BasisPoints): Cents => {
  const divisor = BigInt(HUNDRED_PERCENT + basisPoints)
  return Number((2n * BigInt(totalCents) * BigInt(HUNDRED_PERCENT) + divisor) / (2n * divisor))
}
