// The outbox on its way out: what is due is handed out by the database, endpoint by endpoint in turn, to one claimer on one instance.
import { Clock, Effect, Layer, Schema } from "effect"
import { Deliveries } from "#core/ports/Deliveries.ts"
import { Database } from "./Database.ts"
import { Doorbell } from "./Doorbell.ts"
import { cut, LAST_ID, reader, rowsOf } from "./Reading.ts"
import { deliveries, subscriptions } from "./rows/DeliveryRows.ts"
import { Text, wholeOrNull } from "./rows/Table.ts"
import { withoutRace } from "./SqlFaults.ts"

const claim = 'SELECT delivery_id AS "deliveryId" FROM claim_deliveries($1, $2, $3, $4) ORDER BY place'

const claimed = `
SELECT ${deliveries.json("d")} AS delivery, ${subscriptions.json("s")} AS subscription
FROM unnest($1::text[]) WITH ORDINALITY AS c (delivery_id, place)
JOIN deliveries d ON d.delivery_id = c.delivery_id
JOIN subscriptions s ON s.webhook_id = d.webhook_id
ORDER BY c.place`

const release = "UPDATE deliveries SET leased_until_ms = NULL WHERE delivery_id = ANY ($1::text[])"

const nextDue = `
SELECT to_json(min(next_attempt_at_ms)) AS "dueAtMs" FROM (
  SELECT next_attempt_at_ms FROM deliveries
  WHERE state = 'pending' AND (leased_until_ms IS NULL OR leased_until_ms <= $1) ORDER BY next_attempt_at_ms LIMIT 1
) next`

const ofWebhook = `
SELECT ${deliveries.json("d")} AS delivery FROM deliveries d
WHERE d.webhook_id = $1 AND d.delivery_id < $2 ORDER BY d.delivery_id DESC LIMIT $3`

const Claim = Schema.Struct({ delivery: deliveries.schema, subscription: subscriptions.schema })
const readIds = rowsOf(Schema.Struct({ deliveryId: Text }))

export const layer: Layer.Layer<Deliveries, never, Database | Doorbell> = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const database = yield* Database
    const { rings } = yield* Doorbell
    const claims = reader(database.read, Claim, claimed)
    const due = reader(database.read, Schema.Struct({ dueAtMs: wholeOrNull }), nextDue)
    const log = reader(database.read, Schema.Struct({ delivery: deliveries.schema }), ofWebhook)

    return Deliveries.of({
      claim: ({ nowMs, limit, perEndpoint, leaseMs }) =>
        Effect.gen(function* () {
          const taken = yield* withoutRace(database.write(claim, [nowMs, limit, perEndpoint, leaseMs]))
          const ids = readIds(taken).map(({ deliveryId }) => deliveryId)
          return ids.length === 0 ? [] : yield* claims(ids)
        }),
      release: (deliveryIds) => Effect.asVoid(withoutRace(database.write(release, [deliveryIds]))),
      nextDueAtMs: () =>
        Effect.gen(function* () {
          const [row] = yield* due(yield* Clock.currentTimeMillis)
          return row?.dueAtMs ?? null
        }),
      queued: rings,
      ofWebhook: ({ webhookId, limit, beforeId }) =>
        Effect.map(log(webhookId, beforeId ?? LAST_ID, limit + 1), (found) => {
          const { rows, more } = cut(found, limit)
          const page = rows.map(({ delivery }) => delivery)
          return { deliveries: page, nextBeforeId: more ? (page.at(-1)?.deliveryId ?? null) : null }
        })
    })
  })
)
