// Writes the documents of a month and a list of them into a new folder.
import { Clock, Effect, type FileSystem } from "effect"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import type { InvoiceId } from "#core/domain/shared/Ids.ts"
import { INVOICES_HEAD, invoiceLine, signedCents, sortKey } from "./InvoicesCsv.ts"
import { writeNew } from "./NewFile.ts"
import { printNote } from "./Output.ts"

interface Export {
  /** YYYY-MM, of the dates on the documents. */
  readonly month: string
  readonly folder: string
  readonly csvOnly: boolean
}

/** The month with a day on both sides: the dates are those of the seller's time zone at the time of issue. */
const spanOf = (month: string) => {
  const [year = 0, number = 0] = month.split("-").map(Number)
  return { fromMs: Date.UTC(year, number - 1) - DAY_MS, toMs: Date.UTC(year, number) + DAY_MS }
}

/** Waits for documents while others are sent; the service renders one after another. */
const CONCURRENCY = 4

interface Listed {
  readonly key: string
  readonly line: string
}

const writeMonth = Effect.fnUntraced(function* (
  client: OperatorClient,
  { month, csvOnly }: Export,
  draft: string,
  files: FileSystem.FileSystem
) {
  const writePdf = Effect.fnUntraced(function* ({ invoiceId, facts }: Invoice) {
    const { pdf } = yield* client.renderInvoice({ invoice: invoiceId })
    yield* files.writeFile(`${draft}/${facts.number ?? invoiceId}.pdf`, pdf)
  })
  yield* files.makeDirectory(draft)
  const listed: Array<Listed> = []
  let totalCents = 0
  for (let beforeId: InvoiceId | null = null; ; ) {
    const place: { readonly beforeId?: InvoiceId } = beforeId === null ? {} : { beforeId }
    const { invoices, nextBeforeId } = yield* client.listInvoices({ ...spanOf(month), limit: MAX_PAGE, ...place })
    const found = invoices.filter(({ facts }) => facts.issueDate.startsWith(month))
    if (!csvOnly) yield* Effect.forEach(found, writePdf, { concurrency: CONCURRENCY, discard: true })
    for (const invoice of found) {
      listed.push({ key: sortKey(invoice), line: invoiceLine(invoice) })
      if (invoice.kind !== "receipt") totalCents += signedCents(invoice, invoice.totalCents)
    }
    if (nextBeforeId === null) break
    beforeId = nextBeforeId
  }
  const lines = listed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ line }) => line)
  yield* files.writeFileString(`${draft}/invoices.csv`, [INVOICES_HEAD, ...lines].join(""))
  return { documents: listed.length, totalCents }
})

export const exportMonth = Effect.fnUntraced(function* (client: OperatorClient, what: Export) {
  const { month, folder } = what
  const written = yield* writeNew({
    path: folder,
    overwrites: "an export overwrites nothing",
    unwritten: `${folder} could not be written`,
    write: (draft, files) => writeMonth(client, what, draft, files),
    publish: "rename"
  })
  if ((yield* Clock.currentTimeMillis) < spanOf(month).toMs)
    yield* printNote(`${month} is not over everywhere, or only just: documents of it may follow.`)
  return { month, folder, ...written }
})
