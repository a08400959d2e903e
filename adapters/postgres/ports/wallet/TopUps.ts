// Top-ups in PostgreSQL.
import { Effect } from "effect"
import { TopUpId } from "#core/domain/shared/Ids.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { overDatabase } from "../../database/Database.ts"
import { first, LAST_ID, queryValues, select, takePage } from "../../database/Queries.ts"
import { topUps } from "../../rows/AccountRows.ts"

/** Ids of open ones by their expiry: at most $2, after $3. */
const openOnes = (condition: string): string => `
SELECT t.top_up_id AS value FROM top_ups t
WHERE t.status = 'open' AND ${condition} AND (t.expires_at_ms, t.top_up_id) > (
  coalesce((SELECT last.expires_at_ms FROM top_ups last WHERE last.top_up_id = $3), 0), coalesce($3, '')
)
ORDER BY t.expires_at_ms, t.top_up_id LIMIT $2`

const closedAtMs = "(SELECT a.closed_at_ms FROM accounts a WHERE a.account_id = t.account_id)"

export const layer = overDatabase(TopUps, ({ read }) => {
  const where = (condition: string) => select(read, topUps, `top_ups t WHERE ${condition}`)
  const ofAccount = where("t.account_id = $1 AND t.top_up_id < $2 ORDER BY t.top_up_id DESC LIMIT $3")
  const due = queryValues(read, TopUpId, openOnes(`(t.expires_at_ms <= $1 OR ${closedAtMs} IS NOT NULL)`))
  const unopened = queryValues(
    read,
    TopUpId,
    openOnes(`t.expires_at_ms > $1 AND t.session_id IS NULL AND t.created_at_ms <= $4 AND ${closedAtMs} IS NULL`)
  )
  return TopUps.of({
    byId: first(where("t.top_up_id = $1")),
    byPaymentToken: first(where("t.payment_token = $1")),
    ofAccount: ({ accountId, limit, beforeId }) =>
      Effect.map(ofAccount(accountId, beforeId ?? LAST_ID, limit + 1), (found) => {
        const { rows, next } = takePage(found, limit, ({ topUpId }) => topUpId)
        return { topUps: rows, nextBeforeId: next }
      }),
    openOf: where("t.account_id = $1 AND t.status = 'open' ORDER BY t.top_up_id"),
    due: ({ nowMs, limit, after = null }) => due(nowMs, limit, after),
    unopened: ({ beforeMs, nowMs, limit, after = null }) => unopened(nowMs, limit, after, beforeMs)
  })
})
