// Request bodies: size limit, media type, UTF-8 and strict JSON.
import { ByteSize, Effect, Result } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerRequest } from "effect/http"
import { BodyTooLarge, InvalidJson, UnsupportedMediaType } from "#adapters/contract/errors/AdapterFailure.ts"
import { parseStrictJson } from "./StrictJson.ts"

type Request = HttpServerRequest.HttpServerRequest

export const MAX_BODY_BYTES = 64 * 1_024

export const isJson = ({ headers }: Request): boolean =>
  /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i.test((headers["content-type"] ?? "").trim()) &&
  /^(?:identity)?$/i.test(headers["content-encoding"] ?? "")

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decodeUtf8 = (bytes: ArrayBuffer | Uint8Array) =>
  Result.try({
    try: () => decoder.decode(bytes),
    catch: () => new InvalidJson({ reason: "The text is not valid UTF-8." })
  })

/** The bytes of the body; fails as soon as they exceed the limit. */
export const readBody = (request: Request, limitBytes = MAX_BODY_BYTES) =>
  Number(request.headers["content-length"] ?? 0) > limitBytes
    ? Effect.fail(new BodyTooLarge({ limitBytes }))
    : request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limitBytes)),
        Effect.mapError(({ reason }) =>
          reason instanceof HttpServerError.RequestParseError && reason.reason === "BodyTooLarge"
            ? new BodyTooLarge({ limitBytes })
            : new InvalidJson({ reason: "The body ended before it was complete." })
        )
      )

const parse = (text: string) =>
  Result.mapError(
    parseStrictJson(text),
    ({ message, offset }) => new InvalidJson({ reason: message, ...(offset === undefined ? {} : { offset }) })
  )

export const readJson = (bytes: ArrayBuffer | Uint8Array): Result.Result<unknown, InvalidJson> =>
  Result.flatMap(decodeUtf8(bytes), parse)

export const readJsonBody = Effect.fnUntraced(function* (request: Request) {
  if (!isJson(request)) return yield* new UnsupportedMediaType()
  return yield* Effect.fromResult(readJson(yield* readBody(request)))
})
