// Bodies, headers and queries that are refused before a handler runs, with status and code, in the documented order of checks.
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { exchange, head, type RawResponse, untilClosed } from "../server/RawHttp.ts"
import { keys, Stub, stubServer } from "../server/StubServer.ts"

const ORDERS = "/api/v1/agent/orders"
const json = { "Content-Type": "application/json" }
const item = { site_id: 1, target_url: "https://shop.example/a", anchor_text: "a", anchor_type: "partial" }
const order = JSON.stringify({ items: [item] })

const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = json, target = ORDERS) =>
  Effect.flatMap(Stub, ({ port }) => {
    const length = { "Content-Length": String(Buffer.byteLength(body)) }
    return exchange(port, head("POST", target, { Authorization: `Bearer ${keys.full}`, ...length, ...headers }), body)
  })

const get = (target: string) =>
  Effect.flatMap(Stub, ({ port }) => exchange(port, head("GET", target, { Authorization: `Bearer ${keys.full}` })))

const refusal = (response: RawResponse, status: number, code: string) => {
  assert.strictEqual(response.status, status, response.body)
  const body = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(response.body))
  assert.strictEqual(body.error.code, code)
  assert.strictEqual(body.error.status, status)
  assert.strictEqual(body.request_id, response.headers.get("request-id"))
  return body.error
}

layer(stubServer())("request validation", (it) => {
  const refuses = (
    name: string,
    response: Effect.Effect<RawResponse, Error, Stub>,
    status: number,
    code: string,
    param?: string
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const { arrivals } = yield* Stub
        const before = arrivals.length
        const error = refusal(yield* response, status, code)
        if (param !== undefined) assert.strictEqual(error.param, param)
        assert.strictEqual(arrivals.length, before, "the handler ran")
      })
    )

  it.effect("accepts an order with a charset and default fields", () =>
    Effect.gen(function* () {
      const { arrivals } = yield* Stub
      const response = yield* post(order, {
        "Content-Type": "application/json; charset=UTF-8",
        "Idempotency-Key": "k-1"
      })
      assert.strictEqual(response.status, 201, response.body)
      assert.deepInclude(arrivals.at(-1)?.request, {
        headers: { "idempotency-key": "k-1" },
        payload: { items: [{ ...item, format: "new_article", tier2_links: 0 }], dry_run: false }
      })
    })
  )

  refuses(
    "form data",
    post(order, { "Content-Type": "application/x-www-form-urlencoded" }),
    415,
    "unsupported_media_type"
  )
  refuses("no content type", post(order, {}), 415, "unsupported_media_type")
  refuses(
    "another charset",
    post(order, { "Content-Type": "application/json; charset=latin1" }),
    415,
    "unsupported_media_type"
  )
  refuses("a compressed body", post(order, { ...json, "Content-Encoding": "gzip" }), 415, "unsupported_media_type")
  refuses("no body", post(""), 400, "invalid_json")
  refuses("broken JSON", post('{"items":'), 400, "invalid_json")
  refuses("duplicate keys", post('{"items":[],"items":[]}'), 400, "invalid_json")
  refuses("bytes that are not UTF-8", post(Uint8Array.from([0x22, 0xff, 0x22])), 400, "invalid_json")
  refuses("a byte order mark", post(`\uFEFF${order}`), 400, "invalid_json")
  for (const body of ["[]", "null", '"items"']) {
    it.effect(`${body} instead of an object`, () =>
      Effect.gen(function* () {
        const { message } = refusal(yield* post(body), 422, "validation_failed")
        assert.strictEqual(message, "body: Must be a JSON object.")
      })
    )
  }
  refuses("an unknown field", post(JSON.stringify({ items: [item], promo: "TEN" })), 422, "validation_failed", "promo")
  refuses(
    "an unknown item field",
    post(JSON.stringify({ items: [{ ...item, anchor: "a" }] })),
    422,
    "validation_failed",
    "items[0].anchor"
  )
  refuses("an empty idempotency key", post(order, { ...json, "Idempotency-Key": "" }), 400, "invalid_idempotency_key")
  refuses(
    "a spaced idempotency key",
    post(order, { ...json, "Idempotency-Key": "a b" }),
    400,
    "invalid_idempotency_key"
  )
  refuses(
    "a long idempotency key",
    post(order, { ...json, "Idempotency-Key": "k".repeat(256) }),
    400,
    "invalid_idempotency_key"
  )
  refuses(
    "two idempotency keys",
    post(order, { ...json, "Idempotency-Key": "a", "idempotency-key": "b" }),
    400,
    "invalid_idempotency_key"
  )
  refuses("a parameter on an order", post(order, json, `${ORDERS}?dry_run=true`), 422, "validation_failed", "dry_run")
  refuses("JSON before idempotency key", post("{", { ...json, "Idempotency-Key": "" }), 400, "invalid_json")
  refuses(
    "idempotency key before schema",
    post("{}", { ...json, "Idempotency-Key": "" }),
    400,
    "invalid_idempotency_key"
  )
  refuses("media type before size", post("x".repeat(70_000), {}), 415, "unsupported_media_type")
  for (const body of ['{"a":1}', "[]"]) {
    const response = post(body, json, "/api/v1/agent/quotes/q_1/abandon")
    refuses(`${body} where no fields are taken`, response, 422, "validation_failed", "body")
  }

  it.effect("accepts an empty object or no body where no fields exist", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* post("", {}, "/api/v1/agent/quotes/q_1/abandon")).status, 200)
      assert.strictEqual((yield* post("{}", json, "/api/v1/agent/quotes/q_1/abandon")).status, 200)
    })
  )

  for (const [query, param] of [
    ["limit=1e3", "limit"],
    ["limit=01", "limit"],
    ["limit=", "limit"],
    ["limit=%201", "limit"],
    ["limit=51", "limit"],
    ["limit=0", "limit"],
    ["limit=1&limit=2", "limit"],
    ["offset=-1", "offset"],
    ["min_tf=+1", "min_tf"],
    ["max_price_eur=1.005", "max_price_eur"],
    ["shelf=plancton", "shelf"],
    ["sort=tf", "sort"],
    ["min_dr=10", "min_dr"],
    ["niche=%00", "niche"],
    ["query=%20", "query"],
    ["query=%CC%81", "query"],
    ["query=%E2%80%83", "query"],
    ["query=%EF%BB%BF&shelf=Corail", "query"],
    ["__proto__=1", "__proto__"],
    ["offset=1&cursor=c", "cursor"]
  ] as const) {
    refuses(`?${query}`, get(`/api/v1/agent/catalog?${query}`), 422, "validation_failed", param)
  }
  for (const id of ["abc", "1e3", "0", "-1", "99999999999", "1.5"]) {
    refuses(`site ${id}`, get(`/api/v1/agent/catalog/${id}`), 422, "validation_failed", "id")
  }
  refuses(
    "a parameter where none exists",
    get("/api/v1/agent/balance?currency=EUR"),
    422,
    "validation_failed",
    "currency"
  )

  it.effect("decodes a query", () =>
    Effect.gen(function* () {
      const { arrivals } = yield* Stub
      const response = yield* get(
        "/api/v1/agent/catalog?limit=50&min_tf=7&max_price_eur=7.5&niche=jardin%C3%A9&sort=-tf"
      )
      assert.strictEqual(response.status, 200, response.body)
      assert.deepInclude(arrivals.at(-1)?.request, {
        query: { limit: 50, min_tf: 7, max_price_eur: 7.5, niche: ["jardiné"], sort: "-tf" }
      })
    })
  )

  refuses(
    "a body announced as too large, without waiting for it",
    post("", { ...json, "Content-Length": "70000" }),
    413,
    "body_too_large"
  )

  refuses(
    "a body announced as too large: the connection is closed, not left hanging",
    Effect.flatMap(Stub, ({ port }) =>
      untilClosed(
        port,
        head("POST", ORDERS, { Authorization: `Bearer ${keys.full}`, ...json, "Content-Length": "70000" }),
        "x".repeat(1_000)
      )
    ),
    413,
    "body_too_large"
  )

  refuses(
    "a chunked body as soon as it is too large",
    Effect.flatMap(Stub, ({ port }) => {
      const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`
      const headers = { Authorization: `Bearer ${keys.full}`, ...json, "Transfer-Encoding": "chunked" }
      return exchange(port, head("POST", ORDERS, headers), chunk, chunk, chunk, chunk, chunk)
    }),
    413,
    "body_too_large"
  )

  it.effect("accepts a body of exactly 64 KiB", () =>
    Effect.gen(function* () {
      const padded = order.padEnd(64 * 1024, " ")
      assert.strictEqual((yield* post(padded)).status, 201)
      refusal(yield* post(`${padded} `), 413, "body_too_large")
    })
  )

  it.effect("sends 100 Continue to a client that waits for it", () =>
    Effect.gen(function* () {
      const { port } = yield* Stub
      const headers = {
        Authorization: `Bearer ${keys.full}`,
        ...json,
        "Content-Length": String(order.length),
        Expect: "100-continue"
      }
      const response = yield* exchange(port, head("POST", ORDERS, headers))
      assert.strictEqual(response.status, 100)
    })
  )
})
