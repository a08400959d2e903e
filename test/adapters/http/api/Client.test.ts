// The typed client of the API definition: it sends the key, decodes responses, and fails with the error body. A code that an endpoint
// does not declare fails to decode, so tests with the client find it.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import type { QuoteResponse } from "#adapters/contract/ordering/QuoteResponse.ts"
import { makeClient } from "#adapters/http/api/Client.ts"
import { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import { SiteNotFound } from "#core/domain/catalogue/CatalogueRefusal.ts"
import { IdempotencyKeyReused, OrderNotFound } from "#core/domain/ordering/OrderRefusal.ts"
import { KeyId, OrderId, QuoteId } from "#core/domain/shared/Ids.ts"
import { type Behaviour, keys, Stub, stubServer } from "../server/StubServer.ts"

const client = (apiKey: string) =>
  Effect.flatMap(Stub, ({ url }) => makeClient({ baseUrl: url, apiKey: Redacted.make(apiKey) }))

const quoteResponse: QuoteResponse = {
  ok: true,
  quote_id: QuoteId.make("q_1"),
  status: "paid",
  currency: "EUR",
  gross_total_eur: 15,
  total_eur: 12.5,
  discount_eur: 2.5,
  credit_applied_cents: 1_250,
  card_amount_cents: 0,
  discount: { source: "promo", label: "Promo code TEN", considered: [] },
  payment_url: null,
  items_count: 1,
  order_id: OrderId.make("ord_1"),
  order_status: "paid",
  warnings: [],
  summary: "1 link for 12.50 EUR.",
  next_action: { type: "none", tell_user: "Done." },
  sandbox: false
}

const stored = JSON.stringify(quoteResponse)

const replay = new JsonResponse({ status: 201, text: stored, headers: { "idempotent-replayed": "true" } })

const behave: Behaviour = ({ operation, request }) => {
  switch (operation) {
    case "getSite":
      return Effect.fail(new SiteNotFound({ siteId: 404 }))
    case "getOrder":
      return Effect.fail(new SiteNotFound({ siteId: 404 }))
    case "getQuote":
      return Effect.fail(new OrderNotFound({ orderId: OrderId.make("x") }))
    case "createOrder":
      return JSON.stringify(request).includes('"reused"')
        ? Effect.fail(new IdempotencyKeyReused({ idempotencyKey: "reused", quoteId: QuoteId.make("q_1") }))
        : Effect.succeed(replay)
    default:
      return undefined
  }
}

const item = { site_id: 1, target_url: "https://shop.example/a", anchor_text: "a", anchor_type: "partial" } as const
const payload = { items: [{ ...item, format: "new_article", tier2_links: 0 }], dry_run: false } as const

layer(Layer.merge(stubServer({ behave }), FetchHttpClient.layer))("the typed client", (it) => {
  it.effect("decodes a response and encodes a query", () =>
    Effect.gen(function* () {
      const { arrivals } = yield* Stub
      const { catalog } = yield* client(keys.full)
      const page = yield* catalog.searchSites({ query: { limit: 5, max_price_eur: 7.5 } })
      assert.strictEqual(page.ok, true)
      assert.deepInclude(arrivals.at(-1), { operation: "searchSites", keyId: KeyId.make("key_full") })
      assert.deepInclude(arrivals.at(-1)?.request, { query: { limit: 5, max_price_eur: 7.5 } })
    })
  )

  it.effect("fails with the error body, including the request id", () =>
    Effect.gen(function* () {
      const { catalog } = yield* client(keys.full)
      const error = yield* Effect.flip(catalog.getSite({ params: { id: 404 } }))
      assert.isTrue("ok" in error && error.ok === false)
      if (!("ok" in error)) return
      assert.strictEqual(error.error.code, "site_not_found")
      assert.match(error.request_id, /^req_/)
    })
  )

  it.effect("fails on an invalid key", () =>
    Effect.gen(function* () {
      const { balance } = yield* client(keys.unknown)
      const error = yield* Effect.flip(balance.getBalance())
      assert.isTrue("ok" in error && error.error.code === "invalid_api_key")
    })
  )

  it.effect("does not decode a code that the endpoint does not declare", () =>
    Effect.gen(function* () {
      const { orders } = yield* client(keys.full)
      const error = yield* Effect.flip(orders.getOrder({ params: { id: OrderId.make("ord_1") } }))
      assert.isFalse("ok" in error)
    })
  )

  it.effect("reads a stored response that was sent verbatim", () =>
    Effect.gen(function* () {
      const { orders } = yield* client(keys.full)
      const [body, response] = yield* orders.createOrder({
        headers: { "idempotency-key": "k" },
        payload,
        responseMode: "decoded-and-response"
      })
      assert.strictEqual(body.total_eur, 12.5)
      assert.strictEqual(response.status, 201)
      assert.strictEqual(response.headers["idempotent-replayed"], "true")
      assert.strictEqual(yield* response.text, stored)
    })
  )

  it.effect("decodes a reused idempotency key", () =>
    Effect.gen(function* () {
      const { orders } = yield* client(keys.full)
      const error = yield* Effect.flip(orders.createOrder({ headers: { "idempotency-key": "reused" }, payload }))
      assert.isTrue("ok" in error && error.error.code === "idempotency_key_reused" && error.error.status === 422)
    })
  )
})
