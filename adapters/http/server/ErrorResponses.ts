// Turns failures into counted error responses with the id of the current request.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { errorResponse, type JsonResponse } from "../operations/JsonResponse.ts"

/** `headers` in the place of the response's own. */
export const toHttpResponse = (response: JsonResponse, headers = response.headers) =>
  HttpServerResponse.text(response.text, {
    status: response.status,
    contentType: "application/json",
    ...(headers === undefined ? {} : { headers })
  })

export const failureResponse = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(errorResponse(failure), (response) => toHttpResponse(response))

/** A handler with every failure turned into its response; a failure outside the error table does not compile. */
export const withErrorResponses = <A, E extends Failure, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, never, R> => Effect.catch(effect, failureResponse)
