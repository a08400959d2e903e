// Quotes by id, payment token, idempotency key or items, and those that the sweeper has to close.
import { Effect, Layer, Schema } from "effect"
import { unkeyedPrefix } from "#core/domain/Idempotency.ts"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/Warning.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { Database } from "./database/Database.ts"
import { type Query, query, queryRows } from "./database/Queries.ts"
import { setAside } from "./rows/OrderRows.ts"
import { isAlike, isBoundBy, OPEN, quotes, shortDigest } from "./rows/QuoteRows.ts"
import { Integer, Text } from "./rows/Table.ts"

const one = (where: string): string => `SELECT ${quotes.list("q")} AS row FROM quotes q WHERE ${where}`

const byIdempotencyKey = one(isBoundBy("q", "$1", "$2"))

/**
 * The keys begin with `$2` and differ in a number of fixed length, so that the latest sorts last; `$3` sorts behind all of them. They have
 * an index of their own.
 */
const latestUnkeyed = `${one(
  "starts_with(q.idempotency_key, 'unkeyed ') AND q.key_id = $1 AND q.idempotency_key > $2 AND q.idempotency_key < $3"
)} ORDER BY q.idempotency_key DESC LIMIT 1`

/** Rows after the quote that the parameter names, in the order of this time column; all rows if it is null. */
const afterQuote = (column: string, after: string): string => `(${column}, quote_id) > (
  coalesce((SELECT last.${column} FROM quotes last WHERE last.quote_id = ${after}), 0), coalesce(${after}, '')
)`

/** Ids of quotes that match the condition, in the order of this time column. */
const quotesBy = (column: string, condition: string): string => `
SELECT quote_id AS "quoteId" FROM quotes
WHERE ${condition} AND ${afterQuote(column, "$3")}
ORDER BY ${column}, quote_id LIMIT $2`

const due = quotesBy("expires_at_ms", `status IN ${OPEN} AND expires_at_ms <= $1 AND payment_pending_at_ms IS NULL`)
const dueOfAccount = quotesBy(
  "expires_at_ms",
  `status IN ${OPEN} AND account_id = $4 AND expires_at_ms <= $1 AND payment_pending_at_ms IS NULL`
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
SELECT q.quote_id AS "quoteId" FROM quotes q JOIN keys k USING (key_id)
WHERE q.status = 'awaiting_approval' AND ($1::text IS NULL OR q.account_id = $1) AND k.revoked_at_ms IS NOT NULL
  AND q.quote_id > coalesce($3, '')
ORDER BY q.quote_id LIMIT $2`

/**
 * The index begins with the number of a quote's time window. The range spans two windows, and a third is searched for quotes that are
 * newer than the given moment.
 */
const lookAlike = `
WITH since AS MATERIALIZED (
  SELECT coalesce($3::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) - ${SIMILAR_ORDER_WINDOW_MS} AS ms
)
SELECT newest.quote_id AS "quoteId" FROM since CROSS JOIN unnest(ARRAY[2, 1, 0]) AS ahead CROSS JOIN LATERAL (
  SELECT q.quote_id, q.created_at_ms FROM quotes q
  WHERE q.created_at_ms / ${SIMILAR_ORDER_WINDOW_MS} = since.ms / ${SIMILAR_ORDER_WINDOW_MS} + ahead AND q.created_at_ms >= since.ms
    AND ${isAlike("q", "$1", "$2")}
  ORDER BY q.created_at_ms DESC, q.quote_id DESC LIMIT 1
) newest
ORDER BY newest.created_at_ms DESC, newest.quote_id DESC LIMIT 1`

const openOf = `${one(`q.status IN ${OPEN} AND q.account_id = $1 AND q.mode = $2`)}
ORDER BY q.expires_at_ms DESC, q.quote_id DESC LIMIT $3`

const toApprove = "q.status = 'awaiting_approval' AND q.mode = 'live'"

const awaitingApproval = `${one(toApprove)} ORDER BY q.quote_id LIMIT $1`

const awaitingApprovalCount = `SELECT count(*)::int AS count FROM quotes q WHERE ${toApprove}`

const setAsideRows = `SELECT ${setAside.list("s")} AS row FROM payments_set_aside s
WHERE $2::text IS NULL OR s.payment_id = $2 ORDER BY s.outcome IS NOT NULL, s.at_ms DESC, s.payment_id LIMIT $1`

const setAsideOpen = `
SELECT currency, count(*)::int AS count, to_json(sum(amount_cents)) AS cents
FROM payments_set_aside WHERE outcome IS NULL GROUP BY currency`

const QuoteId = Schema.Struct({ quoteId: Text })

const OpenOfCurrency = Schema.Struct({ currency: Text, count: Integer, cents: Integer })

const firstQuote = (find: Query<typeof quotes.schema.Type>, ...params: ReadonlyArray<unknown>) =>
  Effect.map(find(...params), ([quote]) => quote ?? null)

const quoteIds = (find: Query<typeof QuoteId.Type>, ...params: ReadonlyArray<unknown>) =>
  Effect.map(find(...params), (rows) => rows.map(({ quoteId }) => quoteId))

export const layer: Layer.Layer<Quotes, never, Database> = Layer.effect(
  Quotes,
  Effect.gen(function* () {
    const database = yield* Database
    const withId = queryRows(database.read, quotes, one("q.quote_id = $1"))
    const withToken = queryRows(database.read, quotes, one("q.payment_token = $1 AND q.card_cents > 0"))
    const bound = queryRows(database.read, quotes, byIdempotencyKey)
    const unkeyed = queryRows(database.read, quotes, latestUnkeyed)
    const dueOfAll = query(database.read, QuoteId, due)
    const dueOfOne = query(database.read, QuoteId, dueOfAccount)
    const waiting = query(database.read, QuoteId, pending)
    const stillOpen = queryRows(database.read, quotes, openOf)
    const unlinked = query(database.read, QuoteId, withoutSession)
    const unapprovable = query(database.read, QuoteId, ofRevokedKeys)
    const approvable = queryRows(database.read, quotes, awaitingApproval)
    const approvableCount = query(database.search, Schema.Struct({ count: Integer }), awaitingApprovalCount)
    const apart = queryRows(database.read, setAside, setAsideRows)
    const undecided = query(database.search, OpenOfCurrency, setAsideOpen)
    const alike = query(database.read, QuoteId, lookAlike)

    return Quotes.of({
      byId: (quoteId) => firstQuote(withId, quoteId),
      byPaymentToken: (token) => firstQuote(withToken, token),
      byIdempotencyKey: (keyId, idempotencyKey) => firstQuote(bound, keyId, idempotencyKey),
      latestUnkeyed: ({ keyId, fingerprint }) => {
        const prefix = unkeyedPrefix(fingerprint)
        return firstQuote(unkeyed, keyId, prefix, `${prefix}~`)
      },
      due: ({ nowMs, limit, accountId, after = null }) =>
        accountId === undefined
          ? quoteIds(dueOfAll, nowMs, limit, after)
          : quoteIds(dueOfOne, nowMs, limit, after, accountId),
      pending: ({ nowMs, limit, after = null }) => quoteIds(waiting, nowMs, limit, after),
      open: ({ accountId, mode, limit }) => stillOpen(accountId, mode, limit),
      withoutSession: ({ beforeMs, limit, after = null }) => quoteIds(unlinked, beforeMs, limit, after),
      ofRevokedKeys: ({ limit, accountId = null, after = null }) => quoteIds(unapprovable, accountId, limit, after),
      awaitingApproval: ({ limit }) => approvable(limit),
      awaitingApprovalCount: Effect.map(approvableCount(), ([found]) => found?.count ?? 0),
      setAside: ({ limit, paymentId = null }) => apart(limit, paymentId),
      setAsideOpen: undecided(),
      lookAlike: ({ keyId, itemsDigest, atMs = null }) =>
        Effect.map(quoteIds(alike, keyId, shortDigest(itemsDigest), atMs), ([quoteId]) => quoteId ?? null)
    })
  })
)
