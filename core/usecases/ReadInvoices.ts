// Reads the invoices, credit notes and receipts of an account. A document of another account is not found.
import { Context, Effect, Layer } from "effect"
import { InvoiceNotFound } from "#core/domain/AccountRefusal.ts"
import type { Caller } from "#core/domain/ApiKey.ts"
import type { Invoice } from "#core/domain/Invoice.ts"
import { type InvoicePage, Invoices } from "#core/ports/Invoices.ts"
import type { PageRequest } from "#core/ports/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/PortErrors.ts"

type Reader = Pick<Caller, "accountId" | "mode">

export class ReadInvoices extends Context.Service<
  ReadInvoices,
  {
    /** Of the whole account, newest first. Empty for a sandbox key: sandbox orders are not invoiced. */
    readonly page: (reader: Reader, query: PageRequest) => Effect.Effect<InvoicePage, StoreUnavailable>
    readonly one: (reader: Reader, invoiceId: string) => Effect.Effect<Invoice, InvoiceNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/ReadInvoices") {
  static readonly layer = Layer.effect(
    ReadInvoices,
    Effect.map(Invoices, (invoices) =>
      ReadInvoices.of({
        page: Effect.fn("ReadInvoices.page")(({ accountId, mode }, query) =>
          mode === "sandbox"
            ? Effect.succeed({ invoices: [], nextBeforeId: null })
            : invoices.ofAccount({ accountId, ...query })
        ),
        one: Effect.fn("ReadInvoices.one")(function* ({ accountId, mode }, invoiceId) {
          const found = mode === "sandbox" ? null : yield* invoices.byId(invoiceId)
          return found?.accountId === accountId ? found : yield* new InvoiceNotFound({ invoiceId })
        })
      })
    )
  )
}
