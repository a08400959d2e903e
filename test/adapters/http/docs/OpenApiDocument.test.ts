// The OpenAPI 3.1 document passes Redocly's recommended rules and matches the API definition; the pages made from it load nothing from
// other hosts.
import { assert, describe, it, layer } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { errorCodes, statusesOf } from "#adapters/contract/errors/ErrorCode.ts"
import { SIGNATURE_RULE } from "#adapters/contract/shared/ServiceDescription.ts"
import { Api } from "#adapters/http/api/Api.ts"
import { openApiDocument } from "#adapters/http/docs/OpenApiDocument.ts"
import manifest from "../../../../package.json" with { type: "json" }
import { Stub, stubServer } from "../server/StubServer.ts"

const SHOP = "https://links.shop.example"
const document = openApiDocument({
  publicUrl: SHOP,
  oauth: { authorizationUrl: `${SHOP}/oauth/authorize`, tokenUrl: `${SHOP}/oauth/token` },
  supportContact: "help@shop.example"
})
const text = JSON.stringify(document)

interface Shown {
  readonly operationId: string
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly requestBody?: { readonly required: boolean }
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema: object }>
  readonly responses: Record<
    string,
    { readonly headers: object; readonly content: Record<string, { readonly schema: unknown }> }
  >
}
const paths: Record<string, Record<string, Shown>> = JSON.parse(text).paths
type Narrowed = { readonly properties: { readonly code: { readonly enum: ReadonlyArray<string> } } }
const schemas: Record<string, { readonly allOf: readonly [object, Narrowed] }> = JSON.parse(text).components.schemas
const [GET, POST] = ["get", "post"]

describe("the OpenAPI document", () => {
  it("has the version of the package", () => {
    assert.strictEqual(JSON.parse(text).info.version, manifest.version)
  })

  it("has no errors and no warnings", async () => {
    const config = await createConfig({ extends: ["recommended-strict", "spec"] })
    const problems = await lintFromString({ source: text, config })
    assert.deepStrictEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      []
    )
  })

  it("is checked by rules that find faults", async () => {
    const config = await createConfig({ extends: ["recommended"] })
    const broken = JSON.stringify({ ...document, servers: [], tags: [{ name: "Orders" }] })
    assert.isNotEmpty(await lintFromString({ source: broken, config }))
  })

  it("shows every endpoint of the definition", () => {
    const defined: Array<string> = []
    HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => defined.push(endpoint.identifier) })
    const shown = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    assert.sameMembers(shown, defined)
  })

  it("says for each operation which key or token it takes, and with which scope", () => {
    const { components, security } = JSON.parse(text)
    assert.sameMembers(Object.keys(components.securitySchemes), ["apiKey", "oauth"])
    assert.deepStrictEqual(security, [{ apiKey: [] }])
    const needs = (path: string, method: string) => paths[`/api/v1/agent${path}`]?.[method]?.security
    assert.deepStrictEqual(needs("/balance", GET), [{ apiKey: [] }, { oauth: ["read"] }])
    assert.deepStrictEqual(needs("/orders", POST), [{ apiKey: [] }, { oauth: ["order"] }])
    const known = Object.keys(components.securitySchemes.oauth.flows.authorizationCode.scopes)
    for (const item of Object.values(paths)) {
      for (const { operationId, security: asked } of Object.values(item)) {
        assert.include(known, asked?.[1]?.["oauth"]?.[0], operationId)
      }
    }
  })

  it("knows no tokens where the service connects no assistants", () => {
    const plain = JSON.stringify(openApiDocument({ publicUrl: SHOP, oauth: null, supportContact: null }))
    assert.notInclude(plain, "oauth2")
    assert.deepStrictEqual(Object.keys(JSON.parse(plain).components.securitySchemes), ["apiKey"])
  })

  it.each([
    ["help@shop.example", { email: "help@shop.example" }],
    ["https://shop.example/help", { url: "https://shop.example/help" }],
    ["the help desk", { name: "the help desk", url: SHOP }],
    [null, { url: SHOP }]
  ])("names %s as its contact", (supportContact, contact) => {
    const { info } = JSON.parse(JSON.stringify(openApiDocument({ publicUrl: SHOP, oauth: null, supportContact })))
    assert.deepStrictEqual(info.contact, contact)
  })

  it("names no schema like a type of JavaScript or of browsers", () => {
    // What a generated client would shadow.
    const taken = [
      "Error",
      "Event",
      "Link",
      "Warning",
      "Order",
      "Request",
      "Response",
      "Headers",
      "Record",
      "Map",
      "Set"
    ]
    const names = Object.keys(JSON.parse(text).components.schemas)
    assert.deepStrictEqual(
      names.filter((name) => taken.includes(name) || name in globalThis),
      []
    )
  })

  it("lets a body be left out where all of its members may be", () => {
    const bodies = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, requestBody }) =>
        requestBody === undefined ? [] : [[operationId, requestBody.required] as const]
      )
    )
    assert.deepStrictEqual(Object.fromEntries(bodies), {
      createOrder: true,
      cancelOrder: false,
      changeLink: true,
      createWebhook: true,
      replayWebhook: true,
      changeWebhook: true,
      declineSandboxQuote: false,
      advanceSandboxOrder: true
    })
  })

  it("shows numbers of the query as numbers, and the idempotency header", () => {
    const { parameters = [] } = paths["/api/v1/agent/catalog"]?.[GET] ?? {}
    assert.deepInclude(parameters.find(({ name }) => name === "limit")?.schema, {
      type: "integer",
      minimum: 1,
      maximum: 50
    })
    const order = paths["/api/v1/agent/orders"]?.[POST]
    assert.deepInclude(order?.parameters[0], { name: "Idempotency-Key", in: "header" })
    assert.containsAllKeys(order?.responses["201"]?.headers, ["Request-Id", "RateLimit", "Idempotent-Replayed"])
  })

  it("gives headers examples of their own type", () => {
    const headers: Record<string, { schema: { type: string }; example: unknown }> = JSON.parse(text).components.headers
    assert.strictEqual(headers["Retry-After"]?.schema.type, "integer")
    for (const [name, { schema, example }] of Object.entries(headers)) {
      assert.strictEqual(typeof example, schema.type === "integer" ? "number" : schema.type, name)
    }
  })

  it("names for each status exactly its codes", () => {
    for (const item of Object.values(paths)) {
      for (const { responses } of Object.values(item)) {
        for (const [status, { content }] of Object.entries(responses)) {
          if (status === "default" || Number(status) < 400) continue
          const names = [...JSON.stringify(content).matchAll(/"\$ref":"#\/components\/schemas\/(\w+Refusal)"/g)]
          const codes = names.flatMap(([, name = ""]) => schemas[name]?.allOf[1]?.properties.code.enum ?? [])
          assert.strictEqual(codes.length, Math.max(1, names.length))
          for (const code of codes) {
            const known = errorCodes.find((one) => one === code)
            assert.include(known === undefined ? [] : statusesOf(known), Number(status), code)
          }
        }
      }
    }
  })
})

const read = (path: string) =>
  Effect.gen(function* () {
    const { url } = yield* Stub
    const response = yield* Effect.promise(() => fetch(`${url}${path}`))
    assert.strictEqual(response.status, 200)
    return { type: response.headers.get("content-type") ?? "", text: yield* Effect.promise(() => response.text()) }
  })

/** Examples name routes with ids in them. */
const withoutExamples = (text: string): string =>
  text.startsWith("{") ? JSON.stringify(JSON.parse(text), (key, value) => (key === "examples" ? {} : value)) : text

layer(stubServer())("the pages made from it", (it) => {
  it.effect("/openapi.json is the document as JSON, of OpenAPI 3.1", () =>
    Effect.gen(function* () {
      const { type, text } = yield* read("/openapi.json")
      assert.strictEqual(type, "application/json; charset=utf-8")
      assert.strictEqual(JSON.parse(text).openapi, "3.1.0")
      assert.deepStrictEqual(JSON.parse(text).servers, [{ url: "http://127.0.0.1", description: "This service" }])
    })
  )

  it.effect("/docs loads nothing from other hosts", () =>
    Effect.gen(function* () {
      const { type, text } = yield* read("/docs")
      assert.match(type, /^text\/html/)
      assert.include(text, "createOrder")
      const [before = ""] = text.split("<script>")
      assert.notMatch(text, /<(?:script|link|img|iframe)[^>]+(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i)
      assert.notMatch(before, /@import|url\(\s*["']?(?:https?:)?\/\//i)
    })
  )

  for (const page of ["/openapi.json", "/llms.txt"]) {
    it.effect(`${page} names routes that can be called as written`, () =>
      Effect.gen(function* () {
        const named = withoutExamples((yield* read(page)).text).matchAll(/\b(GET|POST|DELETE) (\/[\w/{}.-]*)(…?)/g)
        const routes = [...named].map(([, method = "", path = "", andMore = ""]) => ({ method, path, andMore }))
        assert.isAbove(routes.length, 10)
        for (const { method, path, andMore } of routes) {
          const meant = Object.keys(paths).filter((one) => (andMore === "" ? one === path : one.startsWith(path)))
          assert.isTrue(
            meant.some((one) => method.toLowerCase() in (paths[one] ?? {})),
            `${method} ${path}${andMore}`
          )
        }
      })
    )
  }

  it.effect("/llms.txt suffices to verify a webhook", () =>
    Effect.gen(function* () {
      const { text } = yield* read("/llms.txt")
      assert.match(text, /Service-Signature: t=<unix>,v1=<hex>/)
      assert.include(text, SIGNATURE_RULE)
      for (const step of [
        /lowercase hex SHA-256.* as text: these 64 characters/,
        /HMAC-SHA256 of `<t>\.<raw body>`/,
        / 300 seconds/
      ])
        assert.match(SIGNATURE_RULE, step)
    })
  )

  it.effect("/llms.txt lists every route, scope and error", () =>
    Effect.gen(function* () {
      const { type, text } = yield* read("/llms.txt")
      assert.match(type, /^text\/plain/)
      assert.match(text, /^# .+\n\n> .+/)
      for (const path of ["/openapi.json", "/docs", "/mcp"]) assert.include(text, `](http://127.0.0.1${path}): `)
      for (const [path, item] of Object.entries(paths)) {
        for (const method of Object.keys(item)) assert.include(text, `\`${method.toUpperCase()} ${path}\` (`)
      }
      for (const code of errorCodes) assert.include(text, `\n- \`${code}\` (${statusesOf(code).join(", ")}): `)
    })
  )
})
