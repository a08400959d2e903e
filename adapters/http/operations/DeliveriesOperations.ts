// Operations of webhook deliveries: send a test, list them, send one again, replace the secret.
import { Effect, Redacted } from "effect"
import { startOf } from "#adapters/contract/schema/Moment.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { timestamp } from "#adapters/contract/schema/Text.ts"
import { showDelivery, showQueued, showReplay } from "#adapters/contract/webhooks/Deliveries.ts"
import { DeliveryId } from "#core/domain/shared/Ids.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import type { DeliveriesApi } from "../api/DeliveriesApi.ts"
import type { OperationsOf } from "./Operation.ts"

const deliveryCursor = pageCursor("deliveries", DeliveryId)

export const deliveriesOperations = Effect.map(
  ManageWebhooks,
  (webhooks): OperationsOf<typeof DeliveriesApi> => ({
    testWebhook: (caller, { params }, origin) => Effect.map(webhooks.test(caller, params.id, origin), showQueued),

    listDeliveries: Effect.fnUntraced(function* (caller, { params, query: { limit = PAGE_SIZE, cursor } }) {
      const filters = { webhookId: params.id }
      const beforeId = yield* Effect.fromResult(deliveryCursor.begin(filters, cursor))
      const { deliveries, nextBeforeId } = yield* webhooks.deliveries(caller, { ...filters, limit, beforeId })
      return {
        ok: true,
        count: deliveries.length,
        deliveries: deliveries.map(showDelivery),
        ...deliveryCursor.next(filters, nextBeforeId),
        sandbox: caller.mode === "sandbox"
      }
    }),

    redeliver: (caller, { params }, origin) =>
      Effect.map(webhooks.redeliver(caller, params.id, params.delivery_id, origin), showQueued),

    replayWebhook: (caller, { params, payload }, origin) =>
      Effect.map(webhooks.replay(caller, params.id, startOf(payload.from) ?? 0, origin), (queued) =>
        showReplay(queued, caller.mode)
      ),

    // Not interrupted by a client that disconnects: a stored secret is in force, and the response is its only copy.
    rotateSecret: Effect.fnUntraced(function* (caller, { params }, origin) {
      const { secret, previousValidUntilMs } = yield* webhooks.rotateSecret(caller, params.id, origin?.secretBytes)
      return {
        ok: true as const,
        id: params.id,
        secret: Redacted.value(secret),
        previous_valid_until: timestamp(previousValidUntilMs),
        sandbox: caller.mode === "sandbox"
      }
    }, Effect.uninterruptible)
  })
)
