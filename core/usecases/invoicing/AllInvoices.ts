// Reads the documents of all accounts, for the operator, and says who invoices.
import { Context, Effect, Layer } from "effect"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { InvoiceNotFound } from "#core/domain/invoicing/InvoiceRefusal.ts"
import { numberOf } from "#core/domain/invoicing/InvoiceSeries.ts"
import type { SellerTerms } from "#core/domain/invoicing/Party.ts"
import type { Millis } from "#core/domain/shared/DecisionContext.ts"
import { type AccountId, InvoiceId } from "#core/domain/shared/Ids.ts"
import { CursorInvalid } from "#core/domain/shared/RequestRefusal.ts"
import { InvoiceRenderer } from "#core/ports/invoicing/InvoiceRenderer.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import type { PageRequest } from "#core/ports/shared/PageRequest.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import type { InvoiceList } from "./ReadInvoices.ts"

interface Issued extends PageRequest<InvoiceId> {
  /** `null`: of all accounts. */
  readonly accountId: AccountId | null
  /** Issued from here to before there; only without an account. */
  readonly fromMs: Millis
  readonly toMs: Millis
}

export interface SellerState {
  readonly terms: SellerTerms
  /** Orders since then are numbered; `null`: none. */
  readonly numberedSinceMs: Millis | null
}

export class AllInvoices extends Context.Service<
  AllInvoices,
  {
    readonly page: (query: Issued) => Effect.Effect<InvoiceList, CursorInvalid | StoreUnavailable>
    /** The document with this id or number. */
    readonly one: (idOrNumber: string) => Effect.Effect<Invoice, InvoiceNotFound | StoreUnavailable>
    /** `xml` is `null` for receipts and pro forma documents. */
    readonly rendered: (
      idOrNumber: string
    ) => Effect.Effect<{ readonly pdf: Uint8Array; readonly xml: string | null }, InvoiceNotFound | StoreUnavailable>
    readonly seller: () => Effect.Effect<SellerState, StoreUnavailable>
  }
>()("backlinks/usecases/invoicing/AllInvoices") {
  static readonly layer = Layer.effect(
    AllInvoices,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const renderer = yield* InvoiceRenderer
      const { seller: terms } = yield* ServiceContext

      const one = Effect.fn("AllInvoices.one")(function* (idOrNumber: string) {
        const number = numberOf(idOrNumber)
        const invoiceId = InvoiceId.make(idOrNumber)
        const found = yield* number === null ? invoices.byId(invoiceId) : invoices.byNumber(number)
        return found ?? (yield* new InvoiceNotFound({ invoiceId }))
      })

      const placeOf = (id: InvoiceId) =>
        Effect.catchTag(
          one(id),
          "InvoiceNotFound",
          () => new CursorInvalid({ reason: "There is no such document; start again without a place." })
        )

      return AllInvoices.of({
        page: Effect.fn("AllInvoices.page")(function* ({ accountId, fromMs, toMs, limit, beforeId }) {
          const before = beforeId === null ? null : yield* placeOf(beforeId)
          const { invoices: found, next } = yield* accountId === null
            ? invoices.issuedIn({ fromMs, toMs, limit, before })
            : invoices.ofAccount({ accountId, limit, before })
          return { invoices: found, nextBeforeId: next?.invoiceId ?? null }
        }),
        one,
        rendered: Effect.fn("AllInvoices.rendered")(function* (idOrNumber) {
          const invoice = yield* one(idOrNumber)
          return { pdf: yield* renderer.pdf(invoice), xml: yield* renderer.xml(invoice) }
        }),
        seller: Effect.fn("AllInvoices.seller")(() =>
          Effect.map(invoices.numberedSince(), (numberedSinceMs) => ({ terms, numberedSinceMs }))
        )
      })
    })
  )
}
