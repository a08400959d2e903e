// Errors for query parameters: enough to correct them without the documentation.
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { exchange, head } from "../server/RawHttp.ts"
import { keys, Stub, stubServer } from "../server/StubServer.ts"

const CATALOG = "/api/v1/agent/catalog"

const readErrorBody = Schema.decodeUnknownSync(Schema.fromJsonString(ErrorBody))

const faultsOf = Effect.fnUntraced(function* (target: string) {
  const { port } = yield* Stub
  const { status, body } = yield* exchange(port, head("GET", target, { Authorization: `Bearer ${keys.full}` }))
  assert.strictEqual(status, 422, body)
  return readErrorBody(body).error.errors ?? []
})

layer(stubServer())("parameters", (it) => {
  for (const [target, path] of [
    [`${CATALOG}?sort=id&sort=price`, "sort"],
    [`${CATALOG}?link_rel=nofollow&link_rel=follow`, "link_rel"],
    [`${CATALOG}?query=a&query=b`, "query"],
    [`${CATALOG}?limit=1&limit=2`, "limit"],
    ["/api/v1/agent/orders?status=paid&status=paid", "status"]
  ] as const) {
    it.effect(`given twice are reported as such: ${target}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* faultsOf(target), [{ path, message: "Must be given once." }])
      })
    )
  }

  it.effect("with a fixed choice are reported with the allowed values", () =>
    Effect.gen(function* () {
      const message = 'Must be "Plancton" | "Corail" | "Nautilus"'
      assert.deepStrictEqual(yield* faultsOf(`${CATALOG}?shelf=coral`), [{ path: "shelf", message }])
      assert.deepStrictEqual(yield* faultsOf(`${CATALOG}?shelf=Corail&shelf=coral`), [{ path: "shelf", message }])
      assert.deepStrictEqual(yield* faultsOf(`${CATALOG}?shelf=Corail,,Plancton`), [{ path: "shelf", message }])
    })
  )

  it.effect("with several values take each once more or, where no value has a comma, one text with commas", () =>
    Effect.gen(function* () {
      const { port, arrivals } = yield* Stub
      const target = `${CATALOG}?niche=Arts,+Crafts&niche=Tea&language=fr,+en&language=de&shelf=Corail,Plancton`
      const { status, body } = yield* exchange(port, head("GET", target, { Authorization: `Bearer ${keys.full}` }))
      assert.strictEqual(status, 200, body)
      assert.deepInclude(arrivals.at(-1)?.request, {
        query: { niche: ["Arts, Crafts", "Tea"], language: ["fr", "en", "de"], shelf: ["Corail", "Plancton"] }
      })
    })
  )

  for (const [values, path] of [
    [times(21, (nth) => `niche=${nth}`).join("&"), "niche"],
    [`language=${times(21, () => "fr").join()}`, "language"],
    ["niche=a&niche=", "niche"],
    ["language=fr,", "language"]
  ] as const) {
    it.effect(`with too many or empty values are refused: ${values.slice(0, 30)}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          (yield* faultsOf(`${CATALOG}?${values}`)).map((fault) => fault.path),
          [path]
        )
      })
    )
  }

  for (const query of ["min_dr=10", "min_dr=10&min_dr=20"]) {
    it.effect(`that are unknown are reported with what is allowed: ${query}`, () =>
      Effect.gen(function* () {
        const [{ path, message } = { path: "", message: "" }] = yield* faultsOf(`${CATALOG}?${query}`)
        assert.strictEqual(path, "min_dr")
        assert.match(message, /Allowed: niche, shelf, query, language, link_rel, not_linking_to, min_tf/)
      })
    )
  }
})
