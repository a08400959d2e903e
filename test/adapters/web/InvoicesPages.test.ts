// Invoices on the pages: the list, one document, its files, and who may see them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { by, issueKey, item, order, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { SELLER, untilInvoices } from "#test/scenarios/InvoiceSteps.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const PATH = "/account/invoices"

/** An account with credit, an agent that orders this number of links one by one, and the documents of it. */
const invoiced = Effect.fnUntraced(function* (orders: number) {
  const people = yield* openAccount
  const { accountId } = people.account
  yield* topUp(accountId, (orders + 1) * 500)
  const agent = yield* issueKey(accountId)
  const { siteId } = yield* listSite()
  for (let count = 0; count < orders; count++) yield* order(agent, [item(siteId)])
  const documents = yield* untilInvoices(agent, ({ length }) => length === orders + 1)
  return { ...people, agent, documents }
})

const idsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/<th scope="row"><a href="\/account\/invoices\/(\w+)">/g)].map(([, id = ""]) => id)

layer(RunningService.layer(SELLER))("invoices on the pages", (it) => {
  it.effect("an account without any has an empty list that says so", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const { status, text } = yield* visit({ path: PATH, token: owner })
      assert.deepStrictEqual([status, text.includes("No invoice yet")], [200, true])
      assert.include(text, `<a href="${PATH}" aria-current="page">Invoices</a>`)
    })
  )

  it.effect("a viewer pages through all of them, newest first", () =>
    Effect.gen(function* () {
      const { viewer, documents } = yield* invoiced(21)
      const first = (yield* visit({ path: PATH, token: viewer })).text
      assert.include(first, "Numbers are shared by all customers, so yours are not consecutive.")
      const { order_id: orderId, number, invoice_id: id } = documents[1] ?? {}
      assert.include(
        first.replaceAll(/\s+/g, " "),
        `<a href="${PATH}/${id}">scenario: 1 link to brand.example</a><br><small>Invoice ${number}</small><br><small><a href="/account/orders/${orderId}">See the order</a></small></th>`
      )
      const next = /rel="next" href="([^"]+)"/.exec(first)?.[1] ?? ""
      const second = (yield* visit({ path: next, token: viewer })).text
      assert.notInclude(second, 'rel="next"')
      assert.deepStrictEqual(
        [...idsOf(first), ...idsOf(second)],
        documents.map(({ invoice_id }) => invoice_id)
      )
      assert.match(first, />Top-up<\/a><br><small>Receipt<\/small>/)
      const { status, text } = yield* visit({ path: `${PATH}?before=inv_unknown`, token: viewer })
      assert.deepStrictEqual([status, text.includes("no place in this list")], [422, true])
    })
  )

  it.effect("an invoice and its credit note are pages, PDFs and XML", () =>
    Effect.gen(function* () {
      const { viewer, agent, documents } = yield* invoiced(1)
      const invoice = documents.find(({ kind }) => kind === "invoice")
      const path = `${PATH}/${invoice?.invoice_id}`
      const { text } = yield* visit({ path, token: viewer })
      for (const shown of [
        `<h1>Invoice ${invoice?.number}</h1>`,
        "Reef Media SARL<br>1 quai du Port<br>13002 Marseille<br>FR",
        "VAT 20 %",
        formatEur(417),
        formatEur(83)
      ])
        assert.include(text, shown)

      const pdf = yield* visit({ path: `${path}/pdf`, token: viewer })
      assert.deepStrictEqual(
        [pdf.status, pdf.headers.get("content-type"), pdf.headers.get("content-disposition")],
        [200, "application/pdf", `attachment; filename="${invoice?.number}.pdf"`]
      )
      assert.isTrue(pdf.text.startsWith("%PDF-") && pdf.text.includes("(factur-x.xml)"))
      const xml = yield* visit({ path: `${path}/xml`, token: viewer })
      assert.include(xml.text, `<ram:ID>${invoice?.number}</ram:ID>`)
      assert.include(xml.headers.get("content-type") ?? "", "application/xml")

      const { links } = yield* agent.api.orders
        .getOrder({ params: { id: invoice?.order_id ?? OrderId.make("") } })
        .pipe(Effect.map(({ items }) => ({ links: items })))
      yield* (yield* FulfilLinks).cancelLink(links[0]?.link_id ?? LinkId.make(""), "as a test", by)
      const after = yield* untilInvoices(agent, (all) => all.some(({ kind }) => kind === "credit_note"))
      const note = after.find(({ kind }) => kind === "credit_note")
      const page = (yield* visit({ path: `${PATH}/${note?.invoice_id}`, token: viewer })).text
      assert.include(page, `<h1>Credit note ${note?.number}</h1>`)
      assert.include(page, `Corrects <a href="${path}">invoice ${invoice?.number}</a>`)
      assert.include(page, `−${formatEur(500)}`)
    })
  )

  it.effect("a receipt has no XML", () =>
    Effect.gen(function* () {
      const { owner, documents } = yield* invoiced(0)
      const path = `${PATH}/${documents[0]?.invoice_id}`
      assert.notInclude((yield* visit({ path, token: owner })).text, "XML")
      assert.strictEqual((yield* visit({ path: `${path}/xml`, token: owner })).status, 404)
      const pdf = yield* visit({ path: `${path}/pdf`, token: owner })
      assert.deepStrictEqual([pdf.status, pdf.text.includes("factur-x.xml")], [200, false])
    })
  )

  it.effect("those of another account are not found", () =>
    Effect.gen(function* () {
      const { documents } = yield* invoiced(1)
      const stranger = yield* openAccount
      for (const { invoice_id } of documents)
        for (const form of ["", "/pdf", "/xml"]) {
          const path = `${PATH}/${invoice_id}${form}`
          assert.strictEqual((yield* visit({ path, token: stranger.owner })).status, 404)
        }
      const list = yield* visit({ path: `${PATH}?before=${documents[0]?.invoice_id}`, token: stranger.owner })
      assert.strictEqual(list.status, 422)
    })
  )
})
