// Quotes by id, payment token, idempotency key or items, and those that the sweeper has to close.
import { Effect, Schema } from "effect"
import { unkeyedPrefix } from "#core/domain/ordering/Idempotency.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/ordering/Warning.ts"
import { QuoteId } from "#core/domain/shared/Ids.ts"
import { OpenCounts, Quotes, WaitingCounts } from "#core/ports/ordering/Quotes.ts"
import { overDatabase } from "../../database/Database.ts"
import { first, NOW_MS, only, query, queryValues, select } from "../../database/Queries.ts"
import { accountNo } from "../../rows/AccountRows.ts"
import { setAside } from "../../rows/OrderRows.ts"
import { boundQuote, isAlike, OPEN, quotes, soughtBinding } from "../../rows/QuoteRows.ts"
import { Integer, Text } from "../../rows/Table.ts"

/** The keys begin with `$2` and differ in a number of fixed length, so that the latest sorts last; `$3` sorts behind all of them. */
const latestUnkeyed =
  "q.key_id = $1 AND q.idempotency_key > $2 AND q.idempotency_key < $3 AND q.bound_scope IS NULL ORDER BY q.idempotency_key DESC LIMIT 1"

const byIdempotencyKey = `
SELECT ${quotes.list("q")} AS value
FROM (VALUES ($1::text, $2::text, $3::text, $4::text)) AS u (key_id, account_id, mode, idempotency_key)
CROSS JOIN LATERAL (${boundQuote}) q`

/** Rows after the quote that the parameter names, in the order of this time column; all rows if it is null. */
const afterQuote = (column: string, after: string): string => `(${column}, quote_id) > (
  coalesce((SELECT last.${column} FROM quotes last WHERE last.quote_id = ${after}), 0), coalesce(${after}, '')
)`

/** Ids of quotes that match the condition, in the order of this time column. */
const quotesBy = (column: string, condition: string): string => `
SELECT quote_id AS value FROM quotes
WHERE ${condition} AND ${afterQuote(column, "$3")}
ORDER BY ${column}, quote_id LIMIT $2`

const due = quotesBy("expires_at_ms", `status IN ${OPEN} AND expires_at_ms <= $1 AND payment_pending_at_ms IS NULL`)
const dueOfAccount = quotesBy(
  "expires_at_ms",
  `status IN ${OPEN} AND account_no = ${accountNo("$4")} AND expires_at_ms <= $1 AND payment_pending_at_ms IS NULL`
)
const pending = quotesBy(
  "expires_at_ms",
  `status IN ${OPEN} AND expires_at_ms <= $1 AND payment_pending_at_ms IS NOT NULL`
)
const withoutSession = quotesBy(
  "created_at_ms",
  "status = 'awaiting_payment' AND mode = 'live' AND session_id IS NULL AND created_at_ms < $1"
)

const ofRevokedKeys = `
SELECT q.quote_id AS value FROM quotes q JOIN keys k USING (key_id)
WHERE q.status = 'awaiting_approval' AND ($1::text IS NULL OR q.account_no = ${accountNo("$1")}) AND k.revoked_at_ms IS NOT NULL
  AND q.quote_id > coalesce($3, '')
ORDER BY q.quote_id LIMIT $2`

/**
 * The index begins with the number of a quote's time window. The range spans two windows, and a third is searched for quotes that are
 * newer than the given moment.
 */
const lookAlike = `
WITH since AS MATERIALIZED (
  SELECT coalesce($3::bigint, ${NOW_MS}) - ${SIMILAR_ORDER_WINDOW_MS} AS ms
)
SELECT newest.quote_id AS value FROM since CROSS JOIN unnest(ARRAY[2, 1, 0]) AS ahead CROSS JOIN LATERAL (
  SELECT q.quote_id, q.created_at_ms FROM quotes q
  WHERE q.created_at_ms / ${SIMILAR_ORDER_WINDOW_MS} = since.ms / ${SIMILAR_ORDER_WINDOW_MS} + ahead AND q.created_at_ms >= since.ms
    AND ${isAlike("q", "$1", "$2")}
  ORDER BY q.created_at_ms DESC, q.quote_id DESC LIMIT 1
) newest
ORDER BY newest.created_at_ms DESC, newest.quote_id DESC LIMIT 1`

const waitingOf = `q.status = $3 AND q.status IN ${OPEN} AND q.account_no = ${accountNo("$1")} AND q.mode = $2
  AND ${afterQuote("expires_at_ms", "$5")} AND ($6::text IS NULL OR q.items_digest = $6)
ORDER BY q.expires_at_ms, q.quote_id LIMIT $4`

const openCounts = `
SELECT json_build_object('approvals', count(*) FILTER (WHERE q.status = 'awaiting_approval'),
  'approvalCents', coalesce(sum(q.total_cents) FILTER (WHERE q.status = 'awaiting_approval'), 0),
  'payments', count(*) FILTER (WHERE q.status = 'awaiting_payment'),
  'approvalsHolding', count(*) FILTER (WHERE q.status = 'awaiting_approval' AND q.credit_cents > 0),
  'paymentsHolding', count(*) FILTER (WHERE q.status = 'awaiting_payment' AND q.credit_cents > 0)) AS value
FROM quotes q WHERE q.status IN ${OPEN} AND q.account_no = ${accountNo("$1")} AND q.mode = $2`

const toApprove = "q.status = 'awaiting_approval' AND q.mode = 'live'"

const awaitingApprovalCount = `SELECT count(*)::int AS value FROM quotes q WHERE ${toApprove}`

const waitingCounts = `
SELECT json_build_object('approvals', count(*) FILTER (WHERE q.status = 'awaiting_approval'),
  'payments', count(*) FILTER (WHERE q.status = 'awaiting_payment' AND q.payment_pending_at_ms IS NULL)) AS value
FROM quotes q
WHERE q.status IN ${OPEN} AND q.account_no = ${accountNo("$1")} AND q.mode = 'live' AND q.expires_at_ms > ${NOW_MS}`

/** Each is looked up by the index, also in a plan made while there were few quotes. */
const namedQuotes = "quotes q WHERE q.quote_id IN (SELECT u.id FROM unnest($1::text[]) AS u (id))"

const setAsideRows = `payments_set_aside s
WHERE $2::text IS NULL OR s.payment_id = $2 ORDER BY s.outcome IS NOT NULL, s.at_ms DESC, s.payment_id LIMIT $1`

const setAsideOpen = `
SELECT currency, count(*)::int AS count, to_json(sum(amount_cents)) AS cents
FROM payments_set_aside WHERE outcome IS NULL GROUP BY currency`

const OpenOfCurrency = Schema.Struct({ currency: Text, count: Integer, cents: Integer })

export const layer = overDatabase(Quotes, ({ read, search }) => {
  const where = (condition: string) => select(read, quotes, `quotes q WHERE ${condition}`)
  const ids = (sql: string) => queryValues(read, QuoteId, sql)
  const bound = first(queryValues(read, quotes.schema, byIdempotencyKey))
  const unkeyed = first(where(latestUnkeyed))
  const dueOfAll = ids(due)
  const dueOfOne = ids(dueOfAccount)
  const waiting = ids(pending)
  const stillOpen = where(
    `q.status IN ${OPEN} AND q.account_no = ${accountNo("$1")} AND q.mode = $2 ORDER BY q.expires_at_ms DESC, q.quote_id DESC LIMIT $3`
  )
  const waitingFor = where(waitingOf)
  const countsOfOpen = only(queryValues(read, OpenCounts, openCounts))
  const unlinked = ids(withoutSession)
  const unapprovable = ids(ofRevokedKeys)
  const approvable = where(`${toApprove} ORDER BY q.quote_id LIMIT $1`)
  const approvableCount = only(queryValues(search, Integer, awaitingApprovalCount))
  const countsOfWaiting = only(queryValues(read, WaitingCounts, waitingCounts))
  const apart = select(read, setAside, setAsideRows)
  const alike = first(ids(lookAlike))
  const named = select(read, quotes, namedQuotes)

  return Quotes.of({
    byId: first(where("q.quote_id = $1")),
    byIds: (quoteIds) => (quoteIds.length === 0 ? Effect.succeed([]) : named(quoteIds)),
    byPaymentToken: first(where("q.payment_token = $1 AND q.card_cents > 0")),
    byIdempotencyKey: (caller, idempotencyKey) => bound(...soughtBinding(caller, idempotencyKey)),
    latestUnkeyed: ({ keyId, fingerprint }) => {
      const prefix = unkeyedPrefix(fingerprint)
      return unkeyed(keyId, prefix, `${prefix}~`)
    },
    due: ({ nowMs, limit, accountId, after = null }) =>
      accountId === undefined ? dueOfAll(nowMs, limit, after) : dueOfOne(nowMs, limit, after, accountId),
    pending: ({ nowMs, limit, after = null }) => waiting(nowMs, limit, after),
    open: ({ accountId, mode, limit }) => stillOpen(accountId, mode, limit),
    waiting: ({ accountId, mode, status, limit, after = null, itemsDigest = null }) =>
      waitingFor(accountId, mode, status, limit, after, itemsDigest),
    openCounts: ({ accountId, mode }) => countsOfOpen(accountId, mode),
    withoutSession: ({ beforeMs, limit, after = null }) => unlinked(beforeMs, limit, after),
    ofRevokedKeys: ({ limit, accountId = null, after = null }) => unapprovable(accountId, limit, after),
    awaitingApproval: ({ limit }) => approvable(limit),
    awaitingApprovalCount: approvableCount(),
    waitingCounts: countsOfWaiting,
    setAside: ({ limit, paymentId = null }) => apart(limit, paymentId),
    setAsideOpen: query(search, OpenOfCurrency, setAsideOpen)(),
    lookAlike: ({ keyId, itemsDigest, atMs = null }) => alike(keyId, itemsDigest, atMs)
  })
})
