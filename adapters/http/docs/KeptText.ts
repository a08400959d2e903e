// A text that is made once, at its first request, and kept: compressed where the client allows it, and not sent again to one that has it.
import { hash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

export interface KeptText {
  readonly text: string
  /** Names its character set. */
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
}

const acceptsGzip = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers["accept-encoding"] ?? "")

const responses = Effect.fnUntraced(function* ({ text, contentType, headers: own = {} }: KeptText) {
  const compressed = yield* Effect.promise(() => promisify(gzip)(text))
  const etag = `W/"${hash("sha256", text, "base64")}"`
  const headers = { etag, "cache-control": "public, max-age=3600", vary: "accept-encoding", ...own }
  return {
    etag,
    unchanged: HttpServerResponse.empty({ status: 304, headers }),
    whole: HttpServerResponse.uint8Array(new TextEncoder().encode(text), { headers, contentType }),
    small: HttpServerResponse.uint8Array(compressed, {
      headers: { ...headers, "content-encoding": "gzip" },
      contentType
    })
  }
})

/** Answers with the text of `made`. */
export const keptText = (made: Effect.Effect<KeptText>) =>
  // Uninterruptible: requests that wait for it must not fail when the client of the first one disconnects.
  Effect.map(Effect.cached(Effect.uninterruptible(Effect.flatMap(made, responses))), (kept) =>
    Effect.gen(function* () {
      const { etag, unchanged, whole, small } = yield* kept
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.headers["if-none-match"]?.includes(etag) === true) return unchanged
      return acceptsGzip(request) ? small : whole
    })
  )
