// A file of the service that pages name, with a tag of its content.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ServedRoute } from "#adapters/http/server/RouteTable.ts"

/** Read once, when the module that names it is loaded. */
export const staticFile = (path: HttpRouter.PathInput, file: URL, contentType: string) => {
  const text = readFileSync(file, "utf8")
  const digest = createHash("sha256").update(text).digest("base64url")
  const headers = { etag: `"${digest}"`, "cache-control": "public, max-age=86400" }
  const whole = HttpServerResponse.text(text, { contentType, headers })
  const unchanged = HttpServerResponse.empty({ status: 304, headers })
  const answer = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    request.headers["if-none-match"]?.includes(headers.etag) === true ? unchanged : whole
  )
  const route: ServedRoute = { method: "GET", path }
  return {
    route,
    /** Carries the digest, so that a browser never shows a page of this version with the file of another. */
    url: `${path}?v=${digest.slice(0, 12)}`,
    layer: Layer.effectDiscard(Effect.flatMap(HttpRouter.HttpRouter, (router) => router.add("GET", path, answer)))
  }
}
