import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AdvanceRequest, OrderDetail } from "#adapters/contract/ordering/Orders.ts"
import { DeclineRequest, QuoteStatus } from "#adapters/contract/ordering/Quotes.ts"
import { text } from "#adapters/contract/schema/Text.ts"
import { idBrands } from "#core/domain/shared/Ids.ts"
import { describe, errorsOf, PATH_ERRORS, WRITE_ERRORS } from "./EndpointDescription.ts"

const quote = { id: text(1).annotate({ description: "`quote_id` of a sandbox quote." }).pipe(idBrands.QuoteId) }

const paySandboxQuote = HttpApiEndpoint.post("paySandboxQuote", "/sandbox/quotes/:id/pay", {
  params: quote,
  success: QuoteStatus,
  error: errorsOf(...WRITE_ERRORS, "quote_not_found", "quote_not_open", ...PATH_ERRORS)
}).annotateMerge(describe("order", "Pretend that a human paid a sandbox quote", "Sandbox keys only."))

const abandonSandboxQuote = HttpApiEndpoint.post("abandonSandboxQuote", "/sandbox/quotes/:id/abandon", {
  params: quote,
  success: QuoteStatus,
  error: errorsOf(...WRITE_ERRORS, "quote_not_found", "quote_not_open", ...PATH_ERRORS)
}).annotateMerge(describe("order", "Pretend that a human gave up a sandbox quote", "Sandbox keys only."))

const approveSandboxQuote = HttpApiEndpoint.post("approveSandboxQuote", "/sandbox/quotes/:id/approve", {
  params: quote,
  success: QuoteStatus,
  error: errorsOf(...WRITE_ERRORS, "quote_not_found", "quote_not_open", ...PATH_ERRORS)
}).annotateMerge(describe("order", "Pretend that a human approved a sandbox quote", "Sandbox keys only."))

const declineSandboxQuote = HttpApiEndpoint.post("declineSandboxQuote", "/sandbox/quotes/:id/decline", {
  params: quote,
  payload: DeclineRequest,
  success: QuoteStatus,
  error: errorsOf(...WRITE_ERRORS, "quote_not_found", "quote_not_open", ...PATH_ERRORS)
}).annotateMerge(describe("order", "Pretend that a human declined a sandbox quote", "Sandbox keys only."))

const advanceSandboxOrder = HttpApiEndpoint.post("advanceSandboxOrder", "/sandbox/orders/:id/advance", {
  params: { id: text(1).annotate({ description: "`order_id` of a sandbox order." }).pipe(idBrands.OrderId) },
  payload: AdvanceRequest,
  success: OrderDetail,
  error: errorsOf(...WRITE_ERRORS, "order_not_found", "invalid_transition", ...PATH_ERRORS)
}).annotateMerge(
  describe(
    "order",
    "Move every link of a sandbox order",
    "Real signed webhooks with `sandbox: true` follow. Sandbox keys only."
  )
)

export class SandboxApi extends HttpApiGroup.make("sandbox")
  .add(paySandboxQuote, abandonSandboxQuote, approveSandboxQuote, declineSandboxQuote, advanceSandboxOrder)
  .annotateMerge(
    OpenApi.annotations({ title: "Sandbox", description: "Drive orders of a sandbox key through their life." })
  ) {}
