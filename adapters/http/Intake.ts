// What the server does for the `Intake` middleware: media type, size, UTF-8, strict JSON, idempotency header, then the
// schemas' verdict in the error envelope. The body is read once; decoding finds it in the request's own cache.
import { ByteSize, Effect, Layer, Predicate, Result } from "effect"
import { HttpIncomingMessage, HttpMethod, HttpServerError, HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import {
  BodyTooLarge,
  InvalidIdempotencyKey,
  InvalidJson,
  UnsupportedMediaType,
  ValidationFailed
} from "#adapters/contract/AdapterFailure.ts"
import { clip } from "#adapters/contract/Explanation.ts"
import { isIdempotencyKey } from "#adapters/contract/IdempotencyKey.ts"
import { toValidationFailed } from "#adapters/contract/SchemaIssues.ts"
import { Intake } from "./api/Access.ts"
import { failureResponse } from "./Refusing.ts"
import { parseStrictJson } from "./StrictJson.ts"

export const MAX_BODY_BYTES = 64 * 1_024

type Request = HttpServerRequest.HttpServerRequest

const isJson = ({ headers }: Request): boolean =>
  /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i.test((headers["content-type"] ?? "").trim()) &&
  /^(?:identity)?$/i.test(headers["content-encoding"] ?? "")

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decodeUtf8 = (bytes: ArrayBuffer | Uint8Array) =>
  Result.try({
    try: () => decoder.decode(bytes),
    catch: () => new InvalidJson({ reason: "The text is not valid UTF-8." })
  })

/** The body's bytes, or a refusal as soon as there are too many of them. */
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

/** Bytes as JSON, or why they are not acceptable. */
export const readJson = (bytes: ArrayBuffer | Uint8Array): Result.Result<unknown, InvalidJson> =>
  Result.flatMap(decodeUtf8(bytes), parse)

/** The body as JSON, or why it is not acceptable. */
export const readJsonBody = Effect.fnUntraced(function* (request: Request) {
  if (!isJson(request)) return yield* new UnsupportedMediaType()
  return yield* Effect.fromResult(readJson(yield* readBody(request)))
})

const bodyFault = (message: string) => new ValidationFailed({ errors: [{ path: "body", message }] })

/** A body where none is expected may be empty, or say nothing: `{}`. */
const checkNoBody = Effect.fnUntraced(function* (request: Request) {
  const bytes = yield* readBody(request)
  if (bytes.byteLength === 0) return
  if (!isJson(request)) return yield* new UnsupportedMediaType()
  const body = yield* Effect.fromResult(readJson(bytes))
  if (Predicate.isObject(body) && Object.keys(body).length === 0) return
  return yield* bodyFault("This call takes no fields.")
})

const checkIdempotencyKey = ({ headers }: Request) => {
  const key = headers["idempotency-key"]
  return key === undefined || isIdempotencyKey(key) ? Effect.void : Effect.fail(new InvalidIdempotencyKey())
}

/** Endpoints without a query schema would let any parameter pass unseen. */
const checkNoQuery = Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
  const [first, ...rest] = Object.keys(query).map((name) => ({
    path: clip(name, 64),
    message: "Is not allowed here; nothing is."
  }))
  return first === undefined ? Effect.void : Effect.fail(new ValidationFailed({ errors: [first, ...rest] }))
})

/** Parameters given more than once, of which no schema takes a list. */
const repeatedParameters = Effect.map(
  HttpServerRequest.ParsedSearchParams,
  (query) => new Set(Object.keys(query).filter((name) => Array.isArray(query[name])))
)

const inspect = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = endpoint.payload.size > 0 ? yield* readJsonBody(request) : {}
  if (endpoint.payload.size === 0 && HttpMethod.hasBody(endpoint.method)) yield* checkNoBody(request)
  if (endpoint.headers !== undefined) yield* checkIdempotencyKey(request)
  // The schema would say so too, but only with the name that it has in the API document.
  if (!Predicate.isObject(body)) return yield* bodyFault("Must be a JSON object.")
  if (endpoint.query === undefined) yield* checkNoQuery
})

export const layer: Layer.Layer<Intake> = Layer.succeed(Intake, (httpEffect, { endpoint }) =>
  Effect.matchEffect(inspect(endpoint), {
    onFailure: failureResponse,
    onSuccess: () =>
      Effect.catch(httpEffect, (error) => {
        if (!HttpApiError.HttpApiSchemaError.is(error)) return Effect.fail(error)
        if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error)
        const { issue } = error.cause
        if (error.kind === "Payload") return failureResponse(toValidationFailed(issue, "body"))
        return Effect.flatMap(repeatedParameters, (repeated) =>
          failureResponse(toValidationFailed(issue, "query", repeated))
        )
      })
  })
)
