// What ISO 19005-3 (PDF/A-3b) and Factur-X ask of the structure of a file, and `qpdf`, an independent reader, where it is installed.
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFString
} from "@cantoo/pdf-lib"
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as Renderer from "#adapters/invoices/InvoiceRenderer.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import { HOSTILE_NAMES, invoiceTo, numbered } from "./IssuedDocuments.ts"

const run = promisify(execFile)

const hasQpdf = await run("qpdf", ["--version"]).then(
  () => true,
  () => false
)

if (!hasQpdf) console.warn("Left out: what qpdf reads of invoices. apt-get install qpdf.")

const name = (text: string) => PDFName.of(text)

const isDict = (value: unknown): value is PDFDict => value instanceof PDFDict
const isArray = (value: unknown): value is PDFArray => value instanceof PDFArray
const isStream = (value: unknown): value is PDFRawStream => value instanceof PDFRawStream
const isNumber = (value: unknown): value is PDFNumber => value instanceof PDFNumber

/** An entry of a dictionary, following references; fails if it is missing or of another kind. */
const entry = <Kind>(dictionary: PDFDict, key: string, isKind: (value: unknown) => value is Kind): Kind => {
  const value = dictionary.context.lookup(dictionary.get(name(key)))
  if (!isKind(value)) throw new Error(`/${key} is missing or of another kind`)
  return value
}

const text = (dictionary: PDFDict, key: string): string => {
  const value = dictionary.context.lookup(dictionary.get(name(key)))
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : ""
}

const xmpValue = (xmp: string, tag: string): string => {
  const [, inside = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(xmp) ?? []
  return (/<rdf:li[^>]*>([^<]*)</.exec(inside)?.[1] ?? inside).replaceAll("&amp;", "&").trim()
}

/** `D:20260504120000Z` as `2026-05-04T12:00:00`. */
const dateOf = (pdfDate: string): string =>
  pdfDate.replace(/^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d).*$/, "$1-$2-$3T$4:$5:$6")

const FORBIDDEN = ["OpenAction", "AA", "JavaScript", "JS", "Launch", "Encrypt", "XFA"]

const some = [
  ...Object.entries(numbered).slice(0, 2),
  ...[...HOSTILE_NAMES.slice(0, 1), "深圳市 क्षत्रिय น้ำดื่ม 한국어"].map(
    (text) => [`an invoice to ${JSON.stringify(text)}`, invoiceTo(text, text)] as const
  )
]

layer(Renderer.layer, { excludeTestServices: true })("the file of", (it) => {
  for (const [what, invoice] of some) {
    it.effect(`${what} has what PDF/A-3 and Factur-X ask for`, () =>
      Effect.gen(function* () {
        const { pdf } = yield* InvoiceRenderer
        const bytes = Buffer.from(yield* pdf(invoice))
        expect(bytes.subarray(0, 32).toString("latin1")).toMatch(/^%PDF-1\.[0-7][\r\n]+%[\x80-\xff]{4}/)
        const document = yield* Effect.promise(() => PDFDocument.load(bytes, { updateMetadata: false }))
        const { catalog, context } = document
        expect(context.trailerInfo.ID).toBeInstanceOf(PDFArray)

        const metadata = entry(catalog, "Metadata", isStream)
        expect(metadata.dict.has(name("Filter"))).toBe(false)
        const xmp = Buffer.from(metadata.contents).toString("utf8")
        for (const [tag, value] of [
          ["pdfaid:part", "3"],
          ["pdfaid:conformance", "B"],
          ["fx:DocumentType", "INVOICE"],
          ["fx:DocumentFileName", "factur-x.xml"],
          ["fx:ConformanceLevel", "EN 16931"],
          ["fx:Version", "1.0"],
          ["pdfaSchema:namespaceURI", "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"]
        ] as const)
          expect([tag, xmpValue(xmp, tag)]).toEqual([tag, value])
        const described = [...xmp.matchAll(/<pdfaProperty:name>(\w+)</g)].map(([, property]) => property)
        expect(described).toEqual(["DocumentFileName", "DocumentType", "Version", "ConformanceLevel"])

        const info = context.lookup(context.trailerInfo.Info, PDFDict)
        expect(text(info, "Author")).toBe(xmpValue(xmp, "dc:creator"))
        expect(`${dateOf(text(info, "CreationDate"))}+00:00`).toBe(xmpValue(xmp, "xmp:CreateDate"))
        expect(`${dateOf(text(info, "ModDate"))}+00:00`).toBe(xmpValue(xmp, "xmp:ModifyDate"))

        const [intent] = entry(catalog, "OutputIntents", isArray).asArray()
        const output = context.lookup(intent, PDFDict)
        expect(output.get(name("S"))).toBe(name("GTS_PDFA1"))
        expect(entry(entry(output, "DestOutputProfile", isStream).dict, "N", isNumber).asNumber()).toBe(3)

        const [attached, ...more] = entry(catalog, "AF", isArray).asArray()
        expect(more).toEqual([])
        const file = context.lookup(attached, PDFDict)
        expect([text(file, "F"), text(file, "UF")]).toEqual(["factur-x.xml", "factur-x.xml"])
        expect(file.get(name("AFRelationship"))).toBe(name("Alternative"))
        const embedded = entry(entry(file, "EF", isDict), "F", isStream).dict
        expect([embedded.get(name("Type")), embedded.get(name("Subtype"))]).toEqual([
          name("EmbeddedFile"),
          name("text/xml")
        ])
        expect(text(entry(embedded, "Params", isDict), "ModDate")).toMatch(/^D:\d{14}Z$/)
        const names = entry(entry(entry(catalog, "Names", isDict), "EmbeddedFiles", isDict), "Names", isArray)
        expect(names.asArray().at(1)).toBe(attached)

        const dictionaries = context
          .enumerateIndirectObjects()
          .flatMap(([, object]) =>
            object instanceof PDFDict ? [object] : object instanceof PDFRawStream ? [object.dict] : []
          )
        const fonts = dictionaries.filter((one) => one.get(name("Type")) === name("FontDescriptor"))
        expect(fonts.length).toBeGreaterThan(0)
        for (const font of fonts) entry(font, "FontFile2", isStream)
        for (const dictionary of dictionaries) expect(FORBIDDEN.filter((key) => dictionary.has(name(key)))).toEqual([])
      })
    )

    it.effect.skipIf(!hasQpdf)(`${what} is sound to qpdf, which finds the XML`, () =>
      Effect.gen(function* () {
        const { pdf, xml } = yield* InvoiceRenderer
        const [file, content] = [yield* pdf(invoice), yield* xml(invoice)]
        yield* Effect.promise(async () => {
          const folder = await mkdtemp(join(tmpdir(), "qpdf-"))
          try {
            const path = join(folder, "invoice.pdf")
            await writeFile(path, file)
            expect((await run("qpdf", ["--check", path])).stdout).toContain("No syntax or stream encoding errors found")
            expect((await run("qpdf", ["--list-attachments", path])).stdout).toMatch(/^factur-x\.xml -> \d+,0\n$/)
            expect((await run("qpdf", ["--show-attachment=factur-x.xml", path])).stdout).toBe(content)
          } finally {
            await rm(folder, { recursive: true })
          }
        })
      })
    )
  }
})
