// `/docs`: the API reference as one page with its script and style, so that it works offline. Rendered and compressed once.
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"
import { Api } from "./api/Api.ts"
import type { openApiDocument } from "./OpenApiDocument.ts"

const PATH = "/docs"
const TYPE = "text/html; charset=utf-8"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64")

/** The page's own scripts, by their digests. Its style sets attributes while it runs, and its icons are data. */
const securityPolicy = (page: string): string => {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => `'sha256-${sha256(text)}'`)
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

const acceptsGzip = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers["accept-encoding"] ?? "")

/** Without an icon of its own, a browser asks for `/favicon.ico`, which is no route. */
const withoutIcon = (page: string): string => page.replace("<head>", '<head><link rel="icon" href="data:,">')

const compress = (text: string) => Effect.promise(() => promisify(gzip)(text))

/** The page that the library renders, as text. */
const render = (document: ReturnType<typeof openApiDocument>) =>
  Effect.gen(function* () {
    const router = yield* HttpRouter.make
    yield* Layer.build(
      HttpApiSwagger.layer(
        Api.annotate(OpenApi.Transform, () => document),
        { path: PATH }
      ).pipe(Layer.provide(Layer.succeed(HttpRouter.HttpRouter, router)))
    )
    const request = HttpServerRequest.fromWeb(new Request(`http://localhost${PATH}`))
    const response = yield* Effect.provideService(router.asHttpEffect(), HttpServerRequest.HttpServerRequest, request)
    return withoutIcon(yield* Effect.promise(() => HttpServerResponse.toWeb(response).text()))
  }).pipe(Effect.scoped, Effect.orDie)

export const layer = (document: ReturnType<typeof openApiDocument>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      const page = yield* render(document)
      const plain = new TextEncoder().encode(page)
      const compressed = yield* compress(page)
      const etag = `W/"${sha256(page)}"`
      const headers = {
        etag,
        "cache-control": "public, max-age=3600",
        vary: "accept-encoding",
        "content-security-policy": securityPolicy(page),
        "referrer-policy": "no-referrer"
      }
      const unchanged = HttpServerResponse.empty({ status: 304, headers })
      const whole = HttpServerResponse.uint8Array(plain, { headers, contentType: TYPE })
      const small = HttpServerResponse.uint8Array(compressed, {
        headers: { ...headers, "content-encoding": "gzip" },
        contentType: TYPE
      })
      yield* router.add(
        "GET",
        PATH,
        Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
          if (request.headers["if-none-match"]?.includes(etag) === true) return unchanged
          return acceptsGzip(request) ? small : whole
        })
      )
    })
  )
