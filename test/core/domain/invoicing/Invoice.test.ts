// Invoices and credit notes: VAT inside the price to the cent, however the lines are cut, and the words that the law wants.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  creditedPart,
  creditNoteOf,
  detailTexts,
  documentId,
  invoiceOf,
  receiptOf,
  taxLines
} from "#core/domain/invoicing/Invoice.ts"
import { issueAll, NOTHING_ISSUED } from "#core/domain/invoicing/InvoiceSeries.ts"
import { orderVat } from "#core/domain/invoicing/OrderVat.ts"
import type { BillingIdentity, SellerTerms } from "#core/domain/invoicing/Party.ts"
import { netOf, vatTreatment } from "#core/domain/invoicing/Vat.ts"
import { AccountId, EntryId, LinkId } from "#core/domain/shared/Ids.ts"
import { basisPoints, cents, lines } from "#test/core/Arbitraries.ts"
import { NOON } from "#test/core/Given.ts"
import { identity, orderOver, proFormaTerms, terms } from "#test/core/InvoiceGiven.ts"
import { property } from "#test/Property.ts"

const issue = (totals: ReadonlyArray<number>, who: BillingIdentity | null, by: SellerTerms = terms()) => {
  const draft = invoiceOf(orderOver(totals), { accountName: "Ada", identity: who }, by, by.seller !== null)
  const [invoice] = issueAll([draft], NOTHING_ISSUED, NOON, by.timeZone)
  if (invoice === undefined) throw new Error("no invoice was issued")
  return invoice
}
const added = (all: ReadonlyArray<number>): number => all.reduce((total, one) => total + one, 0)

describe("the net part of a total", () => {
  it.each([
    [12_000, 2_000, 10_000],
    [100, 2_000, 83], // 83.33
    [1, 2_000, 1], // 0.83
    [0, 2_000, 0],
    [3, 10_000, 2], // 1.5: half a cent goes up
    [999, 0, 999]
  ])("of %i cents at %i basis points is %i", (total, rate, net) => {
    expect(netOf(total, rate)).toBe(net)
  })

  property("is within half a cent of the exact one", [cents, basisPoints], (total, rate) => {
    const twiceError = 2 * Math.abs(netOf(total, rate) * (10_000 + rate) - total * 10_000)
    expect(twiceError).toBeLessThanOrEqual(10_000 + rate)
  })
})

describe("taxed lines", () => {
  property(
    "add up to what was paid, and to the net of the whole, without a negative part",
    [lines, basisPoints],
    (all, rate) => {
      const taxed = taxLines(all, rate)
      expect(taxed.map(({ totalCents }) => totalCents)).toEqual(all)
      for (const { totalCents, netCents, vatCents } of taxed) {
        expect(netCents + vatCents).toBe(totalCents)
        expect(netCents).toBeGreaterThanOrEqual(0)
        expect(vatCents).toBeGreaterThanOrEqual(0)
      }
      expect(added(taxed.map(({ netCents }) => netCents))).toBe(netOf(added([...all]), rate))
    }
  )
})

describe("credited parts of a line", () => {
  const cuts = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 8 })

  property(
    "add up to the line over any partition, and never exceed it",
    [cents, basisPoints, cuts],
    (total, rate, marks) => {
      const [line] = taxLines([total], rate)
      if (line === undefined) throw new Error("one line in, one line out")
      const ends = [...marks.map((mark) => Math.floor((total * mark) / 400)), total].toSorted((a, b) => a - b)
      let before = 0
      let net = 0
      for (const end of ends) {
        const part = creditedPart(line, end - before, before)
        expect(part.netCents + part.vatCents).toBe(end - before)
        expect(part.netCents).toBeGreaterThanOrEqual(0)
        expect(part.vatCents).toBeGreaterThanOrEqual(0)
        net += part.netCents
        before = end
      }
      expect(net).toBe(line.netCents)
    }
  )
})

describe("credit notes", () => {
  property("of all links give back exactly the invoice, and of some never more", [lines, basisPoints], (all, rate) => {
    const invoice = issue([...all], null, terms({ vatBasisPoints: rate }))
    const notes = orderOver([...all]).links.map((link) => creditNoteOf(link, NOON, invoice))
    let [total, net, vat] = [0, 0, 0]
    for (const note of notes) {
      total += note?.totalCents ?? Number.NaN
      net += note?.netCents ?? Number.NaN
      vat += note?.vatCents ?? Number.NaN
      expect(total).toBeLessThanOrEqual(invoice.totalCents)
      expect(net).toBeLessThanOrEqual(invoice.netCents)
      expect(vat).toBeLessThanOrEqual(invoice.vatCents)
    }
    expect([total, net, vat]).toEqual([invoice.totalCents, invoice.netCents, invoice.vatCents])
  })

  it("bear the parties and the number of the invoice, whatever the identity is by then", () => {
    const invoice = issue([3_000, 500], identity({ country: "FR" }))
    const [, second] = orderOver([3_000, 500]).links
    if (second === undefined) throw new Error("the order has two links")
    const note = creditNoteOf(second, NOON + 1, invoice)
    expect(note).toMatchObject({ invoiceId: "crn_abc1", kind: "credit_note", linkId: "lnk_abc1", totalCents: 500 })
    expect(note?.facts).toMatchObject({
      buyer: invoice.facts.buyer,
      proForma: false,
      corrects: { invoiceId: "inv_abc", number: "2026-000001", issueDate: "2026-05-04" }
    })
  })

  it("are not written for a link that the invoice does not have", () => {
    const [, second] = orderOver([3_000, 500]).links
    if (second === undefined) throw new Error("the order has two links")
    expect(creditNoteOf(second, NOON, issue([3_000], null))).toBeUndefined()
  })
})

describe("the VAT of an invoice", () => {
  it.each([
    ["a consumer without identity", null, "standard", "S", 2_000],
    ["a domestic business", identity({ country: "FR" }), "standard", "S", 2_000],
    ["a consumer of the Union", identity({ vatId: null }), "standard", "S", 2_000],
    ["a business of the Union without confirmation", identity({ vatIdConfirmed: false }), "standard", "S", 2_000],
    ["a confirmed business of the Union", identity(), "reverse_charge", "AE", 0],
    ["a buyer outside the Union", identity({ country: "US", vatId: null }), "outside_eu", "O", 0]
  ] as const)("of %s", (_who, who, treatment, category, rate) => {
    const { facts, totalCents, netCents, vatCents } = issue([12_000], who)
    expect(facts).toMatchObject({ treatment, category, vatBasisPoints: rate })
    expect([totalCents, netCents, vatCents]).toEqual([12_000, rate === 0 ? 12_000 : 10_000, rate === 0 ? 0 : 2_000])
    expect(facts.sentence === null).toBe(category === "S")
  })

  property(
    "is what is said of it before the purchase, from the total alone",
    [lines, fc.constantFrom(null, identity(), identity({ country: "US" })), fc.constantFrom("standard", "franchise")],
    (totals, who, vat) => {
      const by = terms({ vat })
      const { netCents, totalCents, facts } = issue(totals, who, by)
      const said = orderVat(by, who)
      expect([said.treatment, netOf(totalCents, said.vatBasisPoints)]).toEqual([facts.treatment, netCents])
    }
  )

  it("of a small business is none, for every buyer", () => {
    for (const who of [null, identity(), identity({ country: "US" })])
      expect(issue([500], who, terms({ vat: "franchise" })).facts).toMatchObject({ category: "E", vatBasisPoints: 0 })
  })

  it("is charged by no seller outside the Union to a buyer inside", () => {
    const buyer = { country: "FR", hasConfirmedVatId: true }
    expect(vatTreatment({ country: "CH", vat: "standard" }, buyer)).toBe("outside_eu")
  })
})

describe("documents", () => {
  it("without a seller are pro forma, without a number, and split VAT all the same", () => {
    const invoice = issue([1_200], null, proFormaTerms)
    expect(invoice).toMatchObject({ series: null, netCents: 1_000, vatCents: 200 })
    expect(invoice.facts).toMatchObject({ number: null, proForma: true, seller: null })
  })

  it("bear the reference that the buyer is billed under, and that of the order otherwise", () => {
    const { order, links } = orderOver([700])
    const tagged = { order: { ...order, reference: "spring" }, links }
    const billed = (reference: string | null) =>
      invoiceOf(tagged, { accountName: "Ada", identity: identity({ reference }) }, terms(), true).facts.buyer.reference
    expect([billed("04011000-1234512345-06"), billed(null)]).toEqual(["04011000-1234512345-06", "spring"])
  })

  it("describe what was bought in the buyer's own characters", () => {
    const anchorText = `<b>"كتب" & 🌱 %PDF</b>`
    const { order, links } = orderOver([700], { anchorText, format: "insertion", tier2Links: 3 })
    const { facts } = invoiceOf({ order, links }, { accountName: anchorText, identity: null }, terms(), true)
    expect(facts.buyer.name).toBe(anchorText)
    expect(facts.lines[0]).toMatchObject({
      name: "Backlink on site-0.example",
      detail: `Insertion into an article, "${anchorText}" to https://brand.example/, 3 tier-2 links`
    })
  })

  const anchors = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) => !/\n/.test(text))
  const words = fc.constantFrom('" to ', '"', ", 2 tier-2 links", "שלום!", "https://a.example/")

  property(
    "divide their details into own words and the texts of others",
    [fc.array(fc.oneof(anchors, words), { minLength: 1, maxLength: 4 }), fc.constantFrom(0, 1, 3)],
    (parts, tier2Links) => {
      const anchorText = parts.join("")
      const { order, links } = orderOver([700], { anchorText, tier2Links, targetUrl: "https://brand.example/a,b?c" })
      const { facts } = invoiceOf({ order, links }, { accountName: "Ada", identity: null }, terms(), true)
      const texts = detailTexts(facts.lines[0]?.detail ?? "")
      expect(texts.join("")).toBe(facts.lines[0]?.detail)
      expect(texts.slice(1, 4)).toEqual([anchorText, '" to ', "https://brand.example/a,b?c"])
    }
  )

  it("divide the detail of a top-up, also by its former word, and leave any other text whole", () => {
    expect(detailTexts("Top-up, שלום 12")).toEqual(["Top-up, ", "שלום 12"])
    expect(detailTexts("Deposit, שלום 12")).toEqual(["Deposit, ", "שלום 12"])
    expect(detailTexts("Top-up")).toEqual(["Top-up"])
  })

  it("for top-ups are receipts without VAT", () => {
    const entry = {
      entryId: EntryId.make("led_abc00"),
      accountId: AccountId.make("acc_rich"),
      kind: "top_up" as const,
      amountCents: 2_500,
      balanceDeltaCents: 2_500,
      heldDeltaCents: 0,
      balanceAfterCents: 2_500,
      heldAfterCents: 0,
      quoteId: null,
      orderId: null,
      linkId: null,
      reference: "transfer 4711",
      atMs: NOON
    }
    const receipt = receiptOf(entry, { accountName: "Ada", identity: null }, terms())
    expect(receipt).toMatchObject({ invoiceId: "rct_abc00", totalCents: 2_500, netCents: 2_500, vatCents: 0 })
    expect(receipt.facts).toMatchObject({ category: "O", lines: [{ detail: "Top-up, transfer 4711" }] })
  })

  it("have the id of their cause", () => {
    expect(documentId("credit_note", LinkId.make("lnk_01k_2"))).toBe("crn_01k_2")
  })
})
