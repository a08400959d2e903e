// `invoice` and `seller`: documents of all accounts, the files of a month, and who invoices.
import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { LinkId, OrderId } from "#core/domain/shared/Ids.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { FulfilLinks } from "#core/usecases/ordering/FulfilLinks.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { identity } from "#test/core/InvoiceGiven.ts"
import { buyer, by, item, order } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { SELLER, untilInvoices } from "#test/scenarios/InvoiceSteps.ts"
import { refusal, succeed } from "./RunCommand.ts"

const IN_FRANCE = { ...SELLER, SELLER_TIME_ZONE: "Europe/Paris" }

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "invoices-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

/** A buyer whose name is a formula, with an invoice over two links and the credit note of one. */
const invoiced = Effect.gen(function* () {
  const who = yield* buyer({ creditCents: 5_000 })
  const name = '=HYPERLINK("https://evil.example","click")'
  yield* (yield* EditBilling).save(who.accountId, identity({ name }), by)
  const sites = [(yield* listSite()).siteId, (yield* listSite()).siteId]
  const { order_id } = yield* order(who, [item(sites[0] ?? 0), item(sites[1] ?? 0)])
  yield* untilInvoices(who, ({ length }) => length === 2)
  const { items } = yield* who.api.orders.getOrder({ params: { id: order_id ?? OrderId.make("") } })
  yield* (yield* FulfilLinks).cancelLink(items[0]?.link_id ?? LinkId.make(""), "as a test", by)
  const documents = yield* untilInvoices(who, ({ length }) => length === 3)
  const of = (kind: string) => {
    const found = documents.find((one) => one.kind === kind)
    if (found === undefined) throw new Error(`a ${kind} was issued`)
    return found
  }
  return { who, invoice: of("invoice"), note: of("credit_note"), receipt: of("receipt") }
})

layer(operatorService(IN_FRANCE), { excludeTestServices: true })("invoices on the command line", (it) => {
  it.effect("are listed, and shown by number or id with their files", () =>
    Effect.gen(function* () {
      const { who, invoice, note, receipt } = yield* invoiced
      const list = yield* succeed("invoice", "list", "--account", who.accountId)
      expect(list.split("\n")).toHaveLength(4)
      expect(list).toMatch(new RegExp(`${note.number} +credit note .* -4.17 +-0.83 +-5.00 +${note.invoice_id}`))
      const everyone = yield* succeed("invoice", "list", "--limit", "10000")
      for (const { invoice_id } of [invoice, note, receipt]) expect(everyone).toContain(invoice_id)

      for (const name of [invoice.number ?? "", invoice.invoice_id])
        expect(yield* succeed("invoice", "show", name)).toMatch(
          /net +8.33 EUR\nVAT +1.67 EUR \(S, 20 %\)\ntotal +10.00/
        )
      expect(yield* succeed("invoice", "show", note.number ?? "")).toMatch(new RegExp(`corrects +${invoice.number}`))
      for (const unknown of ["2026-999999", "2026-0000001", "inv_none"])
        expect(yield* refusal("invoice", "show", unknown)).toContain(unknown)

      const place = yield* folder
      const [pdf, xml] = [join(place, "a.pdf"), join(place, "a.xml")]
      yield* succeed("invoice", "show", invoice.number ?? "", "--pdf", pdf, "--xml", xml)
      expect(readFileSync(pdf).subarray(0, 5).toString()).toBe("%PDF-")
      expect(readFileSync(xml, "utf8")).toContain(`<ram:ID>${invoice.number}</ram:ID>`)
      expect(yield* refusal("invoice", "show", invoice.number ?? "", "--pdf", pdf)).toContain("could not be written")
      expect(yield* refusal("invoice", "show", receipt.invoice_id, "--xml", `${xml}2`)).toContain("no XML")
    })
  )

  it.effect("are exported as a folder, the same bytes each time, and never over another", () =>
    Effect.gen(function* () {
      const { who, invoice, note, receipt } = yield* invoiced
      const { issue_date } = yield* who.api.invoices.getInvoice({ params: { id: invoice.invoice_id } })
      const month = issue_date.slice(0, 7)
      const place = yield* folder
      const [first, second] = [join(place, "first"), join(place, "second")]
      const said = yield* succeed("invoice", "export", "--month", month, first)
      yield* succeed("invoice", "export", "--month", month, second)
      const names = readdirSync(first).sort()
      expect(names).toEqual(readdirSync(second).sort())
      for (const name of names)
        expect(readFileSync(join(first, name)).equals(readFileSync(join(second, name))), name).toBe(true)
      for (const file of [`${invoice.number}.pdf`, `${note.number}.pdf`, `${receipt.invoice_id}.pdf`])
        expect(names).toContain(file)
      expect(said).toContain(`has ${names.length - 1} documents of ${month}`)

      const lines = readFileSync(join(first, "invoices.csv"), "utf8").split("\r\n")
      const name = '"\'=HYPERLINK(""https://evil.example"",""click"")"'
      expect(lines[0]?.split(",").slice(0, 3)).toEqual(["\uFEFFnumber", "kind", "issue_date"])
      expect(lines.filter((line) => line.includes(who.accountId))).toEqual([
        `${invoice.number},invoice,${issue_date},${who.accountId},${name},DE,DE136695976,8.33,S,20,1.67,10.00,,no,${invoice.order_id},${invoice.invoice_id}`,
        `${note.number},credit_note,${issue_date},${who.accountId},${name},DE,DE136695976,-4.17,S,20,-0.83,-5.00,${invoice.number},no,${invoice.order_id},${note.invoice_id}`,
        `,receipt,${issue_date},${who.accountId},${name},DE,DE136695976,50.00,,,0.00,50.00,,no,,${receipt.invoice_id}`
      ])
      const numbers = lines.slice(1, -1).map((line) => line.split(",")[0] ?? "")
      const ascending = numbers.filter((number) => /^\d/.test(number))
      expect(ascending).toEqual([...ascending].sort())

      expect(yield* refusal("invoice", "export", "--month", month, first)).toContain("overwrites nothing")
      expect(yield* refusal("invoice", "export", "--month", "2026-13", join(place, "x"))).toContain("such as 2026-11")
      const missing = yield* refusal("invoice", "export", "--month", month, join(place, "no", "such"))
      expect(missing).toContain("could not be written")
      expect(yield* succeed("invoice", "export", "--month", "2001-01", join(place, "empty"))).toContain(
        "has 0 documents"
      )
      expect(yield* succeed("invoice", "export", "--month", month, "--csv-only", join(place, "csv"))).toContain("has ")
      expect(readdirSync(join(place, "csv"))).toEqual(["invoices.csv"])
      expect(readdirSync(place).sort()).toEqual(["csv", "empty", "first", "second"])
    })
  )

  it.effect("have a seller, whose documents are numbered", () =>
    Effect.gen(function* () {
      const shown = yield* succeed("seller")
      expect(shown).toMatch(/name +Reef Media SARL\naddress +1 quai du Port, 13002 Marseille/)
      expect(shown).toMatch(
        /VAT +20 %, included in prices\ntime zone +Europe\/Paris\ndocuments +numbered, for orders since 2/
      )
      expect(shown).not.toContain("looks wrong")
    })
  )
})

layer(operatorService({ ...IN_FRANCE, SELLER_VAT_ID: "FR40303265046" }), { excludeTestServices: true })(
  "a mistyped seller",
  (it) => {
    it.effect("is said to look wrong", () =>
      Effect.map(succeed("seller"), (shown) => expect(shown).toContain("SELLER_VAT_ID looks wrong: Is mistyped"))
    )
  }
)

layer(operatorService(), { excludeTestServices: true })("without a seller", (it) => {
  it.effect("documents are said to be pro forma, and what is missing", () =>
    Effect.gen(function* () {
      const shown = yield* succeed("seller")
      expect(shown).toContain("Missing: SELLER_NAME, SELLER_ADDRESS, SELLER_COUNTRY, SELLER_VAT_ID")
      expect(shown).toMatch(/documents +pro forma, without numbers/)
      const who = yield* buyer({ creditCents: 500 })
      yield* order(who, [item((yield* listSite()).siteId)])
      yield* untilInvoices(who, ({ length }) => length === 2)
      expect(yield* succeed("invoice", "list", "--account", who.accountId)).toMatch(/pro forma +invoice/)
    })
  )
})
