// Renders issued documents on demand: the store keeps none of it, because the same document always gives the same bytes.
import { Context, type Effect } from "effect"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"

export class InvoiceRenderer extends Context.Service<
  InvoiceRenderer,
  {
    /** A PDF. That of a numbered invoice or credit note is Factur-X (EN 16931, PDF/A-3), with its XML embedded as `factur-x.xml`. */
    readonly pdf: (invoice: Invoice) => Effect.Effect<Uint8Array>
    /** The XML alone, UN/CEFACT CII; `null` for receipts and pro forma documents, which are no invoices to a machine. */
    readonly xml: (invoice: Invoice) => Effect.Effect<string | null>
  }
>()("backlinks/ports/invoicing/InvoiceRenderer") {}
