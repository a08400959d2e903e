// Reads the invoices, credit notes and receipts of an account. A document of another account is not found.
import { Context, Effect, Layer } from "effect"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { DocumentTotal } from "#core/domain/invoicing/DocumentTotals.ts"
import { documentId, type Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { InvoiceConditions } from "#core/domain/invoicing/InvoiceConditions.ts"
import { InvoiceNotFound } from "#core/domain/invoicing/InvoiceRefusal.ts"
import { type OrderVat, orderVat } from "#core/domain/invoicing/OrderVat.ts"
import type { OrderWithLinks } from "#core/domain/ordering/Order.ts"
import type { AccountId, InvoiceId } from "#core/domain/shared/Ids.ts"
import { CursorInvalid } from "#core/domain/shared/RequestRefusal.ts"
import type { LedgerEntry } from "#core/domain/wallet/Ledger.ts"
import { BillingIdentities } from "#core/ports/invoicing/BillingIdentities.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import { Invoices, type Period } from "#core/ports/invoicing/Invoices.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"

export interface InvoiceList {
  readonly invoices: ReadonlyArray<Invoice>
  readonly nextBeforeId: InvoiceId | null
}

type Reader = Pick<Caller, "accountId" | "mode">

/** The name is the document's number, where it has one, and of letters, digits, hyphens and a dot. */
export interface InvoiceFile {
  readonly name: string
  readonly bytes: Uint8Array
}

const NO_PLACE = "It is no place in this list; take next_cursor from an answer."

/** The ids that the documents of a movement have once they are issued. */
const documentsOf = ({ kind, entryId, orderId, linkId }: LedgerEntry): ReadonlyArray<InvoiceId> => [
  ...(kind === "top_up" ? [documentId("receipt", entryId)] : []),
  ...(orderId === null ? [] : [documentId("invoice", orderId)]),
  ...(linkId === null ? [] : [documentId("credit_note", linkId)])
]

export class ReadInvoices extends Context.Service<
  ReadInvoices,
  {
    /** Documents of the whole account, newest first. Empty for a sandbox key: sandbox orders are not invoiced. */
    readonly page: (
      reader: Reader,
      query: PageRequest<InvoiceId> & { readonly conditions?: InvoiceConditions }
    ) => Effect.Effect<InvoiceList, CursorInvalid | StoreUnavailable>
    readonly one: (reader: Reader, invoiceId: InvoiceId) => Effect.Effect<Invoice, InvoiceNotFound | StoreUnavailable>
    /** What was issued for an order: its invoice, and the credit notes of its links, oldest first. */
    readonly ofOrder: (order: OrderWithLinks) => Effect.Effect<ReadonlyArray<Invoice>, StoreUnavailable>
    /** What was issued for these movements: invoices of their orders, credit notes of their links, receipts of top-ups. */
    readonly ofMovements: (
      reader: Reader,
      movements: ReadonlyArray<LedgerEntry>
    ) => Effect.Effect<ReadonlyArray<Invoice>, StoreUnavailable>
    /** What was spent, given back and topped up, by the days of the documents; `null` where there are too many to add up. */
    readonly totals: (
      reader: Reader,
      period: Period
    ) => Effect.Effect<ReadonlyArray<DocumentTotal> | null, StoreUnavailable>
    /** The VAT of what the account orders now, as its invoice will have it; `null` where no seller is configured. */
    readonly vatOfOrders: (accountId: AccountId) => Effect.Effect<OrderVat | null, StoreUnavailable>
    /** The document as a file to print and to keep. */
    readonly pdf: (
      reader: Reader,
      invoiceId: InvoiceId
    ) => Effect.Effect<InvoiceFile, InvoiceNotFound | StoreUnavailable>
    /** The same for machines; a receipt or a pro forma document has none and is not found. */
    readonly xml: (reader: Reader, invoiceId: InvoiceId) => Effect.Effect<string, InvoiceNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/invoicing/ReadInvoices") {
  static readonly layer = Layer.effect(
    ReadInvoices,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const renderer = yield* InvoiceRenderer
      const identities = yield* BillingIdentities
      const { seller: terms } = yield* ServiceContext

      const one = Effect.fn("ReadInvoices.one")(function* ({ accountId, mode }: Reader, invoiceId: InvoiceId) {
        const found = mode === "sandbox" ? null : yield* invoices.byId(invoiceId)
        return found?.accountId === accountId ? found : yield* new InvoiceNotFound({ invoiceId })
      })

      return ReadInvoices.of({
        page: Effect.fn("ReadInvoices.page")(function* (reader, { limit, beforeId, conditions = {} }) {
          const { accountId, mode } = reader
          const before =
            beforeId === null
              ? null
              : yield* Effect.catchTag(
                  one(reader, beforeId),
                  "InvoiceNotFound",
                  () => new CursorInvalid({ reason: NO_PLACE })
                )
          if (mode === "sandbox") return { invoices: [], nextBeforeId: null }
          const { invoices: found, next } = yield* invoices.ofAccount({ accountId, limit, before, conditions })
          return { invoices: found, nextBeforeId: next?.invoiceId ?? null }
        }),
        one,
        ofOrder: Effect.fn("ReadInvoices.ofOrder")(function* ({ order: { orderId, mode }, links }) {
          if (mode === "sandbox") return []
          const cancelled = links.filter(({ status }) => status === "cancelled")
          const notes = cancelled.map(({ linkId }) => documentId("credit_note", linkId))
          return yield* invoices.byIds([documentId("invoice", orderId), ...notes])
        }),
        ofMovements: Effect.fn("ReadInvoices.ofMovements")(function* ({ accountId }, movements) {
          const found = yield* invoices.byIds([...new Set(movements.flatMap(documentsOf))])
          return found.filter((invoice) => invoice.accountId === accountId)
        }),
        totals: Effect.fn("ReadInvoices.totals")(function* ({ accountId, mode }, period) {
          return mode === "sandbox" ? [] : yield* invoices.totals({ accountId, ...period })
        }),
        vatOfOrders: Effect.fn("ReadInvoices.vatOfOrders")(function* (accountId) {
          return terms.seller === null ? null : orderVat(terms, yield* identities.of(accountId))
        }),
        pdf: Effect.fn("ReadInvoices.pdf")(function* (reader, invoiceId) {
          const invoice = yield* one(reader, invoiceId)
          return { name: `${invoice.facts.number ?? invoiceId}.pdf`, bytes: yield* renderer.pdf(invoice) }
        }),
        xml: Effect.fn("ReadInvoices.xml")(function* (reader, invoiceId) {
          const xml = yield* renderer.xml(yield* one(reader, invoiceId))
          return xml ?? (yield* new InvoiceNotFound({ invoiceId }))
        })
      })
    })
  )
}
