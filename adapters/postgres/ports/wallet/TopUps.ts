// Top-ups in PostgreSQL.
import { Effect } from "effect"
import { TopUpId } from "#core/domain/shared/Ids.ts"
import { TopUps } from "#core/ports/wallet/TopUps.ts"
import { overDatabase } from "../../database/Database.ts"
import { first, LAST_ID, queryValues, select, takePage } from "../../database/Queries.ts"
import { topUps } from "../../rows/AccountRows.ts"

const DUE = `
SELECT t.top_up_id AS value FROM top_ups t
WHERE t.status = 'open' AND t.expires_at_ms <= $1 AND (t.expires_at_ms, t.top_up_id) > (
  coalesce((SELECT last.expires_at_ms FROM top_ups last WHERE last.top_up_id = $3), 0), coalesce($3, '')
)
ORDER BY t.expires_at_ms, t.top_up_id LIMIT $2`

export const layer = overDatabase(TopUps, ({ read }) => {
  const where = (condition: string) => select(read, topUps, `top_ups t WHERE ${condition}`)
  const ofAccount = where("t.account_id = $1 AND t.top_up_id < $2 ORDER BY t.top_up_id DESC LIMIT $3")
  const due = queryValues(read, TopUpId, DUE)
  return TopUps.of({
    byId: first(where("t.top_up_id = $1")),
    byPaymentToken: first(where("t.payment_token = $1")),
    ofAccount: ({ accountId, limit, beforeId }) =>
      Effect.map(ofAccount(accountId, beforeId ?? LAST_ID, limit + 1), (found) => {
        const { rows, next } = takePage(found, limit, ({ topUpId }) => topUpId)
        return { topUps: rows, nextBeforeId: next }
      }),
    due: ({ nowMs, limit, after = null }) => due(nowMs, limit, after)
  })
})
