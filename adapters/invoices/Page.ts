// The printed page of a document: parties, lines, VAT and the sentence that the law wants, as pdfmake lays it out.
import type { Column, Content, TableCell, TDocumentDefinitions } from "pdfmake/interfaces.js"
import { detailTexts, type Invoice, type InvoiceKind } from "#core/domain/invoicing/Invoice.ts"
import type { Party } from "#core/domain/invoicing/Party.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import type { Face } from "./Fonts.ts"
import { linesOf, type Printed, type TextBox, UNPRINTABLE } from "./TextLines.ts"

const TITLES: Readonly<Record<InvoiceKind, string>> = {
  invoice: "Invoice",
  credit_note: "Credit note",
  receipt: "Receipt"
}

const SETTLED: Readonly<Record<InvoiceKind, string>> = {
  invoice: "Paid. Nothing is left to pay.",
  credit_note: "Given back. Nothing is left to pay.",
  receipt: "Received."
}

const TEXT = 9
const SMALL = 7.5
const MARGIN = 50
const GREY = "#555555"
const PAGE_WIDTH = 495
const FACT_LABEL = 120
/** Widths of the table's columns, in points. */
const COLUMNS = [18, 225, 60, 42, 60, 66]
const [, DESCRIPTION = 0] = COLUMNS

const WITHOUT_LINES = { hLineWidth: () => 0, vLineWidth: () => 0, paddingTop: () => 1, paddingBottom: () => 1 }

type Align = "left" | "right"

/** Any text, broken to the width here: the layout library knows neither right-to-left writing nor words wider than a column. */
const block = (text: Printed, box: Partial<TextBox> = {}, alignment: Align = "left"): Content => {
  const { size = TEXT, face = "regular", width = PAGE_WIDTH } = box
  return {
    stack: linesOf(text, { size, face, width }).map((line) => ({
      text: line.map((run) => ({ text: run.text, font: run.font, preserveLeadingSpaces: true })),
      noWrap: true
    })),
    alignment,
    bold: face === "bold",
    fontSize: size
  }
}

const amount = (cents: Cents): string => {
  const digits = String(cents).padStart(3, "0")
  return `${digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, ",")}.${digits.slice(-2)}`
}

const number = (text: string, face: Face = "regular"): TableCell => ({
  text,
  alignment: "right",
  bold: face === "bold"
})

const COLUMN = 240

const partyOf = (title: string, party: Party): Column => {
  const { name, address, country, vatId, reference } = party
  const lines: ReadonlyArray<Printed> = [
    ...(address === null ? [] : [address]),
    ...(country === null ? [] : [country]),
    ...(vatId === null ? [] : [["VAT id ", vatId]]),
    ...(reference === null ? [] : [["Reference ", reference]])
  ]
  return {
    width: COLUMN,
    stack: [
      { text: title, fontSize: SMALL, color: GREY, margin: [0, 0, 0, 2] },
      block(name, { face: "bold", width: COLUMN }),
      ...lines.map((line) => block(line, { width: COLUMN }))
    ]
  }
}

const dateOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, "2026-11-24".length)

/** The day on which money moved, by the word that the document was issued with. */
const dayLabel = ({ kind, facts }: Invoice): string => {
  if (kind !== "receipt") return "Date of supply (UTC)"
  return facts.lines.some(({ detail }) => detail.startsWith("Deposit"))
    ? "Date of deposit (UTC)"
    : "Date of top-up (UTC)"
}

const factsOf = (invoice: Invoice): ReadonlyArray<readonly [label: string, text: string]> => {
  const { orderId, facts } = invoice
  const { corrects } = facts
  return [
    ...(facts.number === null ? [] : [["Number", facts.number] as const]),
    ["Date of issue", facts.issueDate],
    [dayLabel(invoice), dateOf(facts.suppliedAtMs)],
    ...(orderId === null ? [] : [["Order", orderId] as const]),
    ...(corrects === null
      ? []
      : [["Corrects invoice", `${corrects.number ?? corrects.invoiceId} of ${corrects.issueDate}`] as const])
  ]
}

const PERCENT = 100

const rateOf = ({ category, vatBasisPoints }: Invoice["facts"]): string =>
  category === "O" ? "—" : `${vatBasisPoints / PERCENT} %`

const header = (text: string, alignment: Align = "right"): TableCell => ({ text, alignment, bold: true })

const tableOf = ({ facts }: Invoice): Content => ({
  margin: [0, 18, 0, 0],
  table: {
    headerRows: 1,
    widths: COLUMNS,
    // A line's cells stay on one page.
    dontBreakRows: true,
    body: [
      [
        header("#", "left"),
        header("Description", "left"),
        header("Net"),
        header("VAT"),
        header("VAT"),
        header("Total")
      ],
      ...facts.lines.map(({ name, detail, netCents, vatCents, totalCents }, index): Array<TableCell> => {
        const cells: ReadonlyArray<TableCell> = [
          amount(netCents),
          rateOf(facts),
          amount(vatCents),
          amount(totalCents)
        ].map((text) => number(text))
        const description: TableCell = {
          stack: [block(name, { width: DESCRIPTION }), block(detailTexts(detail), { width: DESCRIPTION, size: SMALL })]
        }
        return [{ text: String(index + 1) }, description, ...cells]
      })
    ]
  },
  layout: {
    hLineWidth: (index) => (index <= 1 ? 0.8 : 0.3),
    vLineWidth: () => 0,
    paddingLeft: () => 2,
    paddingRight: () => 2,
    paddingTop: () => 3,
    paddingBottom: () => 3
  }
})

const totalsOf = ({ facts, totalCents, netCents, vatCents }: Invoice): Content => ({
  margin: [PAGE_WIDTH - 206, 8, 0, 0],
  table: {
    widths: [110, 84],
    body: [
      [{ text: "Net" }, number(`${amount(netCents)} EUR`)],
      [{ text: `VAT ${rateOf(facts)}` }, number(`${amount(vatCents)} EUR`)],
      [{ text: "Total", bold: true }, number(`${amount(totalCents)} EUR`, "bold")]
    ]
  },
  layout: { ...WITHOUT_LINES, paddingLeft: () => 2, paddingRight: () => 2 }
})

const titleOf = ({ kind, facts }: Invoice): string => `${facts.proForma ? "Pro forma " : ""}${TITLES[kind]}`

const PRO_FORMA = "Pro forma: no seller was configured, so this is no invoice for tax purposes and bears no number."
const NOT_PRINTED = `${UNPRINTABLE} stands for a character that this page cannot print.`

const spaced = (above: number, ...stack: ReadonlyArray<Content>): Content => ({
  margin: [0, above, 0, 0],
  stack: [...stack]
})

const bodyOf = (invoice: Invoice): ReadonlyArray<Content> => {
  const { facts, kind } = invoice
  const seller = facts.seller === null ? [] : [partyOf(kind === "receipt" ? "Received by" : "Seller", facts.seller)]
  return [
    { text: titleOf(invoice), fontSize: 20, bold: true, margin: [0, 0, 0, 10] },
    {
      table: {
        widths: [FACT_LABEL, PAGE_WIDTH - FACT_LABEL],
        body: factsOf(invoice).map(([label, text]) => [
          { text: label, color: GREY },
          block(text, { width: PAGE_WIDTH - FACT_LABEL })
        ])
      },
      layout: { ...WITHOUT_LINES, paddingLeft: () => 0, paddingRight: () => 0 }
    },
    spaced(18, {
      columnGap: PAGE_WIDTH - 2 * COLUMN,
      columns: [...seller, partyOf(kind === "receipt" ? "Received from" : "Buyer", facts.buyer)]
    }),
    tableOf(invoice),
    totalsOf(invoice),
    spaced(12, { text: SETTLED[kind] }),
    ...(facts.sentence === null ? [] : [spaced(6, block(facts.sentence))]),
    ...(facts.proForma ? [spaced(6, block(PRO_FORMA))] : [])
  ]
}

export const pageOf = (invoice: Invoice): TDocumentDefinitions => {
  const { number, seller } = invoice.facts
  const body = bodyOf(invoice)
  const note = JSON.stringify(body).includes(UNPRINTABLE) ? [spaced(6, { text: NOT_PRINTED, fontSize: SMALL })] : []
  const name = `${titleOf(invoice)} ${number ?? invoice.invoiceId}`
  return {
    pageSize: "A4",
    pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN],
    defaultStyle: { font: "text", fontSize: TEXT },
    info: { title: name, ...(seller === null ? {} : { author: seller.name }) },
    content: [...body, ...note],
    footer: (page, pages) => ({
      text: `${name}, page ${page} of ${pages}`,
      fontSize: SMALL,
      color: GREY,
      margin: [MARGIN, 12, MARGIN, 0]
    })
  }
}
