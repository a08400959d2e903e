// Keys in URLs and paths of payment pages never reach a span, nor the log of the manual's proxy. Checked on the spans of real requests.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Tracer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import * as UrlRedaction from "#adapters/http/server/UrlRedaction.ts"
import { mcpRoutes } from "#adapters/mcp/McpRoute.ts"
import { oauthRoutes } from "#adapters/oauth/OAuthRoutes.ts"
import { paymentRoutes } from "#adapters/web/payment/PaymentRoutes.ts"
import { webRoutes } from "#adapters/web/WebPages.ts"
import { blocksOf } from "#test/adapters/ReadmeBlocks.ts"

const CANARY = "canary0canary"

const serve = (spans: Array<Tracer.Span>) => {
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const app = HttpRouter.add("GET", "*", HttpServerResponse.text("ok"))
  return HttpRouter.serve(app, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(UrlRedaction.layer),
    Layer.provide(Layer.succeed(Tracer.Tracer, tracer)),
    Layer.provideMerge(NodeHttpServer.layerTest)
  )
}

for (const name of [
  "key",
  "KEY",
  "api_key",
  "token",
  "access_token",
  "refresh_token",
  "code",
  "code_verifier",
  "state",
  "sig"
]) {
  it.effect(`?${name}= is redacted, other parameters stay`, () => {
    const spans: Array<Tracer.Span> = []
    return Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const port = address._tag === "UnixPathAddress" ? 0 : address.port
      yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/api/v1/agent/catalog?${name}=${CANARY}&a=seen`))
      const attributes = spans.flatMap((span) => [...span.attributes.values()].map(String)).join("\n")
      assert.include(attributes, "a=seen")
      assert.notInclude(attributes, CANARY)
    }).pipe(Effect.provide(serve(spans)))
  })
}

for (const path of [
  `/pay/${CANARY}`,
  `//PAY/${CANARY}/pay`,
  `/account/sign-in?token=${CANARY}`,
  `/%61ccount/orders?text=${CANARY}`,
  `/oauth/authorize?state=${CANARY}`,
  `/mcp?k%65y=${CANARY}`,
  `/Mcp?apikey=${CANARY}`,
  `/api/v1/agent/quotes/sn_live_${CANARY}`,
  `/%70ay/${CANARY}`,
  `/%2570%61y/${CANARY}`,
  `/%25%37%30ay/${CANARY}`,
  `/%2Fpay/${CANARY}`,
  `/m%63p?x=${CANARY}`,
  `/api/v1/agent/quotes/sn%5Flive_${CANARY}`,
  `/api/v1/agent/catalog?query=sn%5f%6Cive%255F${CANARY}`
]) {
  it.effect(`${path.replace(CANARY, "…")} leaves no server span`, () => {
    const spans: Array<Tracer.Span> = []
    return Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const port = address._tag === "UnixPathAddress" ? 0 : address.port
      const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}${path}`))
      assert.strictEqual(response.status, 200)
      assert.deepStrictEqual(
        spans.filter(({ kind }) => kind === "server"),
        []
      )
    }).pipe(Effect.provide(serve(spans)))
  })
}

const proxy = blocksOf("adapters/app/README.md", "TLS in front", "nginx").join("\n")

/** What nginx compares with the path, which it has decoded, without the query. */
const unlogged = [...proxy.matchAll(/location ~\* (\S+) \{ access_log off; error_log \S+ crit;/g)].map(
  ([, pattern = ""]) => new RegExp(pattern, "i")
)

it("the manual's proxy logs no address that may have a token", () => {
  const served = [...webRoutes, ...paymentRoutes, ...oauthRoutes({ registration: true }), ...mcpRoutes]
  const secret = served.map(({ path }) => path).filter((path) => UrlRedaction.isSecret({ url: path }))
  for (const path of ["/account/sign-in", "/account/top-up/:token", "/pay/:token", "/oauth/authorize", "/mcp"])
    assert.include(secret, path)
  assert.deepStrictEqual(
    secret.filter((path) => !unlogged.some((pattern) => pattern.test(path))),
    []
  )
  assert.isFalse(unlogged.some((pattern) => pattern.test("/api/v1/agent/orders")))
})
