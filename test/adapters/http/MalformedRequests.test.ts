// What no router ever sees is answered like everything else: in the envelope, with a Request-Id, in the order of the requests.
// And what looks unusual but is HTTP all the same is answered as if it did not.
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import * as HttpTransport from "#adapters/http/HttpTransport.ts"
import { serverAddress } from "#test/scenarios/RunningService.ts"
import { answersTo, exchange, head, type RawAnswer, untilClosed } from "./RawHttp.ts"
import { keys, Stub, stubServer } from "./StubServer.ts"

const refusal = (answer: RawAnswer | undefined, status: number, code: string) => {
  assert.strictEqual(answer?.status, status, answer?.body)
  const body = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(answer?.body ?? ""))
  assert.strictEqual(body.error.code, code)
  assert.strictEqual(body.error.status, status)
  assert.match(body.request_id, /^req_[0-9a-f]{32}$/)
  assert.strictEqual(answer?.headers.get("request-id"), body.request_id)
  assert.strictEqual(answer?.headers.get("content-type"), "application/json")
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

layer(stubServer())("requests of which Node would dispose by itself", (it) => {
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
    it.effect(`${name}: the server hangs up, whatever the client does`, () =>
      Effect.gen(function* () {
        const { port } = yield* Stub
        const answer = yield* untilClosed(port, bytes)
        refusal(answer, status, "malformed_request")
        assert.strictEqual(answer.headers.get("connection"), "close")
      })
    )
  }
})

layer(stubServer())("a body that goes wrong after the answer", (it) => {
  const start = head("POST", "/nothing", { "Transfer-Encoding": "chunked" })
  for (const [name, pieces] of [
    ["at once", [`${start}zz\r\n`]],
    ["later", [start, "zz\r\n"]]
  ] as const) {
    it.effect(`${name}: is not answered twice`, () =>
      Effect.gen(function* () {
        const { port } = yield* Stub
        refusal(yield* untilClosed(port, ...pieces), 404, "route_not_found")
      })
    )
  }
})

layer(stubServer())("requests that are HTTP all the same", (it) => {
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
        const answer = yield* untilClosed(port, `${head("POST", ORDERS, { ...headers, ...offer })}${body}${HEALTHZ}`)
        assert.strictEqual(answer.status, 201, answer.body)
        assert.strictEqual(answer.headers.get("connection"), "close")
        assert.strictEqual(arrivals.length, before + 1)
      })
    )
  }

  it.effect("a refused request and one after it", () =>
    Effect.gen(function* () {
      const { port } = yield* Stub
      const refused = head("POST", ORDERS, { ...posting, "Content-Length": "3" })
      const answers = yield* answersTo(port, 3, refused, "{,}", head("GET", "/nothing"), HEALTHZ)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [400, 404, 200]
      )
    })
  )
})

describe("an answer that is still owed", () => {
  for (const [name, next, status] of [
    ["bytes that are not HTTP", GARBAGE, 400],
    ["a request for a tunnel", CONNECT, 400],
    ["an unmet expectation", head("GET", "/healthz", { Expect: "foo" }), 417],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["an offer to speak HTTP/2", head("GET", "/healthz", { Connection: "Upgrade", Upgrade: "h2c" }), 200]
  ] as const) {
    it.effect(`is not overtaken by that to ${name}`, () =>
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        const leave = yield* Deferred.make<void>()
        const created = HttpServerResponse.jsonUnsafe({ ok: true }, { status: 201 })
        const behave = () =>
          Deferred.succeed(arrived, undefined).pipe(Effect.andThen(Deferred.await(leave)), Effect.as(created))
        const answers = yield* Effect.gen(function* () {
          const { port } = yield* Stub
          const sent = yield* Effect.forkChild(answersTo(port, 2, `${head("POST", ORDERS, sized)}${order}${next}`))
          yield* Deferred.await(arrived)
          yield* Deferred.succeed(leave, undefined)
          return yield* Fiber.join(sent)
        }).pipe(Effect.provide(stubServer({ behave })))
        assert.deepStrictEqual(
          answers.map((answer) => answer.status),
          [201, status]
        )
        assert.match(answers[1]?.headers.get("request-id") ?? "", /^req_/)
      })
    )
  }
})

describe("a server that nobody listens to", () => {
  for (const [name, bytes] of [
    ["a look", HEALTHZ],
    ["an order", `${head("POST", ORDERS, sized)}${order}`],
    ["an order that waits for leave", head("POST", ORDERS, { ...sized, Expect: "100-continue" })],
    ["an offer to speak WebSocket", head("GET", "/healthz", { Connection: "Upgrade", Upgrade: "websocket" })]
  ] as const) {
    it.effect(`answers ${name} that it is not there yet`, () =>
      Effect.gen(function* () {
        const { port } = yield* serverAddress
        const answer = yield* exchange(port, bytes)
        refusal(answer, 503, "store_unavailable")
        assert.strictEqual(answer.headers.get("retry-after"), "1")
      }).pipe(Effect.provide(Layer.fresh(HttpTransport.layer({ host: "127.0.0.1", port: 0 }))))
    )
  }
})
