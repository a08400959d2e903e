// Turns failures into counted error responses with the id of the current request.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { errorResponse, type JsonResponse } from "./operations/JsonResponse.ts"

export const toHttpResponse = ({ status, text, headers = {} }: JsonResponse) =>
  HttpServerResponse.text(text, { status, contentType: "application/json", headers })

export const failureResponse = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.map(errorResponse(failure), toHttpResponse)

/** A handler with every failure turned into its response; a failure outside the error table does not compile. */
export const withErrorResponses = <A, E extends Failure, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, never, R> => Effect.catch(effect, failureResponse)
