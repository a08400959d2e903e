// Issued documents of every kind and VAT treatment, for tests of rendering.
import { creditNoteOf, type Draft, type Invoice, invoiceOf, receiptOf } from "#core/domain/invoicing/Invoice.ts"
import { issueAll, NOTHING_ISSUED } from "#core/domain/invoicing/InvoiceSeries.ts"
import type { BillingIdentity, SellerTerms } from "#core/domain/invoicing/Party.ts"
import { AccountId, EntryId } from "#core/domain/shared/Ids.ts"
import { NOON } from "#test/core/Given.ts"
import { identity, orderOver, proFormaTerms, terms } from "#test/core/InvoiceGiven.ts"

export const issue = (draft: Draft): Invoice => {
  const [issued] = issueAll([draft], NOTHING_ISSUED, NOON, "Europe/Paris")
  if (issued === undefined) throw new Error("each draft is issued")
  return issued
}

const invoice = (
  buyer: BillingIdentity | null,
  by: SellerTerms = terms(),
  netCents: ReadonlyArray<number> = [500, 333]
): Invoice => issue(invoiceOf(orderOver(netCents), { accountName: "Ada", identity: buyer }, by, by.seller !== null))

/** The credit note of the second link. */
const noteOf = (corrected: Invoice): Invoice => {
  const link = orderOver([500, 333]).links[1]
  const draft = link && creditNoteOf(link, NOON, corrected)
  if (draft === undefined) throw new Error("the link is on the invoice")
  return issue(draft)
}

const abroad = identity({
  country: "US",
  vatId: null,
  vatIdConfirmed: false,
  address: "350 5th Ave\nNew York, NY 10118"
})
const seller = terms().seller
const smallBusiness = terms({ vat: "franchise", seller: seller && { ...seller, vatId: "12/345/67890" } })

/** Numbered documents: an invoice for each VAT treatment, and its credit note. */
export const numbered: Readonly<Record<string, Invoice>> = Object.fromEntries(
  Object.entries({
    "to a consumer": invoice(null),
    "to a consumer abroad": invoice(identity({ vatId: null, vatIdConfirmed: false })),
    "to a business whose VAT id is not confirmed": invoice(identity({ vatIdConfirmed: false })),
    "by reverse charge": invoice(identity()),
    "to a buyer outside the European Union": invoice(abroad),
    "by a small business": invoice(identity(), terms({ vat: "franchise" })),
    "by a small business with a tax number": invoice(abroad, smallBusiness),
    "with lines of a few cents": invoice(null, terms(), [1, 2, 500]),
    "at another rate": invoice(identity({ country: "FR" }), terms({ vatBasisPoints: 550 }))
  }).flatMap(([name, one]) =>
    one.facts.lines.length === 3
      ? [[`an invoice ${name}`, one]]
      : [
          [`an invoice ${name}`, one],
          [`a credit note ${name}`, noteOf(one)]
        ]
  )
)

/** Documents that a machine does not read as invoices. */
export const unnumbered: Readonly<Record<string, Invoice>> = {
  "a pro forma invoice": invoice(null, proFormaTerms),
  "a receipt": issue(
    receiptOf(
      {
        entryId: EntryId.make("led_1"),
        accountId: AccountId.make("acc_rich"),
        kind: "top_up",
        amountCents: 2_500,
        balanceDeltaCents: 2_500,
        heldDeltaCents: 0,
        balanceAfterCents: 2_500,
        heldAfterCents: 0,
        quoteId: null,
        orderId: null,
        linkId: null,
        atMs: NOON
      },
      { accountName: "Ada", identity: identity() },
      terms()
    )
  )
}

export const HOSTILE_NAMES: ReadonlyArray<string> = [
  `</ram:Name><x a="1">&amp;]]><!-- <?xml?> <![CDATA[`,
  "A & B &foo; &#1; &amp;lt;",
  "(a) \\( %PDF-1.4 endobj 1 0 R /JS << >> stream",
  "שלום עולם (12) עברית",
  "مرحبا بالعالم ٣٤",
  "👩‍👩‍👧 😀 ⚙️ 🇫🇷",
  "漢字かな 한국어",
  "深圳市 क्षत्रिय น้ำดื่ม",
  "x".repeat(200),
  "ab ".repeat(66),
  "e\u0301\u0302\u0303 \u200Bz\u202Eabc\u202C\uFEFF",
  "{{mustache}} [object Object] __proto__ \u0007 tab\there"
]

/** An invoice to that name at that address. */
export const invoiceTo = (name: string, address: string): Invoice =>
  issue(
    invoiceOf(
      orderOver([500], { anchorText: name, domain: `${"a".repeat(60)}.example` }),
      { accountName: name, identity: identity({ name, address, reference: name }) },
      terms(),
      true
    )
  )
