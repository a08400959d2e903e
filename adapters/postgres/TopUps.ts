// Top-ups in PostgreSQL.
import { Effect, Layer } from "effect"
import { TopUps } from "#core/ports/TopUps.ts"
import { Database } from "./database/Database.ts"
import { LAST_ID, queryRows, takePage } from "./database/Queries.ts"
import { topUps } from "./rows/AccountRows.ts"

const select = (rest: string): string => `SELECT ${topUps.list("t")} AS row FROM top_ups t WHERE ${rest}`

export const layer: Layer.Layer<TopUps, never, Database> = Layer.effect(
  TopUps,
  Effect.map(Database, ({ read }) => {
    const byId = queryRows(read, topUps, select("t.top_up_id = $1"))
    const byToken = queryRows(read, topUps, select("t.payment_token = $1"))
    const ofAccount = queryRows(
      read,
      topUps,
      select("t.account_id = $1 AND t.top_up_id < $2 ORDER BY t.top_up_id DESC LIMIT $3")
    )
    const due = queryRows(
      read,
      topUps,
      select("t.status = 'open' AND t.expires_at_ms <= $1 ORDER BY t.expires_at_ms, t.top_up_id LIMIT $2")
    )
    return TopUps.of({
      byId: (topUpId) => Effect.map(byId(topUpId), ([found]) => found ?? null),
      byPaymentToken: (token) => Effect.map(byToken(token), ([found]) => found ?? null),
      ofAccount: ({ accountId, limit, beforeId }) =>
        Effect.map(ofAccount(accountId, beforeId ?? LAST_ID, limit + 1), (found) => {
          const { rows, next } = takePage(found, limit, ({ topUpId }) => topUpId)
          return { topUps: rows, nextBeforeId: next }
        }),
      due: ({ nowMs, limit }) => due(nowMs, limit)
    })
  })
)
