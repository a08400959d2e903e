// Malformed requests get error responses with a Request-Id, in the order of the requests. Unusual but valid HTTP gets the normal
// response.
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import * as HttpTransport from "#adapters/http/server/HttpTransport.ts"
import { serverAddress } from "#test/scenarios/RunningService.ts"
import { exchange, head, type RawResponse, responsesTo, untilClosed } from "./RawHttp.ts"
import { keys, Stub, stubServer } from "./StubServer.ts"

const refusal = (response: RawResponse | undefined, status: number, code: string) => {
  assert.strictEqual(response?.status, status, response?.body)
  const body = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(response?.body ?? ""))
  assert.strictEqual(body.error.code, code)
  assert.strictEqual(body.error.status, status)
  assert.match(body.request_id, /^req_[0-9a-f]{32}$/)
  assert.strictEqual(response?.headers.get("request-id"), body.request_id)
  assert.strictEqual(response?.headers.get("content-type"), "application/json")
}

const ORDERS = "/api/v1/agent/orders"
const item = { site_id: 1, target_url: "https://shop.example/a", anchor_text: "a", anchor_type: "partial" }
const order = JSON.stringify({ items: [item] })
const posting = { Authorization: `Bearer ${keys.full}`, "Content-Type": "application/json" }
const sized = { ...posting, "Content-Length": String(order.length) }
const inOneChunk = `${order.length.toString(16)}\r\n${order}\r\n0\r\n\r\n`

const HEALTHZ = head("GET", "/healthz")
const CONNECT = head("CONNECT", "shop.example:443")
const GARBAGE = "what is this\r\n\r\n"

layer(stubServer())("requests that Node itself would reject", (it) => {
  for (const [name, bytes, status] of [
    ["HTTP/1.1 without a host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["HTTP/1.1 without a host, though the target names one", "GET http://shop.example/healthz HTTP/1.1\r\n\r\n", 400],
    ["two hosts", "GET /healthz HTTP/1.1\r\nHost: shop.example\r\nhOST: other.example\r\n\r\n", 400],
    ["two hosts in HTTP/1.0", "GET /healthz HTTP/1.0\r\nHost: shop.example\r\nHost: shop.example\r\n\r\n", 400],
    ["an order that expects what we do not do", `${head("POST", ORDERS, { ...sized, Expect: "foo" })}${order}`, 417],
    ["a request for a tunnel", CONNECT, 400]
  ] as const) {
    it.effect(`${name}: malformed, and no handler runs`, () =>
      Effect.gen(function* () {
        const { port, arrivals } = yield* Stub
        const before = arrivals.length
        refusal(yield* exchange(port, bytes), status, "malformed_request")
        assert.strictEqual(arrivals.length, before)
      })
    )
  }

  for (const [name, bytes, status] of [
    ["bytes that are not HTTP", GARBAGE, 400],
    ["a request for a tunnel", CONNECT, 400],
    ["an expectation that is not met", head("POST", ORDERS, { ...sized, Expect: "foo" }), 417]
  ] as const) {
    it.effect(`${name}: the server closes the connection`, () =>
      Effect.gen(function* () {
        const { port } = yield* Stub
        const response = yield* untilClosed(port, bytes)
        refusal(response, status, "malformed_request")
        assert.strictEqual(response.headers.get("connection"), "close")
      })
    )
  }
})

layer(stubServer())("a body that goes wrong after the response", (it) => {
  const start = head("POST", "/nothing", { "Transfer-Encoding": "chunked" })
  for (const [name, pieces] of [
    ["at once", [`${start}zz\r\n`]],
    ["later", [start, "zz\r\n"]]
  ] as const) {
    it.effect(`${name}: gets one response only`, () =>
      Effect.gen(function* () {
        const { port } = yield* Stub
        refusal(yield* untilClosed(port, ...pieces), 404, "route_not_found")
      })
    )
  }
})

layer(stubServer())("unusual requests that are valid HTTP", (it) => {
  for (const [name, bytes] of [
    ["HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n"],
    ["HTTP/1.0 that expects something, which it cannot", "GET /healthz HTTP/1.0\r\nExpect: foo\r\n\r\n"],
    ["the whole URL as target", head("GET", "http://shop.example/healthz")],
    ["an offer to speak WebSocket", head("GET", "/healthz", { Connection: "Upgrade", Upgrade: "websocket" })],
    ["an offer to speak HTTP/2", head("GET", "/healthz", { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c" })]
  ] as const) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { port } = yield* Stub
        const { status, body, headers } = yield* exchange(port, bytes)
        assert.strictEqual(status, 200, body)
        assert.match(headers.get("request-id") ?? "", /^req_/)
      })
    )
  }

  for (const [name, bytes] of [
    ["an asterisk", head("OPTIONS", "*")],
    ["a target of another scheme", head("GET", "ftp://shop.example/healthz")],
    ["a URL without a host", head("GET", "http://")]
  ] as const) {
    it.effect(`${name}: nothing is there`, () =>
      Effect.gen(function* () {
        const { port } = yield* Stub
        refusal(yield* exchange(port, bytes), 404, "route_not_found")
      })
    )
  }

  for (const [name, headers, body] of [
    ["with a length", sized, order],
    ["in chunks", { ...posting, "Transfer-Encoding": "chunked" }, inOneChunk]
  ] as const) {
    it.effect(`an order ${name} and an offer to speak HTTP/2: taken, and nothing after it on that connection`, () =>
      Effect.gen(function* () {
        const { port, arrivals } = yield* Stub
        const before = arrivals.length
        const offer = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABkAAQAAP__" }
        const response = yield* untilClosed(port, `${head("POST", ORDERS, { ...headers, ...offer })}${body}${HEALTHZ}`)
        assert.strictEqual(response.status, 201, response.body)
        assert.strictEqual(response.headers.get("connection"), "close")
        assert.strictEqual(arrivals.length, before + 1)
      })
    )
  }

  it.effect("a refused request and one after it", () =>
    Effect.gen(function* () {
      const { port } = yield* Stub
      const refused = head("POST", ORDERS, { ...posting, "Content-Length": "3" })
      const responses = yield* responsesTo(port, 3, refused, "{,}", head("GET", "/nothing"), HEALTHZ)
      assert.deepStrictEqual(
        responses.map(({ status }) => status),
        [400, 404, 200]
      )
    })
  )
})

describe("a pending response", () => {
  for (const [name, next, status] of [
    ["bytes that are not HTTP", GARBAGE, 400],
    ["a request for a tunnel", CONNECT, 400],
    ["an unmet expectation", head("GET", "/healthz", { Expect: "foo" }), 417],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["an offer to speak HTTP/2", head("GET", "/healthz", { Connection: "Upgrade", Upgrade: "h2c" }), 200]
  ] as const) {
    it.effect(`is not overtaken by the response to ${name}`, () =>
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        const leave = yield* Deferred.make<void>()
        const created = JsonResponse.fromBody(201, { ok: true })
        const behave = () =>
          Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(leave)), Effect.as(created))
        const responses = yield* Effect.gen(function* () {
          const { port } = yield* Stub
          const sent = yield* Effect.forkChild(responsesTo(port, 2, `${head("POST", ORDERS, sized)}${order}${next}`))
          yield* Deferred.await(arrived)
          yield* Deferred.succeed(leave, undefined)
          return yield* Fiber.join(sent)
        }).pipe(Effect.provide(stubServer({ behave })))
        assert.deepStrictEqual(
          responses.map((response) => response.status),
          [201, status]
        )
        assert.match(responses[1]?.headers.get("request-id") ?? "", /^req_/)
      })
    )
  }
})

describe("a server without a router", () => {
  for (const [name, bytes] of [
    ["a look", HEALTHZ],
    ["an order", `${head("POST", ORDERS, sized)}${order}`],
    ["an order that waits for leave", head("POST", ORDERS, { ...sized, Expect: "100-continue" })],
    ["an offer to speak WebSocket", head("GET", "/healthz", { Connection: "Upgrade", Upgrade: "websocket" })]
  ] as const) {
    it.effect(`responds to ${name} with 503`, () =>
      Effect.gen(function* () {
        const { port } = yield* serverAddress
        const response = yield* exchange(port, bytes)
        refusal(response, 503, "store_unavailable")
        assert.strictEqual(response.headers.get("retry-after"), "1")
      }).pipe(Effect.provide(Layer.fresh(HttpTransport.layer({ host: "127.0.0.1", port: 0, connectionsMax: 100 }))))
    )
  }
})
