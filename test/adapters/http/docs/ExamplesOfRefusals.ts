// The examples of other refusals, each provoked in the demo after the examples of what succeeds; those of a fault of the service are worded
// by the table of errors.
import { Effect } from "effect"
import { InternalError, MalformedRequest, RateLimited } from "#adapters/contract/errors/AdapterFailure.ts"
import { endpoints, type OperationName } from "#adapters/http/operations/OperationRequest.ts"
import { QuoteId, WebhookId } from "#core/domain/shared/Ids.ts"
import { WebhookNotChangeable } from "#core/domain/webhooks/WebhookRefusal.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { StopAgents } from "#core/usecases/access/StopAgents.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { by, issueKey } from "#test/scenarios/Buyers.ts"
import { EXAMPLE_RECEIVER, type ExampleRecorder, keys } from "./ExampleRecorder.ts"
import { type Bought, spring } from "./ExamplesOfBuying.ts"
import { liveKey } from "./ExamplesOfRefusedOrders.ts"

export const refuseAccess = Effect.fnUntraced(function* ({ refuseAlike }: ExampleRecorder) {
  const credentials = yield* Credentials
  const { accountId } = yield* liveKey
  yield* refuseAlike("getBalance", "missing_api_key", { summary: "No key was sent", key: "" })
  yield* refuseAlike("getBalance", "invalid_api_key", {
    summary: "No such key",
    key: `${keys.live.slice(0, -1)}x`
  })
  yield* refuseAlike("createOrder", "insufficient_scope", {
    summary: "A key that only reads",
    key: keys.readOnly,
    body: { items: [spring] }
  })
  const writer = yield* issueKey(accountId, { scopes: ["order"] })
  yield* refuseAlike("getBalance", "insufficient_scope", {
    summary: "A key that only orders",
    key: writer.key
  })
  yield* credentials.rotate({ keyId: writer.keyId, now: true }, by)
  yield* refuseAlike("getBalance", "expired_api_key", { summary: "A key that was replaced", key: writer.key })
  const ended = yield* issueKey(accountId)
  yield* credentials.revoke(ended.keyId, by)
  yield* refuseAlike("getBalance", "revoked_api_key", { summary: "A key that was revoked", key: ended.key })
  yield* credentials.revoke(writer.keyId, by)
})

export const refuseForm = Effect.fnUntraced(function* ({ refuse, refuseAlike, send }: ExampleRecorder, bought: Bought) {
  const path = { id: bought.order("order_id") }
  const { items } = JSON.parse((yield* send("getOrder", { path })).text)
  yield* refuseAlike("createOrder", "invalid_json", { summary: "No JSON", body: '{"items":' })
  yield* refuseAlike("createOrder", "body_too_large", { summary: "Too long a body", body: " ".repeat(70_000) })
  yield* refuseAlike("createOrder", "unsupported_media_type", {
    summary: "A body that does not say that it is JSON",
    body: "{}",
    headers: { "content-type": "text/plain" }
  })
  yield* refuseAlike("createOrder", "invalid_idempotency_key", {
    summary: "A key with a space in it",
    idempotencyKey: "two words",
    body: { items: [spring] }
  })
  yield* refuseAlike("changeLink", "idempotency_key_reused", {
    summary: "The same key for another request",
    path: { ...path, link_id: items[0].link_id },
    idempotencyKey: "change-1",
    body: { anchor_text: "other words" }
  })
  yield* refuse("createOrder", "idempotency_key_reused", {
    summary: "The same key for another order",
    idempotencyKey: "spring-campaign-1",
    body: { items: [{ ...spring, site_id: 5 }] }
  })
  yield* refuseAlike("getOrder", "route_not_found", {
    summary: "No such path",
    path: { id: "x".repeat(2_100) }
  })
})

export const refuseUnknown = Effect.fnUntraced(function* ({ refuse, refuseAlike }: ExampleRecorder, bought: Bought) {
  const order = { id: bought.order("order_id") }
  yield* refuseAlike("getSite", "site_not_found", { summary: "No such site", path: { id: 9_999 } })
  yield* refuseAlike("getPlan", "project_not_found", {
    summary: "No such project",
    path: { id: "prj_unknown" }
  })
  yield* refuseAlike("getOrder", "order_not_found", { summary: "No such order", path: { id: "ord_unknown" } })
  yield* refuseAlike("getQuote", "quote_not_found", { summary: "No such quote", path: { id: "q_unknown" } })
  yield* refuse("findQuote", "quote_not_found", {
    summary: "No order has this idempotency key",
    query: { idempotency_key: "never-sent" }
  })
  yield* refuseAlike("getInvoice", "invoice_not_found", {
    summary: "No such document",
    path: { id: "inv_unknown" }
  })
  yield* refuseAlike("getWebhook", "webhook_not_found", {
    summary: "No such webhook",
    path: { id: "wh_unknown" }
  })
  yield* refuse("changeLink", "link_not_found", {
    summary: "No such link in the order",
    path: { ...order, link_id: "lnk_unknown" },
    body: { anchor_text: "other words" }
  })
  yield* refuse("createOrder", "site_not_found", {
    summary: "No such site",
    body: { items: [{ ...spring, site_id: 9_999 }] }
  })
  yield* refuse("createOrder", "project_not_found", {
    summary: "No such project",
    body: { items: [{ ...spring, project_id: "prj_unknown" }] }
  })
})

export const refuseWebhooks = Effect.fnUntraced(function* ({ refuse, send }: ExampleRecorder) {
  const { setStopped } = yield* StopAgents
  const { accountId } = yield* liveKey
  const body = { url: EXAMPLE_RECEIVER, events: ["order.accepted"] }
  const elsewhere = { url: `${EXAMPLE_RECEIVER}/elsewhere` }
  const moved = { url: `${EXAMPLE_RECEIVER}/moved` }
  const added = yield* Effect.all(times(5, () => send("createWebhook", { body })))
  const ids = added.map(({ text }): string => JSON.parse(text).id)
  const path = { id: ids[0] ?? "" }
  yield* refuse("createWebhook", "webhook_limit_reached", { summary: "As many webhooks as there may be", body })
  yield* refuse("redeliver", "delivery_not_found", {
    summary: "No such delivery",
    path: { ...path, delivery_id: "dlv_unknown" }
  })
  yield* refuse("changeWebhook", "webhook_url_refused", { summary: "A URL that redirects", path, body: moved })
  for (const _ of ids) yield* send("rotateSecret", { path })
  yield* refuse("rotateSecret", "rate_limited", { summary: "Four earlier secrets are still good", path })
  yield* setStopped(accountId, true, by)
  const summary = "The user has stopped all agents"
  yield* refuse("createOrder", "spend_policy_refused", {
    ...{ summary, name: "spend_policy_refused_stopped" },
    body: { items: [spring] }
  })
  yield* refuse("createWebhook", "spend_policy_refused", { summary, body })
  yield* refuse("changeWebhook", "spend_policy_refused", { summary, path, body: elsewhere })
  yield* setStopped(accountId, false, by)
  for (const id of ids) yield* send("deleteWebhook", { path: { id } })
  yield* refuse("createWebhook", "webhook_url_refused", {
    summary: "A URL that redirects",
    body: { ...body, ...moved }
  })
})

/** Faults of a body or a query; other operations get a parameter that none has. */
const FAULTY: Partial<Record<OperationName, object>> = {
  searchSites: { query: { limit: 500, sort: "cheapest" } },
  createOrder: { body: { items: [{ ...spring, target_url: "/spring", anchor_type: "nice" }] } },
  cancelOrder: { body: { only: "all" } },
  changeLink: { body: {} },
  listOrders: { query: { created_from: "yesterday" } },
  requestTopUp: { query: { amount_eur: 1 } },
  createWebhook: { body: { url: EXAMPLE_RECEIVER, events: ["order.paid"] } },
  changeWebhook: { body: {} },
  replayWebhook: { body: { from: "yesterday" } },
  declineSandboxQuote: { body: { reason: "x".repeat(201) } },
  advanceSandboxOrder: { body: { to: "sold" } }
}

export const refuseFaulty = Effect.fnUntraced(function* ({ refuse }: ExampleRecorder) {
  // The literal has no keys besides those of its type.
  for (const operation of Object.keys(endpoints) as ReadonlyArray<OperationName>) {
    const faulty = FAULTY[operation]
    yield* refuse(operation, "validation_failed", {
      summary: faulty === undefined ? "A parameter that there is not" : "What is wrong with the request",
      path: { id: operation === "getSite" || operation === "listArticles" ? 2 : "x", link_id: "x", delivery_id: "x" },
      ...(faulty ?? { query: { colour: "green" } })
    })
  }
})

/** Faults of the service, which no request brings about. */
export const wordFaults = ({ word, wordAlike }: ExampleRecorder): void => {
  const retryAfterSeconds = 2
  const resetsAtMs = Date.UTC(2027, 5, 1, 12, 0, 1)
  const limited = { retryAfterSeconds: 1, resetsAtMs }
  wordAlike("getBalance", new InternalError(), { summary: "A fault on our side" })
  wordAlike("getBalance", { _tag: "StoreUnavailable", retryAfterSeconds }, { summary: "The service is busy" })
  wordAlike("getBalance", new RateLimited({ kind: "read", limit: 600, ...limited }), {
    summary: "Too many reads a minute"
  })
  wordAlike("createOrder", new RateLimited({ kind: "order", limit: 120, ...limited }), {
    summary: "Too many orders a minute"
  })
  wordAlike("getBalance", new MalformedRequest({ status: 400 }), { summary: "No sound HTTP" })
  const quoteId = QuoteId.make(`q_${"0".repeat(27)}1`)
  const silent = { _tag: "ProcessorUnavailable", retryAfterSeconds } as const
  const summary = "The payment processor does not answer"
  word("createOrder", { ...silent, quoteId }, { summary })
  word("abandonQuote", silent, { summary })
  word("createOrder", { _tag: "SchemaTooNew", step: "065_more_of_webhooks" }, { summary: "Another instance took over" })
  word("changeWebhook", new WebhookNotChangeable({ webhookId: WebhookId.make(`wh_${"0".repeat(27)}1`) }), {
    summary: "An owner turned it off in the member area"
  })
}
