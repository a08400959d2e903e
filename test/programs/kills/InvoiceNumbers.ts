// What must be true of invoices after a run, read from their table without the service's own queries: every live order and every
// cancelled link has its document, numbers have no gap and no double, ascend with their issue, and the sums are those of the sales.
import { setTimeout as sleep } from "node:timers/promises"
import type { DirectAccess } from "./DirectAccess.ts"

const countsOf = async ({ rows }: DirectAccess) => {
  const [row = {}] = await rows(`
    SELECT (SELECT count(*) FROM orders WHERE mode = 'live')::text AS orders,
      (SELECT count(*) FROM invoices WHERE kind = 'invoice')::text AS invoices,
      (SELECT count(*) FROM links WHERE mode = 'live' AND status = 'cancelled' AND net_cents > 0)::text AS cancelled,
      (SELECT count(*) FROM invoices WHERE kind = 'credit_note')::text AS notes,
      (SELECT count(*) FROM ledger WHERE kind = 'top_up')::text AS deposits,
      (SELECT count(*) FROM invoices WHERE kind = 'receipt')::text AS receipts`)
  const number = (name: string): number => Number(row[name])
  return {
    orders: number("orders"),
    invoices: number("invoices"),
    cancelled: number("cancelled"),
    notes: number("notes"),
    deposits: number("deposits"),
    receipts: number("receipts")
  }
}

/** Waits until nothing is due. The service issues every five seconds. */
const untilIssued = async (direct: DirectAccess, withinMs: number) => {
  const untilMs = performance.now() + withinMs
  for (;;) {
    const counts = await countsOf(direct)
    const { orders, invoices, cancelled, notes, deposits, receipts } = counts
    const isDone = orders === invoices && cancelled === notes && deposits === receipts
    if (isDone || performance.now() > untilMs) return { ...counts, isDone }
    await sleep(250)
  }
}

const SERIES = `
  SELECT kind, year, count(*) AS count, count(DISTINCT sequence) AS distinct_count, min(sequence) AS first, max(sequence) AS last
  FROM invoices WHERE sequence IS NOT NULL GROUP BY kind, year`

/** Each selects what must not be there. */
const RULES: ReadonlyArray<readonly [what: string, sql: string]> = [
  [
    "series have a gap or a double number",
    `(${SERIES}) s WHERE first <> 1 OR last <> count OR distinct_count <> count`
  ],
  [
    "numbers were issued before the one before them",
    `(SELECT issued_at_ms < lag(issued_at_ms) OVER (PARTITION BY kind, year ORDER BY sequence) AS is_back FROM invoices
      WHERE sequence IS NOT NULL) n WHERE is_back`
  ],
  [
    "documents print another number or year",
    `invoices WHERE sequence IS NOT NULL AND facts ->> 'number' IS DISTINCT FROM
      CASE kind WHEN 'credit_note' THEN 'CN-' ELSE '' END || left(facts ->> 'issueDate', 4) || '-' || lpad(sequence::text, 6, '0')`
  ],
  ["invoices and credit notes have no number", "invoices WHERE kind <> 'receipt' AND sequence IS NULL"],
  [
    "invoices are over another amount than their order",
    `invoices i JOIN orders o USING (order_id)
      WHERE i.kind = 'invoice' AND i.total_cents <> o.total_cents`
  ],
  [
    "credit notes are over another amount than their link",
    `invoices i JOIN links l USING (link_id)
      WHERE i.kind = 'credit_note' AND i.total_cents <> l.net_cents`
  ]
]

/** The longest time from an order to its invoice, in seconds. */
const LONGEST_WAIT = `
  SELECT coalesce(ceil(max(i.issued_at_ms - o.created_at_ms) / 1000.0), 0)::int AS seconds
  FROM invoices i JOIN orders o USING (order_id) WHERE i.kind = 'invoice'`

export interface InvoiceCheck {
  readonly figures: string
  /** From an order to its invoice. */
  readonly longestWaitS: number
  readonly violations: ReadonlyArray<string>
}

/** After the load is over and while the services run. */
export const checkInvoices = async (direct: DirectAccess, withinMs: number): Promise<InvoiceCheck> => {
  const startedMs = performance.now()
  const { isDone, ...counts } = await untilIssued(direct, withinMs)
  const { orders, invoices, cancelled, notes, deposits, receipts } = counts
  const violations = isDone
    ? []
    : [`after ${withinMs} ms, documents are missing or too many: ${JSON.stringify(counts)}`]
  for (const [what, sql] of RULES) {
    const [row] = await direct.rows(`SELECT count(*)::int AS count FROM ${sql}`)
    if (row?.["count"] !== 0) violations.push(`${row?.["count"]} ${what}`)
  }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0)
  const [longest] = await direct.rows(LONGEST_WAIT)
  const longestWaitS = Number(longest?.["seconds"])
  return {
    figures: `${invoices} invoices of ${orders} orders, ${notes} credit notes of ${cancelled} cancelled links, ${receipts} receipts of ${deposits} deposits, each order invoiced within ${longestWaitS} s, complete and checked ${seconds} s after the load`,
    longestWaitS,
    violations
  }
}
