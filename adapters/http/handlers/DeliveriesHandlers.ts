// Serves what is sent to webhooks: tests, the log of deliveries, sending again, changing the secret.

import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { showDelivery, showQueued } from "#adapters/contract/Deliveries.ts"
import { PAGE_SIZE, type PageQuery, pageCursor } from "#adapters/contract/schema/Paging.ts"
import { timestamp } from "#adapters/contract/schema/Text.ts"
import { ManageWebhooks } from "#core/usecases/ManageWebhooks.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { withMinimalContext } from "../MinimalContext.ts"

const deliveryCursor = pageCursor("deliveries", Schema.String)

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const webhooks = yield* ManageWebhooks

    const test = Effect.fnUntraced(function* (webhookId: string) {
      return showQueued(yield* webhooks.test(yield* CurrentCaller, webhookId))
    })

    const list = Effect.fnUntraced(function* (webhookId: string, { limit = PAGE_SIZE, cursor }: PageQuery) {
      const caller = yield* CurrentCaller
      const question = { webhookId }
      const beforeId = cursor === undefined ? null : yield* Effect.fromResult(deliveryCursor.read(question, cursor))
      const { deliveries, nextBeforeId } = yield* webhooks.deliveries(caller, { webhookId, limit, beforeId })
      return {
        ok: true as const,
        count: deliveries.length,
        deliveries: deliveries.map(showDelivery),
        ...(nextBeforeId === null ? {} : { next_cursor: deliveryCursor.write(question, nextBeforeId) }),
        sandbox: caller.mode === "sandbox"
      }
    })

    const redeliver = Effect.fnUntraced(function* (webhookId: string, deliveryId: string) {
      return showQueued(yield* webhooks.redeliver(yield* CurrentCaller, webhookId, deliveryId))
    })

    const rotate = Effect.fnUntraced(function* (webhookId: string) {
      const caller = yield* CurrentCaller
      const { secret, previousValidUntilMs } = yield* webhooks.rotateSecret(caller, webhookId)
      return {
        ok: true as const,
        id: webhookId,
        secret: Redacted.value(secret),
        previous_valid_until: timestamp(previousValidUntilMs),
        sandbox: caller.mode === "sandbox"
      }
    })

    return withMinimalContext(
      HttpApiBuilder.group(Api, "deliveries", (handlers) =>
        handlers
          .handle("testWebhook", ({ params }) => withErrorResponses(test(params.id)))
          .handle("listDeliveries", ({ params, query }) => withErrorResponses(list(params.id, query)))
          .handle("redeliver", ({ params }) => withErrorResponses(redeliver(params.id, params.delivery_id)))
          // Whoever goes away now would never learn the secret that was just put in force.
          .handle("rotateSecret", ({ params }) => withErrorResponses(rotate(params.id)), { uninterruptible: true })
      )
    )
  })
)
