// Operations on what is sent to webhooks: tests, the log of deliveries, redelivery, a new secret.
import { Effect, Redacted, Schema } from "effect"
import { showDelivery, showQueued } from "#adapters/contract/Deliveries.ts"
import { PAGE_SIZE, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { timestamp } from "#adapters/contract/schema/Text.ts"
import { ManageWebhooks } from "#core/usecases/ManageWebhooks.ts"
import type { DeliveriesApi } from "../api/DeliveriesApi.ts"
import type { OperationsOf } from "./Operation.ts"

const deliveryCursor = pageCursor("deliveries", Schema.String)

export const deliveriesOperations = Effect.map(
  ManageWebhooks,
  (webhooks): OperationsOf<typeof DeliveriesApi> => ({
    testWebhook: (caller, { params }) => Effect.map(webhooks.test(caller, params.id), showQueued),

    listDeliveries: Effect.fnUntraced(function* (caller, { params, query: { limit = PAGE_SIZE, cursor } }) {
      const question = { webhookId: params.id }
      const beforeId = cursor === undefined ? null : yield* Effect.fromResult(deliveryCursor.read(question, cursor))
      const { deliveries, nextBeforeId } = yield* webhooks.deliveries(caller, { ...question, limit, beforeId })
      return {
        ok: true,
        count: deliveries.length,
        deliveries: deliveries.map(showDelivery),
        ...(nextBeforeId === null ? {} : { next_cursor: deliveryCursor.write(question, nextBeforeId) }),
        sandbox: caller.mode === "sandbox"
      }
    }),

    redeliver: (caller, { params }) =>
      Effect.map(webhooks.redeliver(caller, params.id, params.delivery_id), showQueued),

    // A caller that disconnects must not lose the secret half way: it is in force once it is stored.
    rotateSecret: Effect.fnUntraced(function* (caller, { params }) {
      const { secret, previousValidUntilMs } = yield* webhooks.rotateSecret(caller, params.id)
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
