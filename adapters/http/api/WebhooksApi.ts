import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { text } from "#adapters/contract/schema/Text.ts"
import {
  Webhook,
  WebhookChange,
  WebhookCreated,
  WebhookDeleted,
  WebhookList,
  WebhookRequest
} from "#adapters/contract/webhooks/Webhooks.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { BODY_ERRORS, created, describe, errorsOf, PATH_ERRORS, WRITE_ERRORS } from "./EndpointDescription.ts"

const params = {
  id: text(1).annotate({ description: "`id` of a webhook of this key." }).pipe(idBrands.WebhookId)
}

const listWebhooks = HttpApiEndpoint.get("listWebhooks", "/webhooks", {
  success: WebhookList,
  error: errorsOf()
}).annotateMerge(describe("read", "List this key's active webhooks and how they fare"))

const createWebhook = HttpApiEndpoint.post("createWebhook", "/webhooks", {
  payload: WebhookRequest,
  success: created(WebhookCreated),
  error: errorsOf(...WRITE_ERRORS, "spend_policy_refused", "webhook_limit_reached", "webhook_url_refused")
}).annotateMerge(
  describe(
    "order",
    "Subscribe a URL to events of this key's orders, or of all of the account",
    'The answer carries the secret, once. At most 5 are active in an account. With `scope: "account"` it receives the events of all credentials of the account in this mode, its owners are told of it, and it ends with this key, which alone manages it. Refused like an order while the user has stopped all agents.'
  )
)

const getWebhook = HttpApiEndpoint.get("getWebhook", "/webhooks/:id", {
  params,
  success: Webhook,
  error: errorsOf("webhook_not_found", ...PATH_ERRORS)
}).annotateMerge(describe("read", "Read a webhook and how it fares"))

const changeWebhook = HttpApiEndpoint.patch("changeWebhook", "/webhooks/:id", {
  params,
  payload: WebhookChange,
  success: Webhook,
  error: errorsOf(
    ...WRITE_ERRORS,
    "spend_policy_refused",
    "webhook_not_found",
    "not_changeable",
    "webhook_url_refused",
    ...PATH_ERRORS
  )
}).annotateMerge(
  describe(
    "order",
    "Change a webhook's URL or events, disable it, or enable it again",
    'Another URL is checked and probed as at creation, and refused while the user has stopped all agents; of a webhook with `scope: "account"` the owners are told of it. The secret stays. What is so already is a success. What an owner turned off, only an owner turns on again (`not_changeable`).'
  )
)

const deleteWebhook = HttpApiEndpoint.delete("deleteWebhook", "/webhooks/:id", {
  params,
  success: WebhookDeleted,
  error: errorsOf(...BODY_ERRORS, "webhook_not_found", ...PATH_ERRORS)
}).annotateMerge(describe("order", "Revoke a webhook", "Nothing pending is sent any more."))

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(listWebhooks, createWebhook, getWebhook, changeWebhook, deleteWebhook)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "Signed events of this key's orders, or of all of the account's, sent to a URL of yours."
    })
  ) {}
