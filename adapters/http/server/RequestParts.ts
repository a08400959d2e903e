// Reads the parts of an HTTP request for its endpoint: checks media type, size, JSON and idempotency header. Schemas come later.
import { Effect, Predicate, SchemaAST } from "effect"
import { HttpMethod, type HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import {
  InvalidIdempotencyKey,
  UnsupportedMediaType,
  ValidationFailed
} from "#adapters/contract/errors/AdapterFailure.ts"
import { isIdempotencyKey } from "#adapters/contract/schema/IdempotencyKey.ts"
import { hasOptionalBody } from "../api/EndpointDescription.ts"
import { isBound } from "../operations/OperationRequest.ts"
import type { RequestParts } from "../operations/RunOperation.ts"
import { isJson, readBodyOnce, readJson, readJsonBody } from "./RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest

const bodyFault = (message: string) => new ValidationFailed({ errors: [{ path: "body", message }] })

/** An empty body is `{}`. */
const readOptionalBody = Effect.fnUntraced(function* (request: Request) {
  const bytes = yield* readBodyOnce(request)
  if (bytes.byteLength === 0) return {}
  if (!isJson(request)) return yield* new UnsupportedMediaType()
  return yield* Effect.fromResult(readJson(bytes))
})

/** A body where none is expected may be empty or `{}`. */
const readNoBody = Effect.fnUntraced(function* (request: Request) {
  const body = yield* readOptionalBody(request)
  if (Predicate.isObject(body) && Object.keys(body).length === 0) return {}
  return yield* bodyFault("This call takes no fields.")
})

const bodyReader = (endpoint: HttpApiEndpoint.Top) => {
  const { method, payload } = endpoint
  if (payload.size > 0) return hasOptionalBody(endpoint) ? readOptionalBody : readJsonBody
  return HttpMethod.hasBody(method) ? readNoBody : () => Effect.succeed({})
}

const namesOf = ({ headers }: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  headers !== undefined && SchemaAST.isObjects(headers.ast)
    ? headers.ast.propertySignatures.map(({ name }) => String(name))
    : []

const pick = (names: ReadonlyArray<string>, headers: Readonly<Record<string, string | undefined>>) => {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined) picked[name] = value
  }
  return picked
}

/** `params` and `query` are the router's. */
export const partsReader = (endpoint: HttpApiEndpoint.Top) => {
  const read = bodyReader(endpoint)
  const names = namesOf(endpoint)
  const takesKey = isBound(endpoint) || names.includes("idempotency-key")
  return (request: Request, { params, query }: Pick<RequestParts, "params" | "query">) =>
    Effect.flatMap(read(request), (payload): Effect.Effect<RequestParts, InvalidIdempotencyKey | ValidationFailed> => {
      const headers = pick(names, request.headers)
      const key = takesKey ? request.headers["idempotency-key"] : undefined
      if (key !== undefined && !isIdempotencyKey(key)) return Effect.fail(new InvalidIdempotencyKey())
      // The schema's own message would name its identifier in the API document.
      if (!Predicate.isObject(payload)) return Effect.fail(bodyFault("Must be a JSON object."))
      return Effect.succeed({ params, headers, query, payload })
    })
}
