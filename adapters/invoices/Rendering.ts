// Renders a document: the page as PDF, and for what is an invoice to a machine Factur-X: PDF/A-3 with the XML of EN 16931 inside. The
// libraries are large, so that only the thread that renders loads this file.
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber, PDFRawStream, PDFRef } from "@cantoo/pdf-lib"
import pdfmake from "pdfmake"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { eInvoiceOf, unescaped } from "./EInvoice.ts"
import { generate } from "./EInvoiceService.ts"
import { setTime } from "./FixedClock.ts"
import { fontDictionary, fontFiles, type LoadedFace, loadWanted } from "./Fonts.ts"
import { pageOf } from "./Page.ts"

// Documents name no other files, and nothing from the network.
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => fontFiles.has(path))

/** Files in memory, which the types leave out. */
const { virtualfs } = pdfmake as typeof pdfmake & {
  readonly virtualfs: { readonly writeFileSync: (name: string, bytes: Buffer) => void }
}

const loaded: Array<LoadedFace> = []
pdfmake.setFonts(fontDictionary(loaded))

/** The page, laid out again until no text lacks a font. */
const laidOut = async (invoice: Invoice): Promise<ReturnType<typeof pageOf>> => {
  const page = pageOf(invoice)
  const faces = await loadWanted()
  if (faces.length === 0) return page
  for (const { key, bytes } of faces) virtualfs.writeFileSync(key, bytes)
  loaded.push(...faces)
  pdfmake.setFonts(fontDictionary(loaded))
  return laidOut(invoice)
}

const LANGUAGE = "en"

const RGB_COMPONENTS = 3

/** The library leaves out how many components the colour profile has, which readers of PDF/A need to know. */
const nameComponents = ({ catalog, context }: PDFDocument): void => {
  for (const at of catalog.lookup(PDFName.of("OutputIntents"), PDFArray).asArray()) {
    const profile = context.lookup(at, PDFDict).lookup(PDFName.of("DestOutputProfile"))
    if (profile instanceof PDFRawStream) profile.dict.set(PDFName.of("N"), PDFNumber.of(RGB_COMPONENTS))
  }
}

/** Writes no object streams, so that the name of the embedded file can be read in the bytes, and properties as plain text. */
const written = async (pdf: Uint8Array): Promise<Uint8Array> => {
  const document = await PDFDocument.load(pdf, { updateMetadata: false })
  document.setTitle(unescaped(document.getTitle() ?? ""))
  document.setAuthor(unescaped(document.getAuthor() ?? ""))
  document.setSubject(unescaped(document.getSubject() ?? ""))
  nameComponents(document)
  const at = document.catalog.get(PDFName.of("Metadata"))
  const metadata = document.context.lookup(at)
  if (at instanceof PDFRef && metadata instanceof PDFRawStream) {
    const xmp = Buffer.from(metadata.contents).toString("latin1").replaceAll("&amp;amp;", "&amp;")
    const stream = document.context.stream(Buffer.from(xmp, "latin1"), { Type: "Metadata", Subtype: "XML" })
    document.context.assign(at, stream)
  }
  return document.save({ useObjectStreams: false })
}

/** The same bytes each time: the clock of this thread stands at the time of issue. */
export const renderPdf = async (invoice: Invoice): Promise<Uint8Array> => {
  setTime(invoice.issuedAtMs)
  const page = await pdfmake.createPdf(await laidOut(invoice)).getBuffer()
  const eInvoice = eInvoiceOf(invoice)
  if (eInvoice === undefined) return page
  const facturX = await generate(eInvoice, {
    format: "Factur-X-EN16931",
    lang: LANGUAGE,
    pdf: { buffer: page, filename: "invoice.pdf", mimetype: "application/pdf" }
  })
  // This format is bytes; others are text.
  return written(facturX as Uint8Array)
}

/** The XML alone (UN/CEFACT CII); `null` for receipts and pro forma documents. */
export const renderXml = async (invoice: Invoice): Promise<string | null> => {
  const eInvoice = eInvoiceOf(invoice)
  if (eInvoice === undefined) return null
  // This format is text; others are bytes.
  return (await generate(eInvoice, { format: "CII", lang: LANGUAGE })) as string
}
