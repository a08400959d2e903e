// How far issued documents were handed over to the outlet, kept with them. One instance at a time hands over, in the order of issue.
import { Context, type Effect } from "effect"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import type { Claim } from "../shared/Outbox.ts"
import type { StoreUnavailable } from "../shared/PortErrors.ts"
import type { InvoicePosition } from "./Invoices.ts"

export class HandOvers extends Context.Service<
  HandOvers,
  {
    /**
     * The next documents after those that were recorded. None while another caller has some, while documents are being issued at this
     * very moment, or if all are handed over.
     */
    readonly claim: (query: Claim) => Effect.Effect<ReadonlyArray<Invoice>, StoreUnavailable>
    /** All documents up to this one are handed over, `null`: no more than before. Ends the lease. Never goes back. */
    readonly record: (last: InvoicePosition | null) => Effect.Effect<void, StoreUnavailable>
  }
>()("backlinks/ports/invoicing/HandOvers") {}
