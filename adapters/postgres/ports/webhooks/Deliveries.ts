// The webhook outbox: a function in the database leases due deliveries, round-robin over endpoints, to one instance at a time.
import { Clock, Effect, Layer, Schema } from "effect"
import { type ClaimedDelivery, Deliveries } from "#core/ports/webhooks/Deliveries.ts"
import { Database, forPorts } from "../../database/Database.ts"
import { DeliveryNotifications } from "../../database/DeliveryNotifications.ts"
import { execute, first, LAST_ID, query, queryValues, select, takePage } from "../../database/Queries.ts"
import { deliveries, subscriptions } from "../../rows/DeliveryRows.ts"
import { Integer, integerOrNull } from "../../rows/Table.ts"

const claim = `
SELECT
  coalesce((SELECT json_agg(${deliveries.list("d")}) FROM unnest(c.claimed) d), '[]') AS deliveries,
  coalesce((SELECT json_agg(${subscriptions.list("s")}) FROM unnest(c.endpoints) s), '[]') AS subscriptions
FROM claim_deliveries($1, $2, $3, $4) c`

const release = "UPDATE outbox SET leased_until_ms = NULL WHERE delivery_id = ANY ($1::text[])"

const nextDue = "SELECT to_json(next_delivery_due($1)) AS value"

/** What the deliverer runs from its first second on. */
export const workerStatements = [claim, release, nextDue] as const

/** Per endpoint by index, so that deliveries planned for later are not read. */
const backlog = `
SELECT coalesce(sum(b.due), 0)::int AS due, to_json(min(b.oldest)) AS "oldestDueAtMs"
FROM waiting_endpoints() e CROSS JOIN LATERAL (
  SELECT count(*) AS due, min(o.due_at_ms) AS oldest FROM outbox o
  WHERE o.webhook_id = e.webhook_id AND o.due_at_ms <= $1 AND (o.leased_until_ms IS NULL OR o.leased_until_ms <= $1)
) b`

const ofWebhook = `deliveries d
WHERE d.webhook_id = $1 AND d.delivery_id < $2 ORDER BY d.delivery_id DESC LIMIT $3`

const Backlog = Schema.Struct({ due: Integer, oldestDueAtMs: integerOrNull })

const Claims = Schema.Struct({
  deliveries: Schema.Array(deliveries.schema),
  subscriptions: Schema.Array(subscriptions.schema)
})

const claimedIn = (claims: ReadonlyArray<typeof Claims.Type>): ReadonlyArray<ClaimedDelivery> =>
  claims.flatMap(({ deliveries, subscriptions }) => {
    const byId = new Map(subscriptions.map((one) => [one.webhookId, one]))
    return deliveries.flatMap((delivery) => {
      const subscription = byId.get(delivery.webhookId)
      return subscription === undefined ? [] : [{ delivery, subscription }]
    })
  })

export const layer: Layer.Layer<Deliveries, never, Database | DeliveryNotifications> = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const { read, search, write } = forPorts(yield* Database)
    const { notifications } = yield* DeliveryNotifications
    const claims = query(write, Claims, claim)
    const nextDueDelivery = first(queryValues(read, integerOrNull, nextDue))
    const dueDeliveries = first(query(search, Backlog, backlog))
    const log = select(read, deliveries, ofWebhook)

    return Deliveries.of({
      claim: ({ nowMs, limit, perEndpoint, leaseMs }) =>
        Effect.map(claims(nowMs, limit, perEndpoint, leaseMs), claimedIn),
      release: execute(write, release),
      nextDueAtMs: () => Effect.flatMap(Clock.currentTimeMillis, nextDueDelivery),
      backlog: (nowMs) => Effect.map(dueDeliveries(nowMs), (found) => found ?? { due: 0, oldestDueAtMs: null }),
      queued: notifications,
      ofWebhook: ({ webhookId, limit, beforeId }) =>
        Effect.map(log(webhookId, beforeId ?? LAST_ID, limit + 1), (found) => {
          const { rows, next } = takePage(found, limit, ({ deliveryId }) => deliveryId)
          return { deliveries: rows, nextBeforeId: next }
        })
    })
  })
)
