// Invoices in PostgreSQL. An advisory lock lets one instance issue at a time, and the transaction gives back the numbers of a crash.
import { Effect, Layer } from "effect"
import { Invoices } from "#core/ports/Invoices.ts"
import { Database } from "./database/Database.ts"
import { queryRows, takePage } from "./database/Queries.ts"
import { conflictAsUnavailable } from "./database/SqlErrors.ts"
import { issueStep } from "./invoices/IssueTransaction.ts"
import { invoiceOf, invoices } from "./rows/InvoiceRows.ts"

const byId = `SELECT ${invoices.list("i")} AS row FROM invoices i WHERE i.invoice_id = $1`

/** By time, because the ids of the three kinds do not compare; `$1` is the last document of the page before. */
const isBefore = `(i.issued_at_ms, i.invoice_id) < (
  SELECT b.issued_at_ms, b.invoice_id FROM invoices b WHERE b.invoice_id = $1
  UNION ALL SELECT 9223372036854775807, '' WHERE $1 = '' LIMIT 1
)`

const newestFirst = (condition: string): string => `
SELECT ${invoices.list("i")} AS row FROM invoices i WHERE ${isBefore} AND ${condition}
ORDER BY i.issued_at_ms DESC, i.invoice_id DESC LIMIT $2`

const noteSeller = `
INSERT INTO invoice_progress (seller_since_ms) VALUES (floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
ON CONFLICT (only_row) DO UPDATE SET seller_since_ms = EXCLUDED.seller_since_ms WHERE invoice_progress.seller_since_ms IS NULL`

const pageOf = (rows: ReadonlyArray<typeof invoices.schema.Type>, limit: number) => {
  const { rows: page, next } = takePage(rows, limit, ({ invoiceId }) => invoiceId)
  return { invoices: page.map(invoiceOf), nextBeforeId: next }
}

export const layer: Layer.Layer<Invoices, never, Database> = Layer.effect(
  Invoices,
  Effect.map(Database, (database) => {
    const one = queryRows(database.read, invoices, byId)
    const ofAccount = queryRows(database.read, invoices, newestFirst("i.account_id = $3"))
    const issuedIn = queryRows(
      database.read,
      invoices,
      newestFirst("i.issued_at_ms >= $3::bigint AND i.issued_at_ms < $4::bigint")
    )

    return Invoices.of({
      noteSeller: ({ seller }) =>
        seller === null ? Effect.void : Effect.asVoid(conflictAsUnavailable(database.write(noteSeller, []))),
      issue: (step) => conflictAsUnavailable(database.transaction((run) => issueStep(run, step))),
      byId: (invoiceId) => Effect.map(one(invoiceId), ([found]) => (found === undefined ? null : invoiceOf(found))),
      ofAccount: ({ accountId, limit, beforeId }) =>
        Effect.map(ofAccount(beforeId ?? "", limit + 1, accountId), (rows) => pageOf(rows, limit)),
      issuedIn: ({ fromMs, toMs, limit, beforeId }) =>
        Effect.map(issuedIn(beforeId ?? "", limit + 1, fromMs, toMs), (rows) => pageOf(rows, limit))
    })
  })
)
