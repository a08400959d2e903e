// Webhook subscriptions of a key.
import { Effect } from "effect"
import { Subscriptions } from "#core/ports/webhooks/Subscriptions.ts"
import { overDatabase } from "../../database/Database.ts"
import { FIRST_ID, first, select } from "../../database/Queries.ts"
import { subscriptions } from "../../rows/DeliveryRows.ts"

export const layer = overDatabase(Subscriptions, ({ read }) => {
  const active = (rest: string) => select(read, subscriptions, `subscriptions s WHERE s.revoked_at_ms IS NULL ${rest}`)
  const activeAfter = active("AND s.webhook_id > $1 ORDER BY s.webhook_id LIMIT $2")
  /** The first entry of the index of active subscriptions. */
  const anyActive = first(active("ORDER BY s.key_id, s.webhook_id LIMIT 1"))
  return Subscriptions.of({
    ofKey: active("AND s.key_id = $1 ORDER BY s.webhook_id"),
    activeAfter: ({ after, limit }) => activeAfter(after ?? FIRST_ID, limit),
    anyActive: Effect.suspend(anyActive)
  })
})
