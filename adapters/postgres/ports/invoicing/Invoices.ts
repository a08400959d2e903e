// Invoices in PostgreSQL. An advisory lock lets one instance issue at a time, and the transaction gives back the numbers of a crash.
import { Effect } from "effect"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { overDatabase } from "../../database/Database.ts"
import { execute, first, LAST_ID, NOW_MS, queryValues, select, takePage } from "../../database/Queries.ts"
import { invoices } from "../../rows/InvoiceRows.ts"
import { Integer } from "../../rows/Table.ts"
import { issueStep } from "./IssueTransaction.ts"

const numberedSince = "SELECT to_json(seller_since_ms) AS value FROM invoice_progress WHERE seller_since_ms IS NOT NULL"

/** Compares times, because the ids of the three kinds do not compare. */
const isBefore = "(i.issued_at_ms, i.invoice_id) < ($1::bigint, $2)"

/** After every document. */
const NOW = { issuedAtMs: Number.MAX_SAFE_INTEGER, invoiceId: LAST_ID }

const noteSeller = `
INSERT INTO invoice_progress (seller_since_ms) VALUES (${NOW_MS})
ON CONFLICT (only_row) DO UPDATE SET seller_since_ms = EXCLUDED.seller_since_ms WHERE invoice_progress.seller_since_ms IS NULL`

const pageOf = (rows: ReadonlyArray<typeof invoices.schema.Type>, limit: number) => {
  const { rows: page, next } = takePage(rows, limit, ({ issuedAtMs, invoiceId }) => ({ issuedAtMs, invoiceId }))
  return { invoices: page, next }
}

export const layer = overDatabase(Invoices, ({ read, write, transaction }) => {
  const selectFrom = (from: string) => select(read, invoices, from)
  const newestFirst = (condition: string) =>
    selectFrom(`invoices i WHERE ${isBefore} AND ${condition} ORDER BY i.issued_at_ms DESC, i.invoice_id DESC LIMIT $3`)
  const ofAccount = newestFirst("i.account_id = $4")
  const issuedIn = newestFirst("i.issued_at_ms >= $4::bigint AND i.issued_at_ms < $5::bigint")
  /** Uses the unique index of numbers. */
  const byNumber = first(selectFrom("invoices i WHERE i.kind = $1 AND i.year = $2 AND i.sequence = $3"))
  const note = execute(write, noteSeller)

  return Invoices.of({
    noteSeller: ({ seller }) => (seller === null ? Effect.void : note()),
    issue: (step) => transaction((run) => issueStep(run, step)),
    numberedSince: first(queryValues(read, Integer, numberedSince)),
    byNumber: ({ kind, year, sequence }) => byNumber(kind, year, sequence),
    byId: first(selectFrom("invoices i WHERE i.invoice_id = $1")),
    ofAccount: ({ accountId, limit, before }) => {
      const { issuedAtMs, invoiceId } = before ?? NOW
      return Effect.map(ofAccount(issuedAtMs, invoiceId, limit + 1, accountId), (rows) => pageOf(rows, limit))
    },
    issuedIn: ({ fromMs, toMs, limit, before }) => {
      const { issuedAtMs, invoiceId } = before ?? NOW
      return Effect.map(issuedIn(issuedAtMs, invoiceId, limit + 1, fromMs, toMs), (rows) => pageOf(rows, limit))
    }
  })
})
