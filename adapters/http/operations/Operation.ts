// An operation of the API: what an endpoint does for a caller once its input is decoded. REST and MCP call the same one.
import type { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import type { Caller } from "#core/domain/access/ApiKey.ts"
import type { CallOrigin } from "#core/domain/access/BoundCall.ts"
import type { BytesResponse, JsonResponse } from "./JsonResponse.ts"

type Handler<Endpoint extends HttpApiEndpoint.Constraint> = HttpApiEndpoint.Handler<Endpoint, never, never>

/** The decoded parts of a request: `params`, `query`, `headers` and `payload`, those that the endpoint has. */
export type Input<Endpoint extends HttpApiEndpoint.Constraint> = Omit<
  Parameters<Handler<Endpoint>>[0],
  "request" | "endpoint" | "group"
>

/** A value of the endpoint's success schema, or a response that is complete already. */
export type Output<Endpoint extends HttpApiEndpoint.Constraint> =
  | Exclude<Effect.Success<ReturnType<Handler<Endpoint>>>, HttpServerResponse.HttpServerResponse>
  | JsonResponse
  | BytesResponse

/** `origin`: of a call with an idempotency key, which takes effect once; what it makes derives from it. */
export type Operation<Endpoint extends HttpApiEndpoint.Constraint> = (
  caller: Caller,
  input: Input<Endpoint>,
  origin: CallOrigin | null
) => Effect.Effect<Output<Endpoint>, Failure>

/** An operation of any input type. */
export type AnyOperation = (caller: Caller, input: never, origin: CallOrigin | null) => Effect.Effect<unknown, Failure>

/** One operation for each endpoint of a group. */
export type OperationsOf<Group extends { readonly endpoints: Readonly<Record<string, HttpApiEndpoint.Constraint>> }> = {
  readonly [Id in keyof Group["endpoints"]]: Operation<Group["endpoints"][Id]>
}
