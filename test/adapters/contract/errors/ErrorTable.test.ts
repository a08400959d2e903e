// The error table: every failure has a body of the documented shape, every public code has a failure, and no secret leaks.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { InternalError } from "#adapters/contract/errors/AdapterFailure.ts"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { errorCodes, OTHER_ERRORS, PUBLIC_ERRORS, policyOf, statusesOf } from "#adapters/contract/errors/ErrorCode.ts"
import { errorTextOf, type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"
import { pathOf } from "#adapters/contract/errors/ErrorText.ts"
import { OrderNotFound, QuoteNotOpen } from "#core/domain/ordering/OrderRefusal.ts"
import { OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { NoAnswer, WebhookUrlRefused } from "#core/domain/webhooks/WebhookRefusal.ts"
import type { ProcessorUnavailable, StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { CANARY, samples } from "./FailureSamples.ts"

const failures: ReadonlyArray<Failure> = Object.values(samples).flat()

/** The public codes by status. */
const CONTRACT: Readonly<Record<number, ReadonlyArray<string>>> = {
  400: ["invalid_json", "invalid_idempotency_key", "conflicting_credentials"],
  401: ["missing_api_key", "invalid_api_key", "revoked_api_key", "expired_api_key"],
  403: ["insufficient_scope", "spend_policy_refused"],
  404: [
    "site_not_found",
    "quote_not_found",
    "order_not_found",
    "link_not_found",
    "webhook_not_found",
    "delivery_not_found",
    "project_not_found",
    "invoice_not_found",
    "route_not_found"
  ],
  405: ["method_not_allowed"],
  409: [
    "site_unavailable",
    "amount_below_minimum",
    "article_unavailable",
    "price_above_limit",
    "too_many_reservations",
    "quote_not_open",
    "not_cancellable",
    "not_changeable",
    "webhook_limit_reached",
    "invalid_transition"
  ],
  413: ["body_too_large"],
  415: ["unsupported_media_type"],
  422: [
    "validation_failed",
    "idempotency_key_reused",
    "promo_code_invalid",
    "article_site_mismatch",
    "webhook_url_refused"
  ],
  429: ["daily_order_cap_reached", "rate_limited"],
  500: ["internal_error"],
  502: ["payment_processor_unavailable"],
  503: ["store_unavailable", "schema_too_new"]
}

describe("the error table", () => {
  it("has exactly the documented codes and statuses", () => {
    const table = Object.entries(PUBLIC_ERRORS).map(([code, { status }]) => `${status} ${code}`)
    const contract = Object.entries(CONTRACT).flatMap(([status, codes]) => codes.map((code) => `${status} ${code}`))
    assert.sameMembers(table, contract)
  })

  it("has a failure for every public code, and no other failure has one", () => {
    const explained = new Set<string>(failures.map((failure) => errorTextOf(failure).code))
    assert.sameMembers([...explained], [...Object.keys(PUBLIC_ERRORS), ...Object.keys(OTHER_ERRORS)])
  })

  it("declares every status that a code is sent with, and no other", () => {
    const sent = failures.map((failure) => toErrorResponse(failure, "req_1"))
    const pairs = sent.map(({ status, body }) => `${status} ${body.error.code}`)
    const known = errorCodes.flatMap((code) => statusesOf(code).map((status) => `${status} ${code}`))
    assert.sameMembers([...new Set(pairs)], known)
  })

  for (const failure of failures) {
    const { status, body, headers } = toErrorResponse(failure, "req_1")
    it(`${failure._tag} → ${status} ${body.error.code} (${body.error.message.slice(0, 60)})`, () => {
      const wire = JSON.parse(JSON.stringify(body))
      const decode = Schema.decodeUnknownSync(ErrorBody, { onExcessProperty: "error" })
      assert.deepStrictEqual(decode(wire), body, "no undefined, nothing that JSON would change")
      assert.strictEqual(body.error.status, status)
      assert.strictEqual(body.request_id, "req_1")
      assert.match(body.error.message, /\S.*[.!?]$/s)
      assert.isBelow(JSON.stringify(wire).length, 2_000, "input is not repeated at length")
      assert.notInclude(JSON.stringify({ wire, headers }), CANARY)
      assert.notMatch(JSON.stringify(wire), /undefined|NaN|\[object/)
      assert.strictEqual("www-authenticate" in headers, status === 401 || body.error.code === "insufficient_scope")
      assert.strictEqual("allow" in headers, status === 405)
      if (body.error.recovery === "wait") assert.property(body.error.details, "resets_at")
      if (body.error.recovery === "correct" && status !== 404 && status !== 400) assert.isString(body.error.suggestion)
    })
  }

  it("carries Retry-After wherever waiting helps", () => {
    for (const failure of failures) {
      const { status, body, headers } = toErrorResponse(failure, "req_1")
      const { retryable, recovery, code } = body.error
      const helps = (retryable && code !== "internal_error") || recovery === "wait" || [429, 502, 503].includes(status)
      if (helps) assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/, code)
      else assert.notProperty(headers, "retry-after", code)
    }
    assert.isTrue(policyOf("daily_order_cap_reached").recovery === "wait")
  })

  it("refers to the order when a paid quote is abandoned, and to a new idempotency key for another purchase", () => {
    const advice = (["paid", "abandoned"] as const).map(
      (status) => errorTextOf(new QuoteNotOpen({ quoteId: QuoteId.make("q_1"), status })).suggestion ?? ""
    )
    for (const one of advice) assert.include(one, "GET /api/v1/agent/quotes/q_1 ")
    assert.match(advice[0] ?? "", /order_id.*cancel.*operator can cancel.*prepaid credit/)
    assert.match(advice[1] ?? "", /new order with a new Idempotency-Key/)
  })

  it("points to the quotes when a quote id is used as an order id", () => {
    assert.include(
      errorTextOf(new OrderNotFound({ orderId: OrderId.make("q_1") })).suggestion,
      "GET /api/v1/agent/quotes/{id}"
    )
  })

  it("never suggests ordering again without an idempotency key when the order may exist", () => {
    assert.match(
      errorTextOf(new InternalError()).suggestion ?? "",
      /without one may exist.*GET \/api\/v1\/agent\/orders/
    )
  })

  it("explains how to follow an order without a webhook", () => {
    assert.include(
      errorTextOf(new WebhookUrlRefused({ reason: "loopback" })).suggestion,
      "GET /api/v1/agent/orders/{id}"
    )
  })

  it("tells each receiver that gives no answer as what it does", () => {
    const texts = NoAnswer.literals.map((noAnswer) => {
      const { message, details } = errorTextOf(new WebhookUrlRefused({ reason: "unreachable", noAnswer }))
      assert.deepStrictEqual(details, { reason: "unreachable", error: noAnswer })
      return message
    })
    assert.strictEqual(new Set(texts).size, NoAnswer.literals.length)
    assert.include(texts, "The webhook URL reset or closed the connection before it answered.")
    assert.include(texts, "The webhook URL did not answer within 5 seconds.")
  })

  it("accepts the errors of ports as they are", () => {
    const check = (fault: StoreUnavailable | ProcessorUnavailable): Failure => fault
    assert.isFunction(check)
  })

  it("names fields by their wire names", () => {
    assert.strictEqual(pathOf({ item: 0, field: "tier2Links" }), "items[0].tier2_links")
    assert.strictEqual(pathOf({ item: 19, field: "targetUrl" }), "items[19].target_url")
    assert.strictEqual(pathOf({ field: "maxTotalCents" }), "max_total_eur")
    assert.strictEqual(pathOf({ field: "sandboxCreditCents" }), "sandbox_credit_cents")
    assert.strictEqual(pathOf({ field: "promoCode" }), "promo_code")
  })
})
