// An invoice or credit note in the terms of EN 16931, as the library that writes the XML takes it.
import type { Invoice as EInvoice } from "@e-invoice-eu/core"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { Party } from "#core/domain/invoicing/Party.ts"
import type { VatCategory } from "#core/domain/invoicing/Vat.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"

type Document = EInvoice["ubl:Invoice"]
type Country =
  Document["cac:AccountingSupplierParty"]["cac:Party"]["cac:PostalAddress"]["cac:Country"]["cbc:IdentificationCode"]

/** UNTDID 1001. */
const TYPE_CODES = { invoice: "380", credit_note: "381" } as const

const EXEMPTIONS: Readonly<Record<VatCategory, string | null>> = {
  S: null,
  AE: "VATEX-EU-AE",
  O: "VATEX-EU-O",
  // The scheme's sentence is the reason; the code list names single articles, which differ by member state.
  E: null
}

/** One piece (UN/ECE Recommendation 20). */
const PIECE = "C62" as const
const VAT = { "cbc:ID": "VAT" } as const
const EUR = "EUR" as const

const amount = (cents: Cents): string => {
  const digits = String(cents).padStart(3, "0")
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const PERCENT = 100

/** XML 1.0 has no other characters, not even escaped. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const AMPERSAND = "&amp;amp;"

/**
 * On one line, as names are; what XML cannot hold becomes the replacement character. The library reads entities in its input, and leaves
 * what looks like one in its output as it is: a name that has one is kept only by escaping it twice.
 */
const lineOf = (text: string): string =>
  text.replaceAll(NOT_IN_XML, "\uFFFD").replaceAll(/\s+/gu, " ").trim().replaceAll("&", AMPERSAND)

/** The text for places outside XML. */
export const unescaped = (text: string): string => text.replaceAll(AMPERSAND, "&")

/** The last line of an address, if it begins with a postal code. */
const TOWN = /^((?:\p{Lu}{1,2}-)?\p{Nd}[\p{Nd}\p{Lu} -]*?)\s+(\p{L}.*)$/u

const townOf = (line: string) => {
  const [, zone, city] = TOWN.exec(line) ?? []
  return zone === undefined || city === undefined
    ? { "cbc:CityName": line }
    : { "cbc:CityName": city, "cbc:PostalZone": zone }
}

/** Line breaks divide it: street, further lines, and the town as the last of several. */
const addressOf = ({ address, country }: Party) => {
  const lines = (address ?? "").split("\n").map(lineOf)
  const [street = "", ...rest] = lines.filter((line) => line !== "")
  const town = rest.at(-1)
  const [second, ...further] = rest.slice(0, -1)
  return {
    ...(street === "" ? {} : { "cbc:StreetName": street }),
    ...(second === undefined ? {} : { "cbc:AdditionalStreetName": second }),
    ...(town === undefined ? {} : townOf(town)),
    ...(further.length === 0 ? {} : { "cac:AddressLine": { "cbc:Line": further.join(", ") } }),
    // Settings and billing identities hold two capital letters; the schematron knows which of them are countries.
    "cac:Country": { "cbc:IdentificationCode": (country ?? "") as Country }
  }
}

/** A VAT id begins with its country; Greece's is EL. Other ids are tax numbers. */
const isVatId = (id: string): boolean => /^[A-Z]{2}/.test(id)

const sellerOf = (seller: Party, category: VatCategory): Document["cac:AccountingSupplierParty"] => {
  const id = seller.vatId ?? ""
  // What is not subject to VAT must not name the parties' VAT ids (BR-O-02): there it is an identifier like any other.
  const isNamed = isVatId(id) && category !== "O"
  return {
    "cac:Party": {
      "cac:PostalAddress": addressOf(seller),
      ...(category === "O"
        ? {}
        : { "cac:PartyTaxScheme": [{ "cbc:CompanyID": id, "cac:TaxScheme": { "cbc:ID": isNamed ? "VAT" : "TAX" } }] }),
      "cac:PartyLegalEntity": {
        "cbc:RegistrationName": lineOf(seller.name),
        ...(isNamed ? {} : { "cbc:CompanyID": id })
      }
    }
  }
}

const buyerOf = (buyer: Party, category: VatCategory): Document["cac:AccountingCustomerParty"] => {
  const { vatId } = buyer
  const isNamed = vatId !== null && isVatId(vatId) && category !== "O"
  return {
    "cac:Party": {
      ...(vatId === null || isNamed ? {} : { "cac:PartyIdentification": { "cbc:ID": vatId } }),
      "cac:PostalAddress": addressOf(buyer),
      ...(isNamed ? { "cac:PartyTaxScheme": { "cbc:CompanyID": vatId, "cac:TaxScheme": VAT } } : {}),
      "cac:PartyLegalEntity": { "cbc:RegistrationName": lineOf(buyer.name) }
    }
  }
}

const taxTotalOf = ({ netCents, vatCents, facts }: Invoice): Document["cac:TaxTotal"] => {
  const { category, sentence } = facts
  const code = EXEMPTIONS[category]
  return [
    {
      "cbc:TaxAmount": amount(vatCents),
      "cbc:TaxAmount@currencyID": EUR,
      "cac:TaxSubtotal": [
        {
          "cbc:TaxableAmount": amount(netCents),
          "cbc:TaxableAmount@currencyID": EUR,
          "cbc:TaxAmount": amount(vatCents),
          "cbc:TaxAmount@currencyID": EUR,
          "cac:TaxCategory": {
            "cbc:ID": category,
            ...rateOf(facts),
            ...(code === null ? {} : { "cbc:TaxExemptionReasonCode": code }),
            ...(sentence === null ? {} : { "cbc:TaxExemptionReason": sentence }),
            "cac:TaxScheme": VAT
          }
        }
      ]
    }
  ]
}

/** No rate where the sale is not subject to VAT (BR-O-05). */
const rateOf = ({ category, vatBasisPoints }: Invoice["facts"]) =>
  category === "O" ? {} : { "cbc:Percent": (vatBasisPoints / PERCENT).toFixed(2) }

const linesOf = ({ facts }: Invoice) =>
  facts.lines.map(({ name, detail, netCents }, index) => ({
    "cbc:ID": String(index + 1),
    "cbc:InvoicedQuantity": "1",
    "cbc:InvoicedQuantity@unitCode": PIECE,
    "cbc:LineExtensionAmount": amount(netCents),
    "cbc:LineExtensionAmount@currencyID": EUR,
    "cac:Item": {
      "cbc:Description": lineOf(detail),
      "cbc:Name": lineOf(name),
      "cac:ClassifiedTaxCategory": { "cbc:ID": facts.category, ...rateOf(facts), "cac:TaxScheme": VAT }
    },
    "cac:Price": { "cbc:PriceAmount": amount(netCents), "cbc:PriceAmount@currencyID": EUR }
  }))

const dateOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, "2026-11-24".length)

/** `undefined` for receipts and pro forma documents, which have no number and are no invoices to a machine. */
export const eInvoiceOf = (invoice: Invoice): EInvoice | undefined => {
  const { kind, facts, totalCents, netCents } = invoice
  const { number, seller, buyer, corrects } = facts
  if (kind === "receipt" || number === null || seller === null) return undefined
  const [first, ...more] = linesOf(invoice)
  if (first === undefined) return undefined
  return {
    "ubl:Invoice": {
      "cbc:ID": number,
      "cbc:IssueDate": facts.issueDate,
      "cbc:InvoiceTypeCode": TYPE_CODES[kind],
      "cbc:DocumentCurrencyCode": EUR,
      ...(buyer.reference === null ? {} : { "cbc:BuyerReference": lineOf(buyer.reference) }),
      ...(corrects === null || corrects.number === null
        ? {}
        : {
            "cac:BillingReference": [
              { "cac:InvoiceDocumentReference": { "cbc:ID": corrects.number, "cbc:IssueDate": corrects.issueDate } }
            ]
          }),
      "cac:AccountingSupplierParty": sellerOf(seller, facts.category),
      "cac:AccountingCustomerParty": buyerOf(buyer, facts.category),
      "cac:Delivery": { "cbc:ActualDeliveryDate": dateOf(facts.suppliedAtMs) },
      "cac:TaxTotal": taxTotalOf(invoice),
      "cac:LegalMonetaryTotal": {
        "cbc:LineExtensionAmount": amount(netCents),
        "cbc:LineExtensionAmount@currencyID": EUR,
        "cbc:TaxExclusiveAmount": amount(netCents),
        "cbc:TaxExclusiveAmount@currencyID": EUR,
        "cbc:TaxInclusiveAmount": amount(totalCents),
        "cbc:TaxInclusiveAmount@currencyID": EUR,
        // Paid before it is issued, or given back already.
        "cbc:PrepaidAmount": amount(totalCents),
        "cbc:PrepaidAmount@currencyID": EUR,
        "cbc:PayableAmount": amount(0),
        "cbc:PayableAmount@currencyID": EUR
      },
      "cac:InvoiceLine": [first, ...more]
    }
  }
}
