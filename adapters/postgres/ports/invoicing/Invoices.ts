// Invoices in PostgreSQL. An advisory lock lets one instance issue at a time, and the transaction gives back the numbers of a crash.
import { Effect, Schema } from "effect"
import { DocumentTotal, MAX_TOTALLED } from "#core/domain/invoicing/DocumentTotals.ts"
import { Invoices } from "#core/ports/invoicing/Invoices.ts"
import { overDatabase } from "../../database/Database.ts"
import { bigintArray, execute, first, LAST_ID, NOW_MS, queryValues, select, takePage } from "../../database/Queries.ts"
import { accountNo } from "../../rows/AccountRows.ts"
import { invoices } from "../../rows/InvoiceRows.ts"
import { Integer } from "../../rows/Table.ts"
import { issueStep } from "./IssueTransaction.ts"

const numberedSince = "SELECT to_json(seller_since_ms) AS value FROM invoice_progress WHERE seller_since_ms IS NOT NULL"

/** Compares times, because the ids of the three kinds do not compare. */
const isBefore = "(i.issued_at_ms, i.invoice_id) < ($1::bigint, $2)"

/** After every document. */
const NOW = { issuedAtMs: Number.MAX_SAFE_INTEGER, invoiceId: LAST_ID }

const issuedWithin = "i.issued_at_ms >= $5::bigint AND i.issued_at_ms <= $6::bigint"

/** The ids that the documents of an order have, or would have: they are those of the order and of its links with other prefixes. */
const documentsOf = (orderId: string): string => `ARRAY(
  SELECT 'inv_' || substr(${orderId}::text, 5)
  UNION ALL SELECT 'crn_' || substr(l.link_id, 5) FROM links l WHERE l.order_id = ${orderId}::text
)`

const noteSeller = `
INSERT INTO invoice_progress (seller_since_ms) VALUES (${NOW_MS})
ON CONFLICT (only_row) DO UPDATE SET seller_since_ms = EXCLUDED.seller_since_ms WHERE invoice_progress.seller_since_ms IS NULL`

/** Reads one more than it may add up. */
const totals = `
WITH within AS MATERIALIZED (
  SELECT i.kind, i.order_id, i.issued_at_ms, i.total_cents FROM invoices i
  WHERE i.account_id = $1 AND i.issued_at_ms >= ($2::bigint[])[1] AND i.issued_at_ms <= $3::bigint LIMIT ${MAX_TOTALLED + 1}
), by_place AS (
  SELECT ($2::bigint[])[width_bucket(w.issued_at_ms, $2::bigint[])] AS since_ms, w.kind, q.key_id,
    count(*) AS count, sum(w.total_cents) AS cents
  FROM within w LEFT JOIN quotes q ON q.order_id = w.order_id AND q.account_no = ${accountNo("$1")}
  GROUP BY 1, 2, 3
)
SELECT CASE WHEN (SELECT count(*) FROM within) <= ${MAX_TOTALLED} THEN (
  SELECT coalesce(json_agg(json_build_object(
    'sinceMs', p.since_ms, 'kind', p.kind, 'keyId', p.key_id, 'count', p.count, 'totalCents', p.cents
  ) ORDER BY p.since_ms, p.kind, p.key_id), '[]') FROM by_place p
) END AS value`

const pageOf = (rows: ReadonlyArray<typeof invoices.schema.Type>, limit: number) => {
  const { rows: page, next } = takePage(rows, limit, ({ issuedAtMs, invoiceId }) => ({ issuedAtMs, invoiceId }))
  return { invoices: page, next }
}

export const layer = overDatabase(Invoices, ({ read, write, transaction }) => {
  const selectFrom = (from: string) => select(read, invoices, from)
  const newestFirst = (condition: string) =>
    selectFrom(`invoices i WHERE ${isBefore} AND ${condition} ORDER BY i.issued_at_ms DESC, i.invoice_id DESC LIMIT $3`)
  const ofAccount = newestFirst(`i.account_id = $4 AND ${issuedWithin}`)
  const ofOrder = newestFirst(`i.account_id = $4 AND ${issuedWithin} AND i.invoice_id = ANY (${documentsOf("$7")})`)
  const issuedIn = newestFirst("i.issued_at_ms >= $4::bigint AND i.issued_at_ms < $5::bigint")
  /** Uses the unique index of numbers. */
  const byNumber = first(selectFrom("invoices i WHERE i.kind = $1 AND i.year = $2 AND i.sequence = $3"))
  const addedUp = first(queryValues(read, Schema.NullOr(Schema.Array(DocumentTotal)), totals))
  const note = execute(write, noteSeller)

  return Invoices.of({
    noteSeller: ({ seller }) => (seller === null ? Effect.void : note()),
    issue: (step) => transaction((run) => issueStep(run, step)),
    numberedSince: first(queryValues(read, Integer, numberedSince)),
    byNumber: ({ kind, year, sequence }) => byNumber(kind, year, sequence),
    byId: first(selectFrom("invoices i WHERE i.invoice_id = $1")),
    byIds: selectFrom("invoices i WHERE i.invoice_id = ANY ($1::text[]) ORDER BY i.issued_at_ms, i.invoice_id"),
    ofAccount: ({ accountId, limit, before, conditions: { orderId, issuedFromMs, issuedToMs } = {} }) => {
      const { issuedAtMs, invoiceId } = before ?? NOW
      const asked = [accountId, issuedFromMs ?? 0, issuedToMs ?? Number.MAX_SAFE_INTEGER]
      const start = [issuedAtMs, invoiceId, limit + 1]
      const found = orderId === undefined ? ofAccount(...start, ...asked) : ofOrder(...start, ...asked, orderId)
      return Effect.map(found, (rows) => pageOf(rows, limit))
    },
    totals: ({ accountId, starts, toMs }) => addedUp(accountId, bigintArray(starts), toMs),
    issuedIn: ({ fromMs, toMs, limit, before }) => {
      const { issuedAtMs, invoiceId } = before ?? NOW
      return Effect.map(issuedIn(issuedAtMs, invoiceId, limit + 1, fromMs, toMs), (rows) => pageOf(rows, limit))
    }
  })
})
