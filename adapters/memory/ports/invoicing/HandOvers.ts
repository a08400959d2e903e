// How far documents were handed over, in memory.
import { Clock, Effect } from "effect"
import { HandOvers } from "#core/ports/invoicing/HandOvers.ts"
import type { InvoicePosition } from "#core/ports/invoicing/Invoices.ts"
import { overBooks } from "../../books/OverBooks.ts"
import { rowsWhere, type SortKey, sorted } from "../../books/Rows.ts"

const byIssue = ({ issuedAtMs, invoiceId }: InvoicePosition): SortKey => [issuedAtMs, invoiceId]

export const layer = overBooks(HandOvers, ({ current }) => {
  let last: InvoicePosition | null = null
  let leasedUntilMs = 0

  return {
    claim: ({ nowMs, leaseMs, limit }) =>
      Effect.map(Clock.currentTimeMillis, (atMs) => {
        if (nowMs < leasedUntilMs) return []
        // More documents may still get the time of this millisecond.
        const settled = rowsWhere(current().invoices, ({ issuedAtMs }) => issuedAtMs < atMs)
        const claimed = sorted(settled, { by: byIssue, after: last === null ? null : byIssue(last), limit })
        if (claimed.length > 0) leasedUntilMs = nowMs + leaseMs
        return claimed
      }),
    record: (reached) => {
      leasedUntilMs = 0
      const [latest = null] = sorted([last ?? [], reached ?? []].flat(), { by: byIssue, isDescending: true })
      last = latest
    }
  }
})
