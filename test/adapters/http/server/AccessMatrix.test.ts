// Every endpoint of the API definition refuses a credential before its handler runs. Generated, so that no new route is missed. The
// scenarios of access send every spelling of one to a whole service.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Option, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { RequiredScope } from "#adapters/http/api/Access.ts"
import { Api } from "#adapters/http/api/Api.ts"
import { bodies, keys, Stub, stubServer } from "./StubServer.ts"

interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly scope: "read" | "order"
}

const operations: ReadonlyArray<Operation> = (() => {
  const found: Array<Operation> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const scope = Option.getOrThrow(Context.getOption(endpoint.annotations, RequiredScope))
      found.push({ endpoint, scope })
    }
  })
  return found
})()

const queries: Readonly<Record<string, string>> = {
  findQuote: "?idempotency_key=k",
  requestTopUp: "?amount_eur=50"
}

const call = Effect.fnUntraced(function* ({ endpoint }: Operation, authorization: string | undefined) {
  const { url } = yield* Stub
  const path = endpoint.path.replace(/:\w+/g, "1")
  const body = bodies[endpoint.identifier]
  const response = yield* Effect.promise(() =>
    fetch(`${url}${path}${queries[endpoint.identifier] ?? ""}`, {
      method: endpoint.method,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, headers: response.headers, text }
})

const refused = Effect.fnUntraced(function* (
  operation: Operation,
  authorization: string | undefined,
  status: number,
  code: string
) {
  const { arrivals } = yield* Stub
  const before = arrivals.length
  const response = yield* call(operation, authorization)
  assert.strictEqual(response.status, status, response.text)
  const body = Schema.decodeUnknownSync(ErrorBody)(JSON.parse(response.text))
  assert.strictEqual(body.error.code, code)
  assert.strictEqual(body.request_id, response.headers.get("request-id"))
  assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer realm="/)
  assert.isFalse(response.text.includes("sn_"), "an error names a key")
  assert.strictEqual(arrivals.length, before, "the handler ran")
  return response
})

layer(stubServer())("access", (it) => {
  it("covers the routes every client needs", () => {
    const served = operations.map(({ endpoint, scope }) => `${endpoint.method} ${endpoint.path} ${scope}`)
    const seed = [
      "GET /catalog read",
      "GET /catalog/:id read",
      "GET /catalog/facets read",
      "GET /catalog/:id/articles read",
      "GET /balance read",
      "POST /orders order",
      "GET /orders read",
      "GET /orders/:id read",
      "GET /quotes/:id read",
      "GET /webhooks read",
      "POST /webhooks order",
      "DELETE /webhooks/:id order",
      "GET /ai-visibility/projects read",
      "GET /ai-visibility/projects/:id/plan read"
    ]
    assert.includeMembers(
      served,
      seed.map((route) => route.replace(" /", " /api/v1/agent/"))
    )
    assert.strictEqual(new Set(operations.map(({ endpoint }) => endpoint.identifier)).size, operations.length)
  })

  for (const operation of operations) {
    const { endpoint, scope } = operation
    const name = `${endpoint.method} ${endpoint.path}`

    it.effect(`${name}: no key`, () =>
      Effect.gen(function* () {
        const { headers } = yield* refused(operation, undefined, 401, "missing_api_key")
        assert.strictEqual(headers.get("www-authenticate"), 'Bearer realm="backlinks", scope="read"')
      })
    )

    it.effect(`${name}: unknown`, () => refused(operation, `Bearer ${keys.unknown}`, 401, "invalid_api_key"))

    it.effect(`${name}: revoked`, () => refused(operation, `Bearer ${keys.revoked}`, 401, "revoked_api_key"))

    it.effect(`${name}: without the scope`, () =>
      Effect.gen(function* () {
        const key = scope === "order" ? keys.readOnly : keys.orderOnly
        const { headers, text } = yield* refused(operation, `Bearer ${key}`, 403, "insufficient_scope")
        assert.strictEqual(
          headers.get("www-authenticate"),
          'Bearer realm="backlinks", error="insufficient_scope", scope="read order"'
        )
        assert.deepInclude(JSON.parse(text).error.details, { required: scope })
      })
    )

    it.effect(`${name}: with a key of exactly that scope`, () =>
      Effect.gen(function* () {
        const { arrivals } = yield* Stub
        const response = yield* call(operation, `bearer ${scope === "order" ? keys.orderOnly : keys.readOnly}`)
        assert.isBelow(response.status, 300, response.text)
        if (response.headers.get("content-type") === "application/json")
          assert.strictEqual(JSON.parse(response.text).ok, true)
        assert.strictEqual(arrivals.at(-1)?.operation, endpoint.identifier)
        assert.strictEqual(arrivals.at(-1)?.keyId, scope === "order" ? "key_order" : "key_read")
        assert.strictEqual(response.headers.get("cache-control"), "no-store")
        assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
        assert.match(response.headers.get("request-id") ?? "", /^req_[0-9a-f]{32}$/)
      })
    )
  }
})
