// Webhook subscriptions of a key.
import { Effect, Layer } from "effect"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { Database } from "./database/Database.ts"
import { queryRows } from "./database/Queries.ts"
import { subscriptions } from "./rows/DeliveryRows.ts"

const ofKey = `
SELECT ${subscriptions.list("s")} AS row FROM subscriptions s
WHERE s.key_id = $1 AND s.revoked_at_ms IS NULL ORDER BY s.webhook_id`

const after = `
SELECT ${subscriptions.list("s")} AS row FROM subscriptions s
WHERE s.revoked_at_ms IS NULL AND s.webhook_id > $1 ORDER BY s.webhook_id LIMIT $2`

/** The first entry of the index of active subscriptions. */
const first = `
SELECT ${subscriptions.list("s")} AS row FROM subscriptions s
WHERE s.revoked_at_ms IS NULL ORDER BY s.key_id, s.webhook_id LIMIT 1`

export const layer: Layer.Layer<Subscriptions, never, Database> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const { read } = yield* Database
    const active = queryRows(read, subscriptions, ofKey)
    const activeAfter = queryRows(read, subscriptions, after)
    const firstActive = queryRows(read, subscriptions, first)
    return Subscriptions.of({
      ofKey: (keyId) => active(keyId),
      activeAfter: (page) => activeAfter(page.after ?? "", page.limit),
      anyActive: Effect.map(Effect.suspend(firstActive), ([found]) => found ?? null)
    })
  })
)
