// Where issued documents are handed over: a platform of the operator's choice, or nowhere.
import { Context, type Effect, Schema } from "effect"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { InvoiceId } from "#core/domain/shared/Ids.ts"

/** The platform did not take a document; it is offered again. */
export class OutletFailed extends Schema.TaggedError<OutletFailed>()("OutletFailed", {
  invoiceId: InvoiceId,
  /** For the operator's log: no secret, no address of a person. */
  reason: Schema.String
}) {}

export interface OutletDocument {
  readonly invoice: Invoice
  readonly pdf: Uint8Array
  /** `null` for receipts and pro forma documents. */
  readonly xml: string | null
}

export class InvoiceOutlet extends Context.Service<
  InvoiceOutlet,
  {
    /** `false`: no document is handed over, and none is rendered for it. */
    readonly isOn: boolean
    /** Succeeds once the document is kept over there. The same document may come again, and then changes nothing. */
    readonly accept: (document: OutletDocument) => Effect.Effect<void, OutletFailed>
  }
>()("backlinks/ports/invoicing/InvoiceOutlet") {}
