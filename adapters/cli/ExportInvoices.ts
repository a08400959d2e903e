// Writes the documents of a month and a list of them into a new folder. It gets its name once all of it is there, so that a lost
// connection or a full disk leaves nothing that looks complete.
import { randomBytes } from "node:crypto"
import { Clock, Effect, FileSystem } from "effect"
import type { PlatformError } from "effect/PlatformError"
import type { OperatorClient } from "#adapters/operator/OperatorClient.ts"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import type { Invoice } from "#adapters/operator/records/InvoiceRecords.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import type { InvoiceId } from "#core/domain/shared/Ids.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { INVOICES_HEAD, invoiceLine, signedCents, sortKey } from "./InvoicesCsv.ts"
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

export const exportMonth = Effect.fnUntraced(function* (client: OperatorClient, { month, folder, csvOnly }: Export) {
  const files = yield* FileSystem.FileSystem
  const unwritten = ({ reason }: PlatformError) =>
    new CommandFailed({ sentence: `${folder} could not be written, and no part of it was kept: ${reason.message}` })
  const there = new CommandFailed({ sentence: `${folder} exists, and an export overwrites nothing.` })
  if (yield* Effect.mapError(files.exists(folder), unwritten)) return yield* there
  const draft = `${folder}.${randomBytes(4).toString("hex")}.part`

  const writePdf = Effect.fnUntraced(function* ({ invoiceId, facts }: Invoice) {
    const { pdf } = yield* client.renderInvoice({ invoice: invoiceId })
    yield* Effect.mapError(files.writeFile(`${draft}/${facts.number ?? invoiceId}.pdf`, pdf), unwritten)
  })

  const writeAll = Effect.gen(function* () {
    yield* Effect.mapError(files.makeDirectory(draft), unwritten)
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
    const list = [INVOICES_HEAD, ...lines].join("")
    yield* Effect.mapError(files.writeFileString(`${draft}/invoices.csv`, list), unwritten)
    yield* Effect.mapError(files.rename(draft, folder), unwritten)
    return { month, folder, documents: listed.length, totalCents }
  })
  const written = yield* Effect.ensuring(writeAll, Effect.ignore(files.remove(draft, { recursive: true })))
  if ((yield* Clock.currentTimeMillis) < spanOf(month).toMs)
    yield* printNote(`${month} is not over everywhere, or only just: documents of it may follow.`)
  return written
})
