// The table of quotes.
import { boundScopeOf } from "#core/domain/ordering/Idempotency.ts"
import { Quote } from "#core/domain/ordering/Quote.ts"
import { accountNo, byAccountNo } from "./AccountRows.ts"
import { storedTable } from "./StoredTable.ts"

/** The statuses of open quotes, as an SQL list. Written as in the indexes of open quotes, so that they are used. */
export const OPEN = "('awaiting_payment', 'awaiting_approval')"

/** SQL for the lines of a quote, which are not stored where they are those of its order's links. */
export const linesOf = (alias: string): string =>
  `CASE WHEN ${alias}.lines = '[]' AND ${alias}.order_id IS NOT NULL THEN lines_of(${alias}.order_id) ELSE ${alias}.lines END`

/** SQL for the discount of a quote, as JSON. */
export const discountOf = (alias: string): string => `${alias}.discount::jsonb`

/** SQL that finds quotes `alias` of a key for the same items, SQL expressions both, by its index beside that of the creation time. */
export const isAlike = (alias: string, keyId: string, itemsDigest: string): string =>
  `hashtextextended(${alias}.items_digest, hashtextextended(${alias}.key_id, 0))
      = hashtextextended(${itemsDigest}, hashtextextended(${keyId}, 0))
    AND ${alias}.key_id = ${keyId} AND ${alias}.items_digest = ${itemsDigest} AND ${alias}.status <> 'abandoned'`

/** Whether the database has seen a version before step 056, which bound every key in its credential. Searched for no order otherwise. */
const BOUND_BEFORE = "(SELECT bound_before FROM shop)"

/**
 * SQL for the quote that an idempotency key stands for: the credential's own, otherwise the oldest of its account and mode. `u` has
 * `key_id`, `account_id`, `mode` and `idempotency_key`; see `soughtBinding`. Quotes from before step 056 are found
 * by the index of their credential, but for those of the Shop, whose keys stand for its carts.
 */
export const boundQuote = `
  SELECT q.* FROM (
    (
      SELECT own.* FROM quotes own
      WHERE (u.mode = '' OR ${BOUND_BEFORE}) AND own.key_id = u.key_id AND own.idempotency_key = u.idempotency_key AND own.bound_scope IS NULL LIMIT 1
    ) UNION ALL (
      SELECT wide.* FROM quotes wide
      WHERE wide.account_no = ${accountNo("u.account_id")} AND wide.mode = u.mode
        AND hashtextextended(wide.idempotency_key, 0) = hashtextextended(u.idempotency_key, 0)
        AND wide.idempotency_key = u.idempotency_key AND wide.bound_scope IS NOT NULL LIMIT 1
    ) UNION ALL (
      SELECT earlier.* FROM keys k CROSS JOIN LATERAL (
        SELECT o.* FROM quotes o
        WHERE o.key_id = k.key_id AND o.idempotency_key = u.idempotency_key AND o.bound_scope IS NULL LIMIT 1
      ) earlier
      WHERE ${BOUND_BEFORE} AND k.account_id = u.account_id AND k.mode = u.mode AND k.key_id <> u.key_id AND NOT starts_with(k.key_id, 'web_')
    )
  ) q ORDER BY q.key_id <> u.key_id, q.created_at_ms, q.quote_id LIMIT 1`

/** The parameters for `u`. An empty mode, which no quote has, seeks what the credential alone has bound. */
export const soughtBinding = (
  { keyId, accountId, mode }: Pick<Quote, "keyId" | "accountId" | "mode">,
  idempotencyKey: string
): readonly [keyId: string, accountId: string, mode: string, idempotencyKey: string] => [
  keyId,
  accountId,
  boundScopeOf(keyId, idempotencyKey) === null ? "" : mode,
  idempotencyKey
]

/** Written with the columns that others have in the quote's row: its binding, its order, and the code that it uses. */
export const quotes = storedTable("quotes", Quote.fields, {
  derived: { ...byAccountNo, lines: linesOf, discount: discountOf }
})
