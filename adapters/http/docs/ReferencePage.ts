// `/docs`: the API reference as one page with its script and style, so that it works offline. Rendered and compressed
// once, at the first request: that takes longer than making all other routes, and most instances never get such a request.
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import type { openApiDocument } from "./OpenApiDocument.ts"

type Document = ReturnType<typeof openApiDocument>

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

/** Names an empty icon, because a browser would ask for `/favicon.ico`, which is no route. */
const withoutIcon = (page: string): string => page.replace("<head>", '<head><link rel="icon" href="data:,">')

const compress = (text: string) => Effect.promise(() => promisify(gzip)(text))

/** The page that the library renders, as text. */
const render = (document: Document) =>
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

const responses = Effect.fnUntraced(function* (document: Document) {
  const page = yield* render(document)
  const compressed = yield* compress(page)
  const etag = `W/"${sha256(page)}"`
  const headers = {
    etag,
    "cache-control": "public, max-age=3600",
    vary: "accept-encoding",
    "content-security-policy": securityPolicy(page),
    "referrer-policy": "no-referrer"
  }
  return {
    etag,
    unchanged: HttpServerResponse.empty({ status: 304, headers }),
    whole: HttpServerResponse.uint8Array(new TextEncoder().encode(page), { headers, contentType: TYPE }),
    small: HttpServerResponse.uint8Array(compressed, {
      headers: { ...headers, "content-encoding": "gzip" },
      contentType: TYPE
    })
  }
})

export const layer = (document: Effect.Effect<Document>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const router = yield* HttpRouter.HttpRouter
      // Uninterruptible: requests that wait for it must not fail when the client of the first one disconnects.
      const rendered = yield* Effect.cached(Effect.uninterruptible(Effect.flatMap(document, responses)))
      yield* router.add(
        "GET",
        PATH,
        Effect.gen(function* () {
          const { etag, unchanged, whole, small } = yield* rendered
          const request = yield* HttpServerRequest.HttpServerRequest
          if (request.headers["if-none-match"]?.includes(etag) === true) return unchanged
          return acceptsGzip(request) ? small : whole
        })
      )
    })
  )
