// The style sheet of every page that the service renders, as one file with a tag of its content.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ServedRoute } from "./RouteTable.ts"

const PATH = "/style.css"

export const stylesheetRoutes: ReadonlyArray<ServedRoute> = [{ method: "GET", path: PATH }]

const text = readFileSync(new URL("./style.css", import.meta.url), "utf8")

const digest = createHash("sha256").update(text).digest("base64url")

/** Named in pages with its digest, so that a browser never shows a page of this version with the style of another. */
export const stylesheetUrl = `${PATH}?v=${digest.slice(0, 12)}`

const headers = { etag: `"${digest}"`, "cache-control": "public, max-age=86400" }

const whole = HttpServerResponse.text(text, { contentType: "text/css; charset=utf-8", headers })
const unchanged = HttpServerResponse.empty({ status: 304, headers })

export const layer = Layer.effectDiscard(
  Effect.flatMap(HttpRouter.HttpRouter, (router) =>
    router.add(
      "GET",
      PATH,
      Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
        request.headers["if-none-match"]?.includes(headers.etag) === true ? unchanged : whole
      )
    )
  )
)
