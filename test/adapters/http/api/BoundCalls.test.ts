// Everything that is posted or patched takes an `Idempotency-Key`: generated from the API definition, so that no new route forgets it.
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { Api } from "#adapters/http/api/Api.ts"
import { openApiDocument } from "#adapters/http/docs/OpenApiDocument.ts"
import { bodies, keys, Stub, stubServer } from "../server/StubServer.ts"

const all: ReadonlyArray<HttpApiEndpoint.Top> = (() => {
  const found: Array<HttpApiEndpoint.Top> = []
  HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => void found.push(endpoint) })
  return found
})()

const writing = all.filter(({ method }) => method !== "GET")
const bound = writing.filter(({ method, identifier }) => method !== "DELETE" && identifier !== "createOrder")
const nameOf = ({ method, path }: HttpApiEndpoint.Top) => `${method} ${path}`

const send = Effect.fnUntraced(function* (
  endpoint: HttpApiEndpoint.Top,
  {
    key,
    id = "1",
    body = bodies[endpoint.identifier]
  }: { readonly key: string; readonly id?: string; readonly body?: unknown }
) {
  const { url, arrivals } = yield* Stub
  const before = arrivals.length
  const response = yield* Effect.promise(() =>
    fetch(`${url}${endpoint.path.replace(/:\w+/g, id)}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${keys.full}`,
        "idempotency-key": key,
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  const text = yield* Effect.promise(() => response.text())
  const replayed = response.headers.get("idempotent-replayed")
  return { status: response.status, replayed, text, runs: arrivals.length - before }
})

const codeOf = (text: string) => Schema.decodeUnknownSync(Schema.fromJsonString(ErrorBody))(text).error.code

const document = JSON.parse(
  JSON.stringify(openApiDocument({ publicUrl: "http://127.0.0.1", oauth: null, supportContact: null }))
)

const operationOf = ({ method, path }: HttpApiEndpoint.Top) =>
  document.paths[path.replace(/:(\w+)/g, "{$1}")][method.toLowerCase()]

layer(stubServer())("an idempotency key", (it) => {
  it("is for more than orders", () => {
    assert.isAbove(bound.length, 9)
  })

  for (const endpoint of bound) {
    const name = nameOf(endpoint)

    it.effect(`${name}: the same request runs once, and is answered alike`, () =>
      Effect.gen(function* () {
        const key = `once-${endpoint.identifier}`
        const first = yield* send(endpoint, { key })
        assert.isBelow(first.status, 300, first.text)
        assert.deepStrictEqual([first.runs, first.replayed], [1, null])
        const again = yield* send(endpoint, { key })
        assert.deepStrictEqual(again, { ...first, runs: 0, replayed: "true" })
        // Bound to the path, too.
        const elsewhere = yield* send(endpoint, { key, id: "2" })
        assert.strictEqual(elsewhere.runs, endpoint.path.includes(":") ? 1 : 0)
        assert.strictEqual((yield* send(endpoint, { key: `${key}-2` })).runs, 1)
      })
    )

    it.effect(`${name}: a malformed key is refused before it runs`, () =>
      Effect.gen(function* () {
        for (const key of ["a b", "k".repeat(256)]) {
          const { status, text, runs } = yield* send(endpoint, { key })
          assert.deepStrictEqual([status, codeOf(text), runs], [400, "invalid_idempotency_key", 0])
        }
      })
    )

    it(`${name}: the document has its header, and says what becomes of it`, () => {
      const { parameters, responses } = operationOf(endpoint)
      assert.include(
        parameters.map(({ name }: { readonly name: string }) => name),
        "Idempotency-Key"
      )
      const codes = JSON.stringify(responses)
      for (const code of ["invalid_idempotency_key", "idempotency_key_reused"]) assert.include(codes, code)
      const success = Object.keys(responses).find((status) => status.startsWith("2")) ?? ""
      assert.property(responses[success].headers, "Idempotent-Replayed")
    })
  }

  it.effect("is refused with another body, and bound to none that was refused", () =>
    Effect.gen(function* () {
      const cancel = bound.find(({ identifier }) => identifier === "cancelOrder")
      if (cancel === undefined) return assert.fail("no cancelOrder")
      const wrong = yield* send(cancel, { key: "other", body: { only: "some" } })
      assert.deepStrictEqual([wrong.status, wrong.runs], [422, 0])
      assert.strictEqual((yield* send(cancel, { key: "other", body: { only: "cancellable" } })).runs, 1)
      for (const body of [{}, { only: "cancellable", link_ids: ["lnk_1"] }]) {
        const { status, text, runs } = yield* send(cancel, { key: "other", body })
        assert.deepStrictEqual([status, codeOf(text), runs], [422, "idempotency_key_reused", 0])
      }
      // A body that is left out, is empty or says `null` is one body.
      const bodies = [undefined, {}, { only: null, link_ids: null }]
      const runs = yield* Effect.forEach(bodies, (body) => send(cancel, { key: "empty", body }))
      assert.deepStrictEqual(
        runs.map(({ runs }) => runs),
        [1, 0, 0]
      )
    })
  )

  it.effect("is ignored on DELETE, whatever it says", () =>
    Effect.gen(function* () {
      const deleting = writing.filter(({ method }) => method === "DELETE")
      assert.isAbove(deleting.length, 0)
      for (const endpoint of deleting)
        for (const key of ["one", "one", "a b"]) {
          const { status, runs, replayed } = yield* send(endpoint, { key })
          assert.deepStrictEqual([status, runs, replayed], [200, 1, null])
        }
    })
  )
})
