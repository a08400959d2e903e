// Headers of every response, and the error bodies of 404, 405 and 500.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { exchange, head } from "./RawHttp.ts"
import { keys, Stub, stubServer } from "./StubServer.ts"

const ask = (method: string, target: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(Stub, ({ port }) => exchange(port, head(method, target, headers)))

const bearer = { Authorization: `Bearer ${keys.full}` }

const SECRET = "SELECT secret FROM vault at 10.0.0.7"

const behave = ({ operation }: { readonly operation: string }) => {
  switch (operation) {
    case "getBalance":
      return Effect.die(new Error(SECRET))
    case "listWebhooks":
      return Effect.succeed({ ok: "not what the schema says" })
    default:
      return undefined
  }
}

layer(stubServer({ behave }))("router middleware", (it) => {
  const errorBody = (text: string) => Schema.decodeUnknownSync(ErrorBody)(JSON.parse(text))

  for (const target of [
    "/",
    "/api/v1/agent",
    "/api/v1/agent/nothing",
    "/api/v2/agent/catalog",
    "/API/v1/agent/catalog",
    "/%zz",
    "/api/v1/agent/orders/%zz",
    "/api/v1/agent/orders/%ED%A0%80"
  ]) {
    it.effect(`404 ${target}`, () =>
      Effect.gen(function* () {
        const { status, body, headers } = yield* ask("GET", target, bearer)
        assert.strictEqual(status, 404, body)
        assert.strictEqual(errorBody(body).error.code, "route_not_found")
        assert.strictEqual(errorBody(body).request_id, headers.get("request-id"))
        assert.strictEqual(headers.get("content-type"), "application/json")
      })
    )
  }

  for (const [method, target, allow] of [
    ["PUT", "/api/v1/agent/orders", "GET, HEAD, POST"],
    ["OPTIONS", "/api/v1/agent/orders", "GET, HEAD, POST"],
    ["PROPFIND", "/api/v1/agent/catalog?limit=1", "GET, HEAD"],
    ["POST", "/api/v1/agent/catalog/7", "GET, HEAD"],
    ["GET", "/api/v1/agent/webhooks/wh_1/replay", "POST"],
    ["POST", "/api/v1/agent/webhooks/wh_1", "DELETE, GET, HEAD, PATCH"],
    ["GET", "/api/v1/agent/quotes/q_1/abandon", "POST"],
    ["POST", "/healthz", "GET, HEAD"]
  ] as const) {
    it.effect(`405 ${method} ${target}, before the key is checked`, () =>
      Effect.gen(function* () {
        const { status, body, headers } = yield* ask(method, target)
        assert.strictEqual(status, 405, body)
        assert.strictEqual(headers.get("allow"), allow)
        assert.strictEqual(errorBody(body).error.code, "method_not_allowed")
      })
    )
  }

  it.effect("HEAD responds as GET would, and 405 where there is no GET", () =>
    Effect.gen(function* () {
      const { url } = yield* Stub
      const read = yield* Effect.promise(() =>
        fetch(`${url}/api/v1/agent/catalog`, { method: "HEAD", headers: bearer })
      )
      assert.strictEqual(read.status, 200)
      const order = yield* Effect.promise(() =>
        fetch(`${url}/api/v1/agent/quotes/q_1/abandon`, { method: "HEAD", headers: bearer })
      )
      assert.strictEqual(order.status, 405)
      assert.strictEqual(order.headers.get("allow"), "POST")
    })
  )

  it.effect("a request id sent by the client is ignored", () =>
    Effect.gen(function* () {
      const { headers } = yield* ask("GET", "/api/v1/agent/catalog", { ...bearer, "Request-Id": "req_mine" })
      assert.match(headers.get("request-id") ?? "", /^req_[0-9a-f]{32}$/)
    })
  )

  it.effect("a defect is 500, logged once with its cause and never shown", () =>
    Effect.gen(function* () {
      const { logs } = yield* Stub
      const before = logs.length
      const { status, body, headers } = yield* ask("GET", "/api/v1/agent/balance", bearer)
      assert.strictEqual(status, 500)
      assert.strictEqual(errorBody(body).error.code, "internal_error")
      assert.isFalse(body.includes("SELECT"))
      assert.isNotNull(headers.get("request-id"))
      const fresh = logs.slice(before)
      assert.strictEqual(fresh.length, 1)
      assert.include(fresh[0], SECRET)
    })
  )

  it.effect("a response that does not match its schema is 500", () =>
    Effect.gen(function* () {
      const { status, body } = yield* ask("GET", "/api/v1/agent/webhooks", bearer)
      assert.strictEqual(status, 500)
      assert.strictEqual(errorBody(body).error.code, "internal_error")
    })
  )

  for (const [name, bytes, expected] of [
    ["bytes that are not HTTP", "what is this\r\n\r\n", 400],
    ["a URL longer than any", `GET /${"a".repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400
    ]
  ] as const) {
    it.effect(`${name}: an error body as well`, () =>
      Effect.gen(function* () {
        const { port } = yield* Stub
        const { status, body, headers } = yield* exchange(port, bytes)
        assert.strictEqual(status, expected)
        assert.strictEqual(errorBody(body).error.code, "malformed_request")
        assert.strictEqual(errorBody(body).request_id, headers.get("request-id"))
      })
    )
  }

  it.effect("a long path and a long query are refused, not dropped", () =>
    Effect.gen(function* () {
      const path = yield* ask("GET", `/api/v1/agent/orders/${"a".repeat(3_000)}`, bearer)
      assert.strictEqual(path.status, 404)
      const query = yield* ask("GET", `/api/v1/agent/catalog?niche=${"a".repeat(3_000)}`, bearer)
      assert.strictEqual(query.status, 422)
      assert.isBelow(query.body.length, 1_000, "the input is not repeated")
    })
  )
})

describe("system routes", () => {
  it.effect("health, readiness, and lost readiness", () =>
    Effect.gen(function* () {
      const alive = yield* ask("GET", "/healthz")
      assert.deepStrictEqual(JSON.parse(alive.body), { ok: true, status: "alive" })
      const { status, body, headers } = yield* ask("GET", "/readyz")
      assert.strictEqual(status, 503)
      assert.strictEqual(JSON.parse(body).error.code, "store_unavailable")
      assert.strictEqual(headers.get("retry-after"), "5")
      assert.isFalse(body.includes(SECRET))
    }).pipe(Effect.provide(stubServer({ ready: Effect.fail(new Error(SECRET)) })))
  )

  it.effect("/readyz is 200 once the service is ready", () =>
    Effect.gen(function* () {
      const { status, body } = yield* ask("GET", "/readyz")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(JSON.parse(body), { ok: true, status: "ready" })
    }).pipe(Effect.provide(stubServer()))
  )
})
