// Rendered documents: the XML inside the PDF, the same bytes from every thread, and hostile names as they are.
import { performance } from "node:perf_hooks"
import { PDFDocument } from "@cantoo/pdf-lib"
import { layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { expect } from "vitest"
import * as Renderer from "#adapters/invoices/InvoiceRenderer.ts"
import { InvoiceId } from "#core/domain/shared/Ids.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import { HOSTILE_NAMES, invoiceTo, numbered, unnumbered } from "./IssuedDocuments.ts"

const attachmentsOf = (pdf: Uint8Array) =>
  Effect.promise(async () => {
    const document = await PDFDocument.load(pdf, { updateMetadata: false })
    return document.getAttachments().map(({ name, data }) => [name, Buffer.from(data).toString("utf8")] as const)
  })

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }
const decoded = (text: string): string => text.replaceAll(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)

const firstOf = (xml: string, within: string, tag: string): string => {
  const [, inside = ""] = xml.split(`<ram:${within}>`)
  return decoded(new RegExp(`<ram:${tag}>([^<]*)</ram:${tag}>`).exec(inside)?.[1] ?? "")
}

const inAnotherThread = Effect.provide(Layer.fresh(Renderer.layer))

layer(Renderer.layer, { excludeTestServices: true })("the renderer of invoices", (it) => {
  for (const [name, invoice] of Object.entries(numbered)) {
    it.effect(`embeds the XML of ${name}, under a name that can be read in the file`, () =>
      Effect.gen(function* () {
        const { pdf, xml } = yield* InvoiceRenderer
        const file = yield* pdf(invoice)
        const text = Buffer.from(file).toString("latin1")
        expect(["/F (factur-x.xml)", "<pdfaid:part>3</pdfaid:part>"].filter((part) => !text.includes(part))).toEqual([])
        const [[embedded, content = ""] = [], ...more] = yield* attachmentsOf(file)
        expect([embedded, more]).toEqual(["factur-x.xml", []])
        expect(content).toContain(`<ram:ID>${invoice.facts.number}</ram:ID>`)
        expect(firstOf(content, "SellerTradeParty", "Name")).toBe("Reef Media SARL")
        expect((yield* xml(invoice)) ?? "").toContain(`<ram:ID>${invoice.facts.number}</ram:ID>`)
      })
    )
  }

  it.effect("gives the same bytes in every thread, dated as issued", () =>
    Effect.gen(function* () {
      const chinese = invoiceTo("深圳市腾讯计算机系统有限公司", "广东省\n518057 深圳")
      const invoices = [...Object.values(numbered).slice(0, 2), ...Object.values(unnumbered), chinese]
      const files = Effect.flatMap(InvoiceRenderer, ({ pdf }) => Effect.forEach(invoices, pdf))
      const [here, there] = [yield* files, yield* inAnotherThread(files)]
      expect(there.map((file) => Buffer.from(file).toString("latin1"))).toEqual(
        here.map((file) => Buffer.from(file).toString("latin1"))
      )
      for (const [index, invoice] of invoices.entries()) {
        const date = new Date(invoice.issuedAtMs).toISOString().replaceAll(/\D/g, "").slice(0, 14)
        expect(Buffer.from(here[index] ?? []).includes(`(D:${date}Z)`)).toBe(true)
      }
    })
  )

  it.effect("names the seller in the properties of the file and in the XMP alike", () =>
    Effect.gen(function* () {
      const { pdf } = yield* InvoiceRenderer
      const [invoice] = Object.values(numbered)
      const seller = invoice?.facts.seller ?? null
      if (invoice === undefined || seller === null) throw new Error("a numbered invoice has a seller")
      const file = yield* pdf({
        ...invoice,
        facts: { ...invoice.facts, seller: { ...seller, name: "Smith & Sons <Ltd>" } }
      })
      expect(Buffer.from(file).includes("<rdf:li>Smith &amp; Sons &lt;Ltd&gt;</rdf:li>")).toBe(true)
      const document = yield* Effect.promise(() => PDFDocument.load(file, { updateMetadata: false }))
      expect(document.getAuthor()).toBe("Smith & Sons <Ltd>")
      expect(document.getTitle()).toContain("Smith & Sons <Ltd>")
    })
  )

  for (const [name, invoice] of Object.entries(unnumbered)) {
    it.effect(`gives ${name} a page and no XML`, () =>
      Effect.gen(function* () {
        const { pdf, xml } = yield* InvoiceRenderer
        expect(yield* attachmentsOf(yield* pdf(invoice))).toEqual([])
        expect(yield* xml(invoice)).toBeNull()
      })
    )
  }

  it.effect("embeds the fonts of other scripts where a text needs them, and only there", () =>
    Effect.gen(function* () {
      const { pdf } = yield* InvoiceRenderer
      const fontsFor = Effect.fnUntraced(function* (name: string) {
        const text = Buffer.from(yield* pdf(invoiceTo(name, "10115 Berlin"))).toString("latin1")
        return new Set(Array.from(text.matchAll(/\/FontName \/[A-Z]{6}\+(\w+)/g), ([, font = ""]) => font))
      })
      const latin = ["DejaVuSans", "DejaVuSans"]
      expect(yield* fontsFor("Müller 12")).toEqual(new Set(latin))
      expect(yield* fontsFor("株式会社ラーメン")).toEqual(new Set([...latin, "NotoSansJP"]))
      expect(yield* fontsFor("삼성전자 हिन्दी น้ำ")).toEqual(
        new Set([...latin, "NotoSansKR", "NotoSansDevanagari", "NotoSansThai"])
      )
    })
  )

  for (const name of HOSTILE_NAMES) {
    it.effect(`carries ${JSON.stringify(name)} as it is`, () =>
      Effect.gen(function* () {
        const { pdf } = yield* InvoiceRenderer
        const invoice = invoiceTo(name, `${name}\n${name}\n10115 Berlin`)
        const [[, xml = ""] = []] = yield* attachmentsOf(yield* pdf(invoice))
        // XML 1.0 has no bell, and a name is one line.
        const shown = name.replaceAll("\u0007", "\uFFFD").replaceAll(/\s+/gu, " ").trim()
        expect(firstOf(xml, "BuyerTradeParty", "Name")).toBe(shown)
        expect(firstOf(xml, "BuyerTradeParty", "LineOne")).toBe(shown)
        expect(firstOf(xml, "SpecifiedTradeProduct", "Description")).toContain(shown)
      })
    )
  }

  it.effect("renders many at once, while this thread has next to nothing to do", () =>
    Effect.gen(function* () {
      const { pdf } = yield* InvoiceRenderer
      // The time of the processor, which other programs of a busy machine do not add to.
      const [before, beganMs] = [process.threadCpuUsage(), performance.now()]
      const files = yield* Effect.all(
        Object.values(numbered)
          .slice(0, 6)
          .map((invoice, index) => pdf({ ...invoice, invoiceId: InvoiceId.make(`inv_many${index}`) })),
        { concurrency: "unbounded" }
      )
      expect(new Set(files.map(({ length }) => length > 10_000))).toEqual(new Set([true]))
      const elapsedMs = performance.now() - beganMs
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1_000 / elapsedMs).toBeLessThan(0.5)
    })
  )

  it.effect("renders a document once for all who ask for it, at once and later", () =>
    Effect.gen(function* () {
      const { pdf } = yield* InvoiceRenderer
      const [invoice] = Object.values(numbered)
      if (invoice === undefined) throw new Error("there are numbered documents")
      const asked = Array.from({ length: 20 }, () => pdf({ ...invoice, invoiceId: InvoiceId.make("inv_once") }))
      const files = new Set(yield* Effect.all(asked, { concurrency: "unbounded" }))
      files.add(yield* pdf({ ...invoice, invoiceId: InvoiceId.make("inv_once") }))
      expect(files.size).toBe(1)
      files.add(yield* pdf({ ...invoice, invoiceId: InvoiceId.make("inv_other") }))
      expect(files.size).toBe(2)
    })
  )

  it.effect("does not render what is no longer wanted when its turn comes", () =>
    Effect.gen(function* () {
      const { pdf } = yield* InvoiceRenderer
      const [invoice] = Object.values(numbered)
      if (invoice === undefined) throw new Error("there are numbered documents")
      // A minute of rendering, given up before the first is done; what is asked for next does not wait for it.
      const flood = Array.from({ length: 500 }, (_, index) =>
        pdf({ ...invoice, invoiceId: InvoiceId.make(`inv_flood${index}`) })
      )
      const fiber = yield* Effect.forkChild(Effect.all(flood, { concurrency: "unbounded" }))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      const file = yield* Effect.timeout(pdf({ ...invoice, invoiceId: InvoiceId.make("inv_after") }), "20 seconds")
      expect(file.length).toBeGreaterThan(10_000)
    })
  )
})
