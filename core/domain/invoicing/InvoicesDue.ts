// What is to be invoiced, and its documents: orders, cancelled links and top-ups that have none yet are themselves the requests.

import type { Link } from "../ordering/Link.ts"
import type { Millis } from "../shared/DecisionContext.ts"
import type { LedgerEntry } from "../wallet/Ledger.ts"
import {
  type Buyer,
  creditNoteOf,
  type Draft,
  type Invoice,
  type InvoicedOrder,
  invoiceOf,
  receiptOf
} from "./Invoice.ts"
import { issueAll, type SeriesState } from "./InvoiceSeries.ts"
import type { SellerTerms } from "./Party.ts"

export type InvoiceDue =
  | { readonly _tag: "OrderPlaced"; readonly placed: InvoicedOrder; readonly buyer: Buyer }
  | { readonly _tag: "LinkCancelled"; readonly link: Link; readonly invoice: Invoice }
  | { readonly _tag: "ToppedUp"; readonly entry: LedgerEntry; readonly buyer: Buyer }

export interface IssueContext {
  readonly series: SeriesState
  /** Since when a seller is configured: older orders stay pro forma. `null`: never. */
  readonly sellerSinceMs: Millis | null
  readonly nowMs: Millis
}

const cancelledAtMs = ({ history }: Link): Millis =>
  history.findLast(({ status }) => status === "cancelled")?.atMs ?? history.at(-1)?.atMs ?? 0

const draftOf = (due: InvoiceDue, terms: SellerTerms, { sellerSinceMs }: IssueContext): Draft | undefined => {
  switch (due._tag) {
    case "OrderPlaced": {
      const isNumbered =
        terms.seller !== null && sellerSinceMs !== null && due.placed.order.createdAtMs >= sellerSinceMs
      return invoiceOf(due.placed, due.buyer, terms, isNumbered)
    }
    case "LinkCancelled":
      return creditNoteOf(due.link, cancelledAtMs(due.link), due.invoice)
    case "ToppedUp":
      return receiptOf(due.entry, due.buyer, terms)
  }
}

/** Documents with their numbers, in the order of what is due. Each id may be due once. */
export const issueDue = (
  due: ReadonlyArray<InvoiceDue>,
  terms: SellerTerms,
  context: IssueContext
): ReadonlyArray<Invoice> => {
  // Most passes find nothing; the date in a time zone costs more than all else of them.
  if (due.length === 0) return []
  const drafts = due.flatMap((one) => draftOf(one, terms, context) ?? [])
  return issueAll(drafts, context.series, context.nowMs, terms.timeZone)
}
