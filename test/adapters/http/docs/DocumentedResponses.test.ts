// The OpenAPI document accepts what the service accepts, and describes every event completely.

import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { OrderRequest } from "#adapters/contract/ordering/OrderRequest.ts"
import { renderEvent, renderQuoteEvent, renderTest } from "#adapters/contract/webhooks/Events.ts"
import { WebhookRequest } from "#adapters/contract/webhooks/Webhooks.ts"
import { findTool } from "#adapters/mcp/Tools.ts"
import { EventId, WebhookId } from "#core/domain/shared/Ids.ts"
import { hiddenCharacterFault, isVisible } from "#core/domain/shared/VisibleText.ts"
import { OrderEventType, QuoteEventType } from "#core/domain/webhooks/Event.ts"
import { given, insertion, NOON, orderBy } from "#test/core/Given.ts"
import { placed } from "#test/core/RunDecision.ts"
import { property } from "#test/Property.ts"
import { eventError, parameterError, requestBodyError, responseError, schemaError } from "./DocumentedResponses.ts"

const ORDERS = "/api/v1/agent/orders"
const item = {
  site_id: 7,
  target_url: "https://shop.example/sale",
  anchor_text: "garden tools",
  anchor_type: "partial"
}

const strict = { onExcessProperty: "error" } as const
const isOrder = (body: unknown): boolean => Result.isSuccess(Schema.decodeUnknownResult(OrderRequest, strict)(body))
const isWebhook = (body: unknown): boolean => Result.isSuccess(Schema.decodeUnknownResult(WebhookRequest, strict)(body))

/** Schema errors of an order, by the document and by the tool's schema. */
const orderFaults = (order: unknown): ReadonlyArray<string | undefined> => [
  requestBodyError("POST", ORDERS, order),
  schemaError(findTool("create_order")?.inputSchema ?? {}, order)
]

const NONE = [undefined, undefined]

const priceFaults = (price: number): ReadonlyArray<string | undefined> => [
  parameterError("GET", "/api/v1/agent/catalog", "max_price_eur", price),
  schemaError(findTool("search_sites")?.inputSchema ?? {}, { max_price_eur: price })
]

const TARGETS = [
  "https://münchen.example/ü",
  "https://例え.example/道?問=答#節",
  "HTTPS://SHOP.EXAMPLE",
  "http://shop.example:8080/a%20b?c=d&e[]=f",
  'https://shop.example/{a}|b^c`d"<e>',
  "https://xn--mnchen-3ya.example/%C3%BC"
]

describe("the document and the tools accept what the service accepts", () => {
  it("every amount of whole cents", () => {
    for (let cents = 0; cents <= 20_000; cents++) {
      assert.deepStrictEqual(orderFaults({ items: [item], max_total_eur: cents / 100 }), NONE, `${cents}`)
      assert.deepStrictEqual(priceFaults(cents / 100), NONE, `${cents}`)
    }
    assert.deepStrictEqual(orderFaults({ items: [item], max_total_eur: 10_000_000 }), NONE)
  })

  for (const target_url of TARGETS) {
    it(`a link to ${target_url}`, () => {
      const order = { items: [{ ...item, target_url }] }
      assert.isTrue(isOrder(order))
      assert.deepStrictEqual(orderFaults(order), NONE)
    })
  }

  for (const url of [...TARGETS, "https://hooks.shop.example:8443/ü"]) {
    it(`a webhook to ${url}`, () => {
      const webhook = { url, events: ["order.accepted"] }
      assert.isTrue(isWebhook(webhook))
      assert.isUndefined(requestBodyError("POST", "/api/v1/agent/webhooks", webhook))
    })
  }

  const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 16 })
  const seen = word.filter((text) => hiddenCharacterFault(text) === undefined && isVisible(text))
  const items = fc.record(
    {
      site_id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      target_url: fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.constantFrom(...TARGETS)),
      anchor_text: fc.oneof(seen, fc.constant("👍".repeat(120))),
      anchor_type: fc.constantFrom("exact", "partial", "branded", "generic", "naked_url"),
      format: fc.constantFrom("new_article", "insertion"),
      article_id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      tier2_links: fc.constantFrom(0, 1, 3, 5),
      project_id: word,
      opportunity_id: word,
      brief: fc.oneof(fc.string({ unit: "binary" }), fc.constant("é".repeat(2_000)))
    },
    { requiredKeys: ["site_id", "target_url", "anchor_text", "anchor_type"] }
  )
  const orders = fc
    .record(
      {
        items: fc.array(items, { minLength: 1, maxLength: 20, size: "medium" }),
        promo_code: word,
        max_total_eur: fc.integer({ min: 0, max: 1_000_000_000 }).map((cents) => cents / 100),
        dry_run: fc.boolean(),
        sandbox_credit_cents: fc.integer({ min: 0, max: 100_000_000 })
      },
      { requiredKeys: ["items"] }
    )
    .filter(isOrder)

  property("orders of every kind", [orders], (order) => {
    assert.deepStrictEqual(orderFaults(order), NONE)
  })

  it("but reject what a schema can reject", () => {
    for (const wrong of [
      {},
      { items: [] },
      { items: [{ ...item, site_id: 1.5 }] },
      { items: [item], max_total_eur: -0.01 }
    ]) {
      assert.isFalse(isOrder(wrong))
      for (const fault of orderFaults(wrong)) assert.isString(fault, JSON.stringify(wrong))
    }
  })

  it("name unknown members in the document only, because some models take no closed schema", () => {
    for (const wrong of [{ items: [item], promo: "TEN" }, { items: [{ ...item, anchor: "a" }] }]) {
      assert.isFalse(isOrder(wrong))
      const [inDocument, inTool] = orderFaults(wrong)
      assert.isString(inDocument)
      assert.isUndefined(inTool)
    }
  })
})

describe("events", () => {
  const { reply } = placed(given(), orderBy("key_rich", { items: [insertion(11)] }))
  const { quote, order, links } = reply
  const [link] = links
  if (order === null || link === undefined) throw new Error("credit covers it")
  const placedBy = { kind: "key", id: order.keyId, label: "Chat" } as const

  for (const type of OrderEventType.literals) {
    it(`${type} matches its description`, () => {
      const event = { eventId: EventId.make("evt_1"), type, atMs: NOON, order, quote, links, placedBy }
      const body = JSON.parse(renderEvent(type === "order.published" ? { ...event, link } : event))
      assert.isUndefined(eventError(type, body))
      assert.isString(eventError(type, { ...body, data: {} }))
      assert.isString(eventError("webhook.test", body))
    })
  }

  for (const type of QuoteEventType.literals) {
    it(`${type} matches its description`, () => {
      const render = renderQuoteEvent((quoteId) => `https://shop.example/${quoteId}`)
      const body = JSON.parse(render({ eventId: EventId.make("evt_1"), type, atMs: NOON, quote, links, placedBy }))
      assert.isUndefined(eventError(type, body))
      assert.isString(eventError(type, { ...body, data: {} }))
      assert.isString(eventError("order.accepted", body))
    })
  }

  it("webhook.test matches its description", () => {
    const body = JSON.parse(
      renderTest({ eventId: EventId.make("evt_1"), webhookId: WebhookId.make("wh_1"), mode: "live", atMs: NOON })
    )
    assert.isUndefined(eventError("webhook.test", body))
    assert.isString(eventError("webhook.test", { ...body, data: {} }))
    assert.isString(eventError("order.accepted", body))
  })
})

describe("the document", () => {
  it("rejects a wrong response", () => {
    const refusal = (code: string, status: number) => ({
      status,
      text: JSON.stringify({
        ok: false,
        error: { code, message: "No.", status, retryable: false, recovery: "correct" },
        request_id: "req_1"
      })
    })
    assert.isUndefined(responseError("GET", `${ORDERS}/ord_1`, refusal("order_not_found", 404)))
    for (const status of [400, 408, 431]) {
      for (const method of ["GET", "POST"]) {
        assert.isUndefined(responseError(method, ORDERS, refusal("malformed_request", status)), `${method} ${status}`)
      }
    }
    assert.isString(responseError("GET", `${ORDERS}/ord_1`, refusal("site_not_found", 404)))
    assert.isString(responseError("GET", `${ORDERS}/ord_1`, refusal("article_unavailable", 409)))
    assert.isString(responseError("GET", `${ORDERS}/ord_1`, { status: 200, text: '{"ok":true}' }))
  })
})
