// `/docs`: the API reference as one page with its script and style, so that it works offline. Rendered at the first request: that takes
// longer than making all other routes, and most instances never get such a request.
import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiSwagger, OpenApi } from "effect/http-api"
import { Api } from "../api/Api.ts"
import type { KeptText } from "./KeptText.ts"
import type { openApiDocument } from "./OpenApiDocument.ts"

type Document = ReturnType<typeof openApiDocument>

const PATH = "/docs"

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

/** Names an empty icon, because a browser would ask for `/favicon.ico`, which is no route. */
const withoutIcon = (page: string): string => page.replace("<head>", '<head><link rel="icon" href="data:,">')

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

/** The page with the policy that allows its own scripts alone. */
export const referencePage = (document: Document): Effect.Effect<KeptText> =>
  Effect.map(render(document), (text) => ({
    text,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": securityPolicy(text), "referrer-policy": "no-referrer" }
  }))
