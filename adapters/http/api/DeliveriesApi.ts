import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PageQuery } from "#adapters/contract/schema/Paging.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { DeliveryList, DeliveryQueued, ReplayQueued, ReplayRequest } from "#adapters/contract/webhooks/Deliveries.ts"
import { SecretRotated } from "#adapters/contract/webhooks/Webhooks.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { accepted, describe, errorsOf, PATH_ERRORS, WRITE_ERRORS } from "./EndpointDescription.ts"

const params = {
  id: text(1).annotate({ description: "`id` of a webhook of this key." }).pipe(idBrands.WebhookId)
}

const testWebhook = HttpApiEndpoint.post("testWebhook", "/webhooks/:id/test", {
  params,
  success: accepted(DeliveryQueued),
  error: errorsOf(...WRITE_ERRORS, "webhook_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "order",
    "Send a signed `webhook.test` event",
    "Sent whatever the webhook subscribes to; at most 20 within 24 hours, each of which can be sent again by a redelivery."
  )
)

const listDeliveries = HttpApiEndpoint.get("listDeliveries", "/webhooks/:id/deliveries", {
  params,
  query: PageQuery,
  success: DeliveryList,
  error: errorsOf("webhook_not_found", ...PATH_ERRORS)
}).annotateMerge(describe("read", "List what was sent to a webhook, with every attempt", "Newest first."))

const redeliver = HttpApiEndpoint.post("redeliver", "/webhooks/:id/deliveries/:delivery_id/redeliver", {
  params: {
    ...params,
    delivery_id: text(1).annotate({ description: "`delivery_id` of one of its deliveries." }).pipe(idBrands.DeliveryId)
  },
  success: accepted(DeliveryQueued),
  error: errorsOf(...WRITE_ERRORS, "webhook_not_found", "delivery_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "order",
    "Send a delivery again",
    "The same event id and bytes, with a new signature time; at most 20 redeliveries of a webhook within 24 hours."
  )
)

const replayWebhook = HttpApiEndpoint.post("replayWebhook", "/webhooks/:id/replay", {
  params,
  payload: ReplayRequest,
  success: accepted(ReplayQueued),
  error: errorsOf(...WRITE_ERRORS, "webhook_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "order",
    "Deliver what a webhook missed",
    "After it was disabled, for example: events that it names and that were never queued for it, in the order in which they happened, one at a time. Counts as one redelivery."
  )
)

const rotateSecret = HttpApiEndpoint.post("rotateSecret", "/webhooks/:id/rotate-secret", {
  params,
  success: SecretRotated,
  error: errorsOf(...WRITE_ERRORS, "webhook_not_found", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "order",
    "Replace a webhook's secret",
    "For 24 hours deliveries are signed with both secrets, so that the receiver can change over."
  )
)

export class DeliveriesApi extends HttpApiGroup.make("deliveries")
  .add(testWebhook, listDeliveries, redeliver, replayWebhook, rotateSecret)
  .annotateMerge(
    OpenApi.annotations({ title: "Deliveries", description: "What was sent to a webhook, and how it went." })
  ) {}
