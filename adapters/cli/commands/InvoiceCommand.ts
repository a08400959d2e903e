// `invoice` and `seller`: documents of all accounts, files of a month for the accountant, and who invoices.
import { Effect, FileSystem, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { vatIdFault } from "#adapters/contract/invoicing/BillingDetails.ts"
import { euros } from "#adapters/operator/records/Euros.ts"
import type { Seller } from "#adapters/operator/records/InvoiceRecords.ts"
import { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { command, group, pages } from "../CallCommand.ts"
import { amount, columns, text, timeText } from "../Columns.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { connect } from "../Connect.ts"
import { exportMonth } from "../ExportInvoices.ts"
import { kindText, signedCents } from "../InvoicesCsv.ts"
import { print, printNote } from "../Output.ts"
import { fieldList, table } from "../Table.ts"

const invoiceColumns = columns(Invoice, {
  NUMBER: ({ facts }) => facts.number ?? (facts.proForma ? "pro forma" : ""),
  KIND: ({ kind }) => kindText[kind],
  DATE: "facts.issueDate",
  ACCOUNT: "accountId",
  BUYER: text("facts.buyer.name"),
  "NET EUR": amount((invoice) => signedCents(invoice, invoice.netCents)),
  "VAT EUR": amount((invoice) => signedCents(invoice, invoice.vatCents)),
  "TOTAL EUR": amount((invoice) => signedCents(invoice, invoice.totalCents)),
  ID: "invoiceId"
})

const lineColumns = columns(Invoice.fields.facts.fields.lines.value, {
  LINE: text("name"),
  WHAT: text("detail"),
  "NET EUR": "netCents",
  "VAT EUR": "vatCents",
  "TOTAL EUR": "totalCents"
})

const partyText = (party: Invoice["facts"]["buyer"]): string =>
  [party.name, ...(party.address ?? "").split("\n"), party.country ?? "", party.vatId ?? ""]
    .filter((part) => part !== "")
    .join(", ")

const PERCENT = 100

const invoiceText = ({ facts, ...invoice }: Invoice, width: number | undefined): string =>
  [
    fieldList([
      [kindText[invoice.kind], facts.number ?? (facts.proForma ? "pro forma" : "without number")],
      ["id", invoice.invoiceId],
      ["issued", `${facts.issueDate} (${timeText(invoice.issuedAtMs)} UTC)`],
      ["account", invoice.accountId],
      ["for", invoice.linkId ?? invoice.orderId ?? invoice.entryId ?? ""],
      ["corrects", facts.corrects && (facts.corrects.number ?? facts.corrects.invoiceId)],
      ["seller", facts.seller === null ? "none was configured" : partyText(facts.seller)],
      ["buyer", partyText(facts.buyer)],
      ["reference", facts.buyer.reference],
      ["net", `${euros(invoice.netCents)} EUR`],
      ["VAT", `${euros(invoice.vatCents)} EUR (${facts.category}, ${facts.vatBasisPoints / PERCENT} %)`],
      ["total", `${euros(invoice.totalCents)} EUR`],
      ["note", facts.sentence]
    ]),
    "",
    table(lineColumns, facts.lines, width)
  ].join("\n")

const newFile = (name: string, what: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`Write ${what} to this new file`),
    Flag.withMetavar("FILE"),
    Flag.optional
  )

const write = Effect.fnUntraced(function* (path: Option.Option<string>, content: Uint8Array) {
  if (Option.isNone(path)) return
  const files = yield* FileSystem.FileSystem
  yield* files
    .writeFile(path.value, content, { flag: "wx" })
    .pipe(
      Effect.mapError(
        ({ reason }) => new CommandFailed({ sentence: `${path.value} could not be written: ${reason.message}` })
      )
    )
  yield* printNote(`Wrote ${path.value}.`)
})

const show = Command.make(
  "show",
  {
    invoice: Argument.String("invoice").pipe(Argument.withDescription("Number such as 2026-000123, or id")),
    pdf: newFile("pdf", "its PDF"),
    xml: newFile("xml", "its XML (EN 16931)")
  },
  Effect.fnUntraced(function* ({ invoice: idOrNumber, pdf, xml }) {
    const client = yield* connect
    const invoice = yield* client.showInvoice({ invoice: idOrNumber })
    if (Option.isSome(pdf) || Option.isSome(xml)) {
      const rendered = yield* client.renderInvoice({ invoice: invoice.invoiceId })
      if (Option.isSome(xml) && rendered.xml === null)
        return yield* new CommandFailed({ sentence: "A receipt or a pro forma document has no XML." })
      yield* write(pdf, rendered.pdf)
      yield* write(xml, new TextEncoder().encode(rendered.xml ?? ""))
    }
    yield* print(invoice, invoiceText)
  })
).pipe(Command.withDescription("Show a document, and write its files"))

const Month = Schema.String.check(
  Schema.isPattern(/^\d{4}-(?:0[1-9]|1[0-2])$/, { message: "must be a month such as 2026-11" })
)

const exportCommand = Command.make(
  "export",
  {
    month: Flag.String("month").pipe(
      Flag.withDescription("Month of the dates on the documents"),
      Flag.withMetavar("YYYY-MM"),
      Flag.withSchema(Month)
    ),
    folder: Argument.String("folder").pipe(
      Argument.withDescription("A new folder; an existing one is never overwritten")
    ),
    csvOnly: Flag.Boolean("csv-only").pipe(
      Flag.withDescription("Only the list, without the documents"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* (what) {
    const exported = yield* exportMonth(yield* connect, what)
    yield* print(
      exported,
      ({ month, folder, documents, totalCents }) =>
        `${folder} has ${documents} documents of ${month}, with a list of them in invoices.csv. Invoices less credit notes: ${euros(totalCents)} EUR with VAT.`
    )
  })
).pipe(
  Command.withDescription("Write the documents of a month and a list of them into a new folder, for the accountant")
)

export const invoiceCommand = group("invoice", "Invoices, credit notes and receipts of all accounts", [
  pages("list", "listInvoices", {
    about: "List invoices, credit notes and receipts, newest first",
    columns: invoiceColumns
  }),
  show,
  exportCommand
])

const MISSING = [
  "No seller is configured: documents are pro forma and bear no number.",
  "Missing: SELLER_NAME, SELLER_ADDRESS, SELLER_COUNTRY, SELLER_VAT_ID. Orders made before they are set stay pro forma."
].join("\n")

const numbering = ({ seller, numberedSinceMs }: Seller): string =>
  seller === null || numberedSinceMs === null
    ? "pro forma, without numbers"
    : `numbered, for orders since ${timeText(numberedSinceMs)} UTC`

/** A note on a missing VAT id; a small business may have a tax number instead. */
const vatIdNote = ({ seller }: Seller): ReadonlyArray<string> => {
  if (seller === null || !/^[A-Z]{2}/.test(seller.vatId)) return []
  const fault = vatIdFault(seller.vatId, seller.country)
  return fault === undefined ? [] : [`SELLER_VAT_ID looks wrong: ${fault}`]
}

export const sellerCommand = command("seller", "showSeller", {
  about: "Show who invoices, and whether documents are numbered or pro forma",
  says: (state) => {
    const { seller, vat, vatBasisPoints, timeZone } = state
    const rate = vat === "standard" ? `${vatBasisPoints / PERCENT} %, included in prices` : "none (small business)"
    return [
      ...(seller === null ? [MISSING, ""] : []),
      fieldList([
        ["name", seller?.name],
        ["address", seller?.address.replaceAll("\n", ", ")],
        ["country", seller?.country],
        ["VAT id", seller?.vatId],
        ["VAT", rate],
        ["time zone", timeZone],
        ["documents", numbering(state)]
      ]),
      ...vatIdNote(state)
    ].join("\n")
  }
})
