// Invoices, credit notes and receipts over REST: what was sold and paid is what the documents say, to the cent.
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { InvoiceDetail } from "#adapters/contract/invoicing/Invoices.ts"
import { pageCursor } from "#adapters/contract/schema/Paging.ts"
import { LinkId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { identity } from "#test/core/InvoiceGiven.ts"
import { buyer, by, issueKey, item, order } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { call, INVOICES, press, read } from "./HttpCalls.ts"
import { invoiceOf, SELLER, untilInvoices } from "./InvoiceSteps.ts"
import { everyProcessor, scenarios } from "./ScenarioSuite.ts"

const path = (id: string): string => `${INVOICES}/${id}`

export const invoicesSuite = everyProcessor("invoices", { ...SELLER, SELLER_TIME_ZONE: "Europe/Paris" }, (it) => {
  it.effect("an order that card and credit paid has an invoice, and its cancelled link a credit note", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 700 })
      const sites = [(yield* listSite()).siteId, (yield* listSite()).siteId]
      const { quote_id, payment_url } = yield* order(who, [item(sites[0] ?? 0), item(sites[1] ?? 0)])
      yield* press("pay", payment_url ?? "")
      const { order_id } = yield* who.api.quotes.getQuote({ params: { id: quote_id ?? QuoteId.make("") } })
      const record = yield* invoiceOf(who, order_id ?? OrderId.make(""))
      expect(record).toMatchObject({ kind: "invoice", order_id, total_eur: 10, net_eur: 8.33, vat_eur: 1.67 })
      expect(record.number).toMatch(/^\d{4}-\d{6}$/)
      const { ok, sandbox, ...invoice } = yield* read(InvoiceDetail, who.key, path(record.invoice_id))
      expect([ok, sandbox]).toEqual([true, false])
      expect(invoice).toMatchObject({
        ...record,
        pro_forma: false,
        seller: { name: SELLER.SELLER_NAME, address: "1 quai du Port\n13002 Marseille", vat_id: "FR40303265045" },
        buyer: { name: "Ada", country: "FR", vat_id: null },
        vat_treatment: "standard",
        vat_category: "S",
        vat_percent: 20,
        legal_sentence: null,
        corrects: null
      })
      expect(invoice.lines.map(({ net_eur, vat_eur }) => [net_eur, vat_eur])).toEqual([
        [4.17, 0.83],
        [4.16, 0.84]
      ])

      const pdf = yield* call("GET", `${path(record.invoice_id)}/pdf`, { key: who.key })
      expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"])
      expect(pdf.headers.get("content-disposition")).toBe(`attachment; filename="${record.number}.pdf"`)
      expect([pdf.text.startsWith("%PDF-"), pdf.text.includes("(factur-x.xml)")]).toEqual([true, true])

      const linkId = invoice.lines[1]?.link_id ?? LinkId.make("")
      yield* (yield* FulfilLinks).cancelLink(linkId, "as a test", by)
      const documents = yield* untilInvoices(who, (all) => all.some(({ kind }) => kind === "credit_note"))
      expect(documents.map(({ kind }) => kind).sort()).toEqual(["credit_note", "invoice", "receipt"])
      const note = documents.find(({ kind }) => kind === "credit_note")
      expect(note?.number).toMatch(/^CN-\d{4}-\d{6}$/)
      expect(yield* read(InvoiceDetail, who.key, path(note?.invoice_id ?? ""))).toMatchObject({
        order_id,
        link_id: linkId,
        total_eur: 5,
        net_eur: 4.16,
        vat_eur: 0.84,
        corrects: { invoice_id: record.invoice_id, number: record.number, issue_date: invoice.issue_date }
      })
    })
  )

  it.effect("every key of the account pages through the same documents, a sandbox key sees none", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 2_500 })
      const { siteId } = yield* listSite()
      for (let count = 0; count < 4; count++) yield* order(who, [item(siteId)])
      const all = yield* untilInvoices(who, (documents) => documents.length === 5)
      expect(all.map(({ issued_at }) => issued_at)).toEqual(
        all
          .map(({ issued_at }) => issued_at)
          .sort()
          .reverse()
      )
      const sibling = yield* issueKey(who.accountId, { scopes: ["read"] })
      const paged = []
      for (let cursor: string | undefined; ; ) {
        const page = yield* sibling.api.invoices.listInvoices({
          query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
        })
        paged.push(...page.invoices)
        cursor = page.next_cursor
        if (cursor === undefined) break
      }
      expect(paged).toEqual(all)
      const other = yield* buyer({ creditCents: 500 })
      const [foreign] = yield* untilInvoices(other, (documents) => documents.length === 1)
      for (const id of [foreign?.invoice_id ?? "", "inv_unknown"]) {
        const cursor = pageCursor("invoices", Schema.String).write({}, id)
        const { status, text } = yield* call("GET", `${INVOICES}?cursor=${cursor}`, { key: who.key })
        expect([status, text]).toEqual([422, expect.stringContaining("no place in this list")])
      }
      const sandbox = yield* issueKey(who.accountId, { mode: "sandbox" })
      expect(yield* sandbox.api.invoices.listInvoices({ query: {} })).toMatchObject({
        count: 0,
        invoices: [],
        sandbox: true
      })
    })
  )

  it.effect("a business abroad whose VAT id is confirmed is charged no VAT, and one not confirmed is", () =>
    Effect.gen(function* () {
      const billing = yield* EditBilling
      const { siteId } = yield* listSite()
      const treatments = []
      for (const vatIdConfirmed of [true, false]) {
        const who = yield* buyer({ creditCents: 500 })
        const details = identity()
        yield* billing.save(who.accountId, details, by)
        const vatId = details.vatId ?? ""
        if (vatIdConfirmed) yield* billing.confirm({ accountId: who.accountId, vatId, confirmed: true }, by)
        const { order_id } = yield* order(who, [item(siteId)])
        const { invoice_id } = yield* invoiceOf(who, order_id ?? OrderId.make(""))
        const { buyer: party, ...shown } = yield* read(InvoiceDetail, who.key, path(invoice_id))
        expect(party).toMatchObject({ name: "Garden Tools GmbH", country: "DE", reference: "PO 4711" })
        treatments.push([shown.vat_treatment, shown.net_eur, shown.vat_eur, shown.legal_sentence !== null])
      }
      expect(treatments).toEqual([
        ["reverse_charge", 5, 0, true],
        ["standard", 4.17, 0.83, false]
      ])
    })
  )
})

export const withoutSellerSuite = scenarios("invoices without a seller", {}, (it) => {
  it.effect("are pro forma and bear no number", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 500 })
      const { order_id } = yield* order(who, [item((yield* listSite()).siteId)])
      const { invoice_id, number } = yield* invoiceOf(who, order_id ?? OrderId.make(""))
      expect(number).toBeNull()
      expect(yield* read(InvoiceDetail, who.key, path(invoice_id))).toMatchObject({
        pro_forma: true,
        seller: null,
        number: null,
        buyer: { name: "Ada", country: null }
      })
    })
  )
})
