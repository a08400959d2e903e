// Operations of webhook subscriptions. The secret is shown here, once.
import { Effect, Redacted } from "effect"
import { showOneWebhook, showWebhook, showWebhookRecord } from "#adapters/contract/webhooks/Webhooks.ts"
import { ManageWebhooks } from "#core/usecases/webhooks/ManageWebhooks.ts"
import type { WebhooksApi } from "../api/WebhooksApi.ts"
import type { OperationsOf } from "./Operation.ts"

export const webhooksOperations = Effect.map(
  ManageWebhooks,
  (webhooks): OperationsOf<typeof WebhooksApi> => ({
    listWebhooks: Effect.fnUntraced(function* (caller) {
      const found = yield* webhooks.list(caller)
      return {
        ok: true,
        count: found.length,
        webhooks: found.map(showWebhookRecord),
        sandbox: caller.mode === "sandbox"
      }
    }),

    createWebhook: Effect.fnUntraced(function* (caller, { payload }, origin) {
      const { subscription, secret } = yield* webhooks.create(caller, payload, origin)
      return {
        ok: true,
        ...showWebhook(subscription),
        secret: Redacted.value(secret),
        sandbox: subscription.mode === "sandbox"
      }
    }),

    getWebhook: (caller, { params }) => Effect.map(webhooks.get(caller, params.id), showOneWebhook),

    changeWebhook: (caller, { params, payload }, origin) =>
      Effect.map(webhooks.change({ webhookId: params.id, caller, change: payload, origin }), showOneWebhook),

    deleteWebhook: Effect.fnUntraced(function* (caller, { params }) {
      const { mode } = yield* webhooks.revoke(caller, params.id)
      return { ok: true, id: params.id, active: false, sandbox: mode === "sandbox" }
    })
  })
)
