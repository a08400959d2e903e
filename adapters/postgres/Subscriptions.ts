// Reads webhook subscriptions.
import { Effect, Layer, Schema } from "effect"
import { Subscriptions } from "#core/ports/Subscriptions.ts"
import { Database } from "./Database.ts"
import { reader } from "./Reading.ts"
import { subscriptions } from "./rows/DeliveryRows.ts"

const ofKey = `
SELECT ${subscriptions.list("s")} AS subscription FROM subscriptions s
WHERE s.key_id = $1 AND s.revoked_at_ms IS NULL ORDER BY s.webhook_id`

export const layer: Layer.Layer<Subscriptions, never, Database> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const { read } = yield* Database
    const active = reader(read, Schema.Struct({ subscription: subscriptions.schema }), ofKey)
    return Subscriptions.of({
      ofKey: (keyId) => Effect.map(active(keyId), (rows) => rows.map(({ subscription }) => subscription))
    })
  })
)
