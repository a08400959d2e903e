// Serves webhook subscriptions. The secret leaves the service here, once.
import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { showWebhook, showWebhookRecord, type WebhookRequest } from "#adapters/contract/Webhooks.ts"
import { Subscribe } from "#core/usecases/Subscribe.ts"
import { CurrentCaller } from "../api/Access.ts"
import { Api } from "../api/Api.ts"
import { withErrorResponses } from "../ErrorResponses.ts"
import { withMinimalContext } from "../MinimalContext.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const webhooks = yield* Subscribe

    const list = Effect.gen(function* () {
      const caller = yield* CurrentCaller
      const found = yield* webhooks.list(caller)
      return {
        ok: true as const,
        count: found.length,
        webhooks: found.map(showWebhookRecord),
        sandbox: caller.mode === "sandbox"
      }
    })

    const create = Effect.fnUntraced(function* (wish: WebhookRequest) {
      const { subscription, secret } = yield* webhooks.create(yield* CurrentCaller, wish)
      return {
        ok: true as const,
        ...showWebhook(subscription),
        secret: Redacted.value(secret),
        sandbox: subscription.mode === "sandbox"
      }
    })

    const revoke = Effect.fnUntraced(function* (webhookId: string) {
      const { mode } = yield* webhooks.revoke(yield* CurrentCaller, webhookId)
      return { ok: true as const, id: webhookId, active: false as const, sandbox: mode === "sandbox" }
    })

    return withMinimalContext(
      HttpApiBuilder.group(Api, "webhooks", (handlers) =>
        handlers.handleAll({
          listWebhooks: () => withErrorResponses(list),
          createWebhook: ({ payload }) => withErrorResponses(create(payload)),
          deleteWebhook: ({ params }) => withErrorResponses(revoke(params.id))
        })
      )
    )
  })
)
