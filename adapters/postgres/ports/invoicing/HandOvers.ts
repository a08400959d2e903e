// How far documents were handed over, in PostgreSQL: one row, whose lease keeps all instances but one from handing over.
import { Effect, Schema } from "effect"
import { InvoiceId } from "#core/domain/shared/Ids.ts"
import { HandOvers } from "#core/ports/invoicing/HandOvers.ts"
import { tryLock } from "../../database/AdvisoryLocks.ts"
import { overDatabase } from "../../database/Database.ts"
import { decodeRows, execute, NOW_MS } from "../../database/Queries.ts"
import { invoices } from "../../rows/InvoiceRows.ts"

const position = `SELECT to_json(issued_at_ms) AS "issuedAtMs", invoice_id::text AS "invoiceId" FROM invoice_outlet`

/** More documents may still get the time of this millisecond, but not an earlier one, because issuing is locked. */
const next = `
SELECT ${invoices.list("i")} AS invoice FROM invoices i
WHERE (i.issued_at_ms, i.invoice_id) > ($2::bigint, $3) AND i.issued_at_ms < ${NOW_MS}
ORDER BY i.issued_at_ms, i.invoice_id LIMIT $1`

/** Nothing where another caller has the lease. */
const lease = `
INSERT INTO invoice_outlet (leased_until_ms) VALUES ($2::bigint)
ON CONFLICT (only_row) DO UPDATE SET leased_until_ms = EXCLUDED.leased_until_ms WHERE invoice_outlet.leased_until_ms <= $1
RETURNING true AS leased`

const record = `
UPDATE invoice_outlet SET leased_until_ms = 0,
  issued_at_ms = CASE WHEN is_later THEN $1::bigint ELSE issued_at_ms END,
  invoice_id = CASE WHEN is_later THEN $2 ELSE invoice_id END
FROM (SELECT (o.issued_at_ms, o.invoice_id) < ($1::bigint, $2) AS is_later FROM invoice_outlet o) place`

const positions = decodeRows(Schema.Struct({ issuedAtMs: Schema.Int, invoiceId: InvoiceId }))
const invoicesOf = decodeRows(Schema.Struct({ invoice: invoices.schema }))

export const layer = overDatabase(HandOvers, ({ write, transaction }) => {
  const recordLast = execute(write, record)

  return HandOvers.of({
    claim: ({ nowMs, leaseMs, limit }) =>
      transaction(
        Effect.fnUntraced(function* (run) {
          if ((yield* tryLock(run, "invoices")) === null) return []
          const [place] = positions(yield* run(position, []))
          const rows = yield* run(next, [limit, place?.issuedAtMs ?? 0, place?.invoiceId ?? ""])
          const found = invoicesOf(rows).map(({ invoice }) => invoice)
          if (found.length === 0) return []
          return (yield* run(lease, [nowMs, nowMs + leaseMs])).length === 0 ? [] : found
        })
      ),
    record: (last) => recordLast(last?.issuedAtMs ?? 0, last?.invoiceId ?? "")
  })
})
