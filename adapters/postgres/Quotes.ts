// Finds quotes by what is known of them: token, idempotency key, items, or that it is time to see to them.
import { Effect, Layer, Schema } from "effect"
import { SIMILAR_ORDER_WINDOW_MS } from "#core/domain/Warning.ts"
import { Quotes } from "#core/ports/Quotes.ts"
import { Database } from "./database/Database.ts"
import { type Query, query } from "./database/Queries.ts"
import { quotes } from "./rows/OrderRows.ts"
import { Text } from "./rows/Table.ts"

const one = (where: string): string => `SELECT ${quotes.list("q")} AS quote FROM quotes q WHERE ${where}`

const byIdempotencyKey = one(
  "q.quote_id = (SELECT b.quote_id FROM bindings b WHERE b.key_id = $1 AND b.idempotency_key = $2)"
)

/** The time that a quote named by a parameter has in this column; before all others where none is named. */
const behind = (column: string, after: string): string => `(${column}, quote_id) > (
  coalesce((SELECT last.${column} FROM quotes last WHERE last.quote_id = ${after}), 0), coalesce(${after}, '')
)`

/** Open quotes of a kind, in the order of this column, behind the one that is named. */
const waiting = (column: string, kind: string): string => `
SELECT quote_id AS "quoteId" FROM quotes
WHERE status = 'awaiting_payment' AND ${kind} AND ${behind(column, "$3")}
ORDER BY ${column}, quote_id LIMIT $2`

const due = waiting("expires_at_ms", "expires_at_ms <= $1")
const dueOfAccount = waiting("expires_at_ms", "account_id = $4 AND expires_at_ms <= $1")
const withoutSession = waiting("created_at_ms", "mode = 'live' AND session_id IS NULL AND created_at_ms < $1")

/**
 * The index begins with a quote's window: the windows of `since` and of now, and one more, for another instance's clock may be
 * ahead.
 */
const lookAlike = `
SELECT newest.quote_id AS "quoteId" FROM unnest(ARRAY[2, 1, 0]) AS ahead CROSS JOIN LATERAL (
  SELECT q.quote_id, q.created_at_ms FROM quotes q
  WHERE q.created_at_ms / ${SIMILAR_ORDER_WINDOW_MS} = $3::bigint / ${SIMILAR_ORDER_WINDOW_MS} + ahead AND q.created_at_ms >= $3
    AND q.key_id = $1 AND left(q.items_digest, 16) = left($2, 16) AND q.items_digest = $2 AND q.status <> 'abandoned'
  ORDER BY q.created_at_ms DESC, q.quote_id DESC LIMIT 1
) newest
ORDER BY newest.created_at_ms DESC, newest.quote_id DESC LIMIT 1`

const Quoted = Schema.Struct({ quote: quotes.schema })
const Named = Schema.Struct({ quoteId: Text })

const first = (find: Query<typeof Quoted.Type>, ...params: ReadonlyArray<unknown>) =>
  Effect.map(find(...params), ([row]) => row?.quote ?? null)

const names = (find: Query<typeof Named.Type>, ...params: ReadonlyArray<unknown>) =>
  Effect.map(find(...params), (rows) => rows.map(({ quoteId }) => quoteId))

export const layer: Layer.Layer<Quotes, never, Database> = Layer.effect(
  Quotes,
  Effect.gen(function* () {
    const database = yield* Database
    const withId = query(database.read, Quoted, one("q.quote_id = $1"))
    const withToken = query(database.read, Quoted, one("q.payment_token = $1 AND q.card_cents > 0"))
    const bound = query(database.read, Quoted, byIdempotencyKey)
    const dueOfAll = query(database.read, Named, due)
    const dueOfOne = query(database.read, Named, dueOfAccount)
    const unlinked = query(database.read, Named, withoutSession)
    const alike = query(database.read, Named, lookAlike)

    return Quotes.of({
      byId: (quoteId) => first(withId, quoteId),
      byPaymentToken: (token) => first(withToken, token),
      byIdempotencyKey: (keyId, idempotencyKey) => first(bound, keyId, idempotencyKey),
      due: ({ nowMs, limit, accountId, after = null }) =>
        accountId === undefined
          ? names(dueOfAll, nowMs, limit, after)
          : names(dueOfOne, nowMs, limit, after, accountId),
      withoutSession: ({ beforeMs, limit, after = null }) => names(unlinked, beforeMs, limit, after),
      lookAlike: ({ keyId, itemsDigest, nowMs }) =>
        Effect.map(names(alike, keyId, itemsDigest, nowMs - SIMILAR_ORDER_WINDOW_MS), ([quoteId]) => quoteId ?? null)
    })
  })
)
