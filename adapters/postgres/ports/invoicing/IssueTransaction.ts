// One step of issuing documents: finds what is due from one source, takes the next numbers, and writes the documents, in one transaction
// under one lock.
import { Effect, Schema } from "effect"
import type { Invoice } from "#core/domain/invoicing/Invoice.ts"
import { issueDue } from "#core/domain/invoicing/InvoicesDue.ts"
import { DAY_MS, idPrefixAt } from "#core/domain/shared/DecisionContext.ts"
import type { IssuedStep, IssueStep } from "#core/ports/invoicing/Invoices.ts"
import { tryLock } from "../../database/AdvisoryLocks.ts"
import type { RunWrite } from "../../database/Connections.ts"
import { decodeRows } from "../../database/Queries.ts"
import { invoices } from "../../rows/InvoiceRows.ts"
import { Integer, integerOrNull, Text, textOrNull } from "../../rows/Table.ts"
import { sources } from "./DueRows.ts"

const lastNumber = (kind: string): string => `(
  SELECT json_build_array(year, sequence) FROM invoices WHERE kind = '${kind}' AND sequence IS NOT NULL
  ORDER BY year DESC, sequence DESC LIMIT 1
)`

/** After the lock, so that it sees what the one before has written. */
const readState = `
SELECT p.orders_to AS orders, p.ledger_to AS ledger, p.refunds_to AS refunds, to_json(p.seller_since_ms) AS "sellerSinceMs",
  (
    SELECT json_build_array(issued_at_ms, facts ->> 'issueDate') FROM invoices
    ORDER BY issued_at_ms DESC, invoice_id DESC LIMIT 1
  ) AS last,
  ${lastNumber("invoice")} AS invoice, ${lastNumber("credit_note")} AS credit_note
FROM (SELECT 1) one LEFT JOIN invoice_progress p ON true`

const write = "INSERT INTO invoices SELECT * FROM jsonb_populate_recordset(NULL::invoices, $1::jsonb)"

const markOf = (column: string): string => `
INSERT INTO invoice_progress (${column}) VALUES ($1)
ON CONFLICT (only_row) DO UPDATE SET ${column} = EXCLUDED.${column} WHERE invoice_progress.${column} < EXCLUDED.${column}`

const Last = Schema.NullOr(Schema.Tuple([Integer, Integer]))
const State = Schema.Struct({
  orders: textOrNull,
  ledger: textOrNull,
  refunds: textOrNull,
  sellerSinceMs: integerOrNull,
  last: Schema.NullOr(Schema.Tuple([Integer, Text])),
  invoice: Last,
  credit_note: Last
})

/** Ids that one statement examines where none before is due: some milliseconds if all of them have their document. */
const MOST_EXAMINED = 5_000

const stateOf = decodeRows(State)

/**
 * How long an id may take to be seen after the time that it begins with: commits wait for connections, locks and the disk, each for some
 * seconds. A later one is found when a pass begins a day back.
 */
const COMMIT_LAG_MS = 30_000

const startOf = ({ source, after }: IssueStep, state: typeof State.Type, nowMs: number): string => {
  const mark = state[source] ?? ""
  const { idPrefix } = sources[source]
  if (after === null) return mark
  if (after !== "again") return after
  const dayBack = `${idPrefix}${idPrefixAt(nowMs - DAY_MS)}`
  return mark < dayBack ? mark : dayBack
}

const lastOf = (last: typeof Last.Type) => (last === null ? null : { year: last[0], sequence: last[1] })

const nothing: IssuedStep = { issued: [], next: null }

/** In steady use, all orders after the last one with an invoice are due: no more ids are examined than are wanted, unless none of them is. */
const examine = Effect.fnUntraced(function* (
  run: RunWrite,
  { source, limit }: IssueStep,
  { start, ordersTo }: { readonly start: string; readonly ordersTo: string }
) {
  const { sql, read } = sources[source]
  const some = read(yield* run(sql, [start, limit, limit, ordersTo]))
  if (some.due.length > 0 || some.count < limit) return { ...some, hasMore: some.count === limit }
  const many = read(yield* run(sql, [start, limit, MOST_EXAMINED, ordersTo]))
  return { ...many, hasMore: many.count === MOST_EXAMINED }
})

/** The body of the transaction. */
export const issueStep = Effect.fnUntraced(function* (run: RunWrite, step: IssueStep) {
  const nowMs = yield* tryLock(run, "invoices")
  if (nowMs === null) return nothing
  const [state] = stateOf(yield* run(readState, []))
  if (state === undefined) return nothing
  const { column, idPrefix } = sources[step.source]
  const examined = yield* examine(run, step, { start: startOf(step, state, nowMs), ordersTo: state.orders ?? "" })
  const { sellerSinceMs, last } = state
  const series = {
    invoice: lastOf(state.invoice),
    credit_note: lastOf(state.credit_note),
    ...(last === null ? { lastIssuedAtMs: 0, lastIssueDate: "" } : { lastIssuedAtMs: last[0], lastIssueDate: last[1] })
  }
  // One link may be credited and refunded: it has one note.
  const requests = examined.due.map(({ request }) => request)
  const issued: ReadonlyArray<Invoice> = issueDue(requests, step.terms, { series, sellerSinceMs, nowMs })
  if (issued.length > 0) yield* run(write, [JSON.stringify(issued.map(invoices.row))])
  const isFull = examined.due.length === step.limit
  const reached = isFull ? (examined.due.at(-1)?.id ?? null) : examined.last
  if (reached !== null) {
    const settled = `${idPrefix}${idPrefixAt(nowMs - COMMIT_LAG_MS)}`
    const mark = reached < settled ? reached : settled
    if (mark > (state[step.source] ?? "")) yield* run(markOf(column), [mark])
  }
  return { issued, next: isFull || examined.hasMore ? reached : null }
})
