// Request bodies: size limit, media type, UTF-8 and strict JSON.
import type { IncomingMessage } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
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

const incomplete = () => new InvalidJson({ reason: "The body ended before it was complete." })

/** Whether the request says that its body exceeds the limit. */
const announcesMore = ({ headers }: Request, limitBytes: number): boolean =>
  Number(headers["content-length"] ?? 0) > limitBytes

/** The bytes of the body; fails as soon as they exceed the limit. May be read again. */
export const readBody = (request: Request, limitBytes = MAX_BODY_BYTES) =>
  announcesMore(request, limitBytes)
    ? Effect.fail(new BodyTooLarge({ limitBytes }))
    : request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limitBytes)),
        Effect.mapError(({ reason }) =>
          reason instanceof HttpServerError.RequestParseError && reason.reason === "BodyTooLarge"
            ? new BodyTooLarge({ limitBytes })
            : incomplete()
        )
      )

/** Once it exceeds the limit, the rest is dropped as it comes: a client may read the response only after it has sent all. */
const receive = (source: IncomingMessage, limitBytes: number) =>
  Effect.callback<Uint8Array, BodyTooLarge | InvalidJson>((resume) => {
    const chunks: Array<Buffer> = []
    let length = 0
    const stop = () => void source.off("data", onData).off("end", onEnd).off("close", onClose)
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length <= limitBytes) return
      stop()
      source.resume()
      resume(Effect.fail(new BodyTooLarge({ limitBytes })))
    }
    const onEnd = () => {
      stop()
      const [only, ...more] = chunks
      resume(Effect.succeed(only !== undefined && more.length === 0 ? only : Buffer.concat(chunks)))
    }
    /** Before its end. */
    const onClose = () => {
      stop()
      resume(Effect.fail(incomplete()))
    }
    if (source.destroyed) onClose()
    else source.on("data", onData).on("end", onEnd).on("close", onClose)
    return Effect.sync(stop)
  })

/**
 * Like `readBody`, for a body that nothing else reads, and faster: the library's reader keeps the bytes for others, and waits until the
 * stream is closed. It also tells a client that waits with its body to send it.
 */
export const readBodyOnce = (
  request: Request,
  limitBytes = MAX_BODY_BYTES
): Effect.Effect<ArrayBuffer | Uint8Array, BodyTooLarge | InvalidJson> => {
  if (request.headers["expect"] !== undefined) return readBody(request, limitBytes)
  if (announcesMore(request, limitBytes)) return Effect.fail(new BodyTooLarge({ limitBytes }))
  // The server speaks HTTP/1.1 only.
  return receive(NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage, limitBytes)
}

const parse = (text: string) =>
  Result.mapError(
    parseStrictJson(text),
    ({ message, offset }) => new InvalidJson({ reason: message, ...(offset === undefined ? {} : { offset }) })
  )

export const readJson = (bytes: ArrayBuffer | Uint8Array): Result.Result<unknown, InvalidJson> =>
  Result.flatMap(decodeUtf8(bytes), parse)

export const readJsonBody = (
  request: Request
): Effect.Effect<unknown, UnsupportedMediaType | BodyTooLarge | InvalidJson> =>
  isJson(request)
    ? Effect.flatMap(readBodyOnce(request), (bytes) => Effect.fromResult(readJson(bytes)))
    : Effect.fail(new UnsupportedMediaType())
