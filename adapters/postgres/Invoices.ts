// Invoices in PostgreSQL. An advisory lock lets one instance issue at a time, and the transaction gives back the numbers of a crash.
import { Effect, Layer, Schema } from "effect"
import { Invoices } from "#core/ports/Invoices.ts"
import { Database } from "./database/Database.ts"
import { LAST_ID, query, queryRows, takePage } from "./database/Queries.ts"
import { conflictAsUnavailable } from "./database/SqlErrors.ts"
import { issueStep } from "./invoices/IssueTransaction.ts"
import { invoices } from "./rows/InvoiceRows.ts"

const byId = `SELECT ${invoices.list("i")} AS row FROM invoices i WHERE i.invoice_id = $1`

/** By the unique index of numbers. */
const byNumber = `SELECT ${invoices.list("i")} AS row FROM invoices i WHERE i.kind = $1 AND i.year = $2 AND i.sequence = $3`

const numberedSince = `SELECT seller_since_ms::text AS "sinceMs" FROM invoice_progress WHERE seller_since_ms IS NOT NULL`
const Since = Schema.Struct({ sinceMs: Schema.NumberFromString })

/** By time, because the ids of the three kinds do not compare. */
const isBefore = "(i.issued_at_ms, i.invoice_id) < ($1::bigint, $2)"

/** After every document. */
const NOW = { issuedAtMs: Number.MAX_SAFE_INTEGER, invoiceId: LAST_ID }

const newestFirst = (condition: string): string => `
SELECT ${invoices.list("i")} AS row FROM invoices i WHERE ${isBefore} AND ${condition}
ORDER BY i.issued_at_ms DESC, i.invoice_id DESC LIMIT $3`

const noteSeller = `
INSERT INTO invoice_progress (seller_since_ms) VALUES (floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
ON CONFLICT (only_row) DO UPDATE SET seller_since_ms = EXCLUDED.seller_since_ms WHERE invoice_progress.seller_since_ms IS NULL`

const found = ([row]: ReadonlyArray<typeof invoices.schema.Type>) => row ?? null

const pageOf = (rows: ReadonlyArray<typeof invoices.schema.Type>, limit: number) => {
  const { rows: page, next } = takePage(rows, limit, ({ issuedAtMs, invoiceId }) => ({ issuedAtMs, invoiceId }))
  return { invoices: page, next }
}

export const layer: Layer.Layer<Invoices, never, Database> = Layer.effect(
  Invoices,
  Effect.map(Database, (database) => {
    const one = queryRows(database.read, invoices, byId)
    const ofNumber = queryRows(database.read, invoices, byNumber)
    const since = query(database.read, Since, numberedSince)
    const ofAccount = queryRows(database.read, invoices, newestFirst("i.account_id = $4"))
    const issuedIn = queryRows(
      database.read,
      invoices,
      newestFirst("i.issued_at_ms >= $4::bigint AND i.issued_at_ms < $5::bigint")
    )

    return Invoices.of({
      noteSeller: ({ seller }) =>
        seller === null ? Effect.void : Effect.asVoid(conflictAsUnavailable(database.write(noteSeller, []))),
      issue: (step) => conflictAsUnavailable(database.transaction((run) => issueStep(run, step))),
      numberedSince: () => Effect.map(since(), ([noted]) => noted?.sinceMs ?? null),
      byNumber: ({ kind, year, sequence }) => Effect.map(ofNumber(kind, year, sequence), found),
      byId: (invoiceId) => Effect.map(one(invoiceId), found),
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
)
