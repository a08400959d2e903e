// Server side of the `RequestValidation` middleware: checks media type, size, JSON and idempotency header before the schemas, and turns
// schema issues into error responses. The body is read once; decoding finds it in the request's cache.
import { Effect, Layer, Predicate, Schema } from "effect"
import { HttpMethod, HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import {
  InvalidIdempotencyKey,
  UnsupportedMediaType,
  ValidationFailed
} from "#adapters/contract/errors/AdapterFailure.ts"
import { checkLengths, checkParameters } from "#adapters/contract/schema/BodyLengths.ts"
import { isIdempotencyKey } from "#adapters/contract/schema/IdempotencyKey.ts"
import { omitNulls } from "#adapters/contract/schema/OptionalMembers.ts"
import { checkNoFields, faultsOf, toValidationFailed } from "#adapters/contract/schema/SchemaIssues.ts"
import { refusalOf } from "#adapters/contract/schema/StrictDecoding.ts"
import { RequestValidation } from "./api/Access.ts"
import { failureResponse } from "./ErrorResponses.ts"
import { isJson, readBody, readJson, readJsonBody } from "./RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest

const bodyFault = (message: string) => new ValidationFailed({ errors: [{ path: "body", message }] })

/** A body where none is expected may be empty or `{}`. */
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

/** The library ignores all parameters of an endpoint without a query schema. */
const checkNoQuery = Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) =>
  Effect.fromResult(checkNoFields(Object.keys(query)))
)

/** Parameters given more than once. */
const repeatedParameters = (query: Readonly<Record<string, string | ReadonlyArray<string>>>): ReadonlySet<string> =>
  new Set(Object.keys(query).filter((name) => Array.isArray(query[name])))

/** What is done here with the parts of an endpoint's requests, beside the library's decoding. */
const partsOf = ({ payload, query }: HttpApiEndpoint.Top) => {
  const [json] = payload.values()
  const body = json?.schemas[0]
  return {
    /** Leaves out what `omitNulls` does of a body. */
    prepare: body === undefined ? (given: unknown) => given : omitNulls(body),
    refuseBody: body === undefined ? undefined : refusalOf(body, "body"),
    refuseQuery: query === undefined ? undefined : refusalOf(Schema.toCodecArrayFromSingle(query), "query")
  }
}

const knownParts = new WeakMap<HttpApiEndpoint.Top, ReturnType<typeof partsOf>>()

const cachedParts = (endpoint: HttpApiEndpoint.Top) => {
  const known = knownParts.get(endpoint)
  if (known !== undefined) return known
  const parts = partsOf(endpoint)
  knownParts.set(endpoint, parts)
  return parts
}

/** The request with another body in the place of its own, for the decoder that runs next. */
const withBody = (request: Request, body: unknown): Request =>
  Object.create(request, { text: { value: Effect.succeed(JSON.stringify(body)) } })

/** The body to decode. */
const validate = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = endpoint.payload.size > 0 ? yield* readJsonBody(request) : {}
  if (endpoint.payload.size === 0 && HttpMethod.hasBody(endpoint.method)) yield* checkNoBody(request)
  if (endpoint.headers !== undefined) yield* checkIdempotencyKey(request)
  // The schema's own message would name its identifier in the API document.
  if (!Predicate.isObject(body)) return yield* bodyFault("Must be a JSON object.")
  yield* Effect.fromResult(checkLengths(body))
  if (endpoint.query !== undefined)
    yield* Effect.fromResult(checkParameters(yield* HttpServerRequest.ParsedSearchParams))
  if (endpoint.query === undefined) yield* checkNoQuery
  return { given: body, prepared: cachedParts(endpoint).prepare(body) }
})

/** Words what the library's decoder has refused. */
const refuse = (endpoint: HttpApiEndpoint.Top, { kind, cause }: HttpApiError.HttpApiSchemaError, body: unknown) => {
  const { refuseBody, refuseQuery } = cachedParts(endpoint)
  if (kind === "Payload" && refuseBody !== undefined) return failureResponse(refuseBody(body))
  if (kind === "Query" && refuseQuery !== undefined)
    return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) =>
      failureResponse(refuseQuery(query, repeatedParameters(query)))
    )
  return failureResponse(toValidationFailed(faultsOf(cause.issue), "query"))
}

export const layer: Layer.Layer<RequestValidation> = Layer.succeed(RequestValidation, (httpEffect, { endpoint }) =>
  Effect.matchEffect(validate(endpoint), {
    onFailure: failureResponse,
    onSuccess: ({ given, prepared }) => {
      const decoded =
        prepared === given
          ? httpEffect
          : Effect.updateService(httpEffect, HttpServerRequest.HttpServerRequest, (request) =>
              withBody(request, prepared)
            )
      return Effect.catch(decoded, (error) => {
        if (!HttpApiError.HttpApiSchemaError.is(error)) return Effect.fail(error)
        if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error)
        return refuse(endpoint, error, prepared)
      })
    }
  })
)
