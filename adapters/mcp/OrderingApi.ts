// The REST API as the tools see it: a request goes out with its caller's key, the answer's status and text come back. Who
// carries it, the router of the same process or HTTP, is decided where the server is put together.
import { Context, Data, type Effect, type Redacted } from "effect"
import { HttpBody, HttpClientRequest } from "effect/http"

/** Every path of the API begins with this. */
export const API_PREFIX = "/api/v1/agent"

export interface ApiRequest {
  readonly method: "GET" | "POST"
  /** Path and query behind `API_PREFIX`, encoded as a URL has them. */
  readonly path: string
  /** JSON. */
  readonly body?: string
  readonly idempotencyKey?: string
}

/** The API's own: whoever carries it vouches for that. */
export interface ApiResponse {
  readonly status: number
  /** The body, to the character. */
  readonly text: string
}

/** No answer of the API came. Whether the request was carried out is not known. */
export class ApiCallError extends Data.TaggedError("ApiSilent")<{ readonly cause: unknown }> {}

export class OrderingApi extends Context.Service<
  OrderingApi,
  {
    readonly call: (key: Redacted.Redacted<string>, request: ApiRequest) => Effect.Effect<ApiResponse, ApiCallError>
  }
>()("backlinks/adapters/mcp/Api") {}

/** The request as HTTP has it. `base` is the API's origin. */
export const toHttpRequest = (
  base: string,
  key: Redacted.Redacted<string>,
  { method, path, body, idempotencyKey }: ApiRequest
): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(method)(`${base}${API_PREFIX}${path}`, {
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey },
    ...(body === undefined ? {} : { body: HttpBody.text(body, "application/json") })
  }).pipe(HttpClientRequest.bearerToken(key))
