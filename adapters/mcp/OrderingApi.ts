// Port: the API as the tools call it. Adapters call its operations in the same process, or over HTTP.
import { Context, Data, type Effect, type Redacted } from "effect"
import type { JsonResponse } from "#adapters/http/operations/JsonResponse.ts"
import type { OperationRequest } from "#adapters/http/operations/OperationRequest.ts"
import type { Resource } from "#core/domain/access/AccessToken.ts"

/** No response of the API arrived. Whether the request was carried out is unknown. */
export class ApiCallError extends Data.TaggedError("ApiCallError")<{ readonly cause: unknown }> {}

export class OrderingApi extends Context.Service<
  OrderingApi,
  {
    /** `key` is the caller's API key, or an access token, which opens `resource` alone. Refusals are responses too. */
    readonly call: (
      key: Redacted.Redacted,
      request: OperationRequest,
      resource: Resource
    ) => Effect.Effect<JsonResponse, ApiCallError>
  }
>()("backlinks/mcp/OrderingApi") {}
