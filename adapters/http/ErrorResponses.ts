// Turns failures into responses in the error envelope, and counts them. The wording is the contract's; the request id is the
// request's.
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Failure } from "#adapters/contract/errors/ErrorTable.ts"
import { countedErrorResponse } from "#adapters/contract/errors/RefusalCounters.ts"
import { CurrentRequestId } from "./RequestId.ts"

export const failureResponse = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.flatMap(CurrentRequestId, (requestId) => countedErrorResponse(failure, requestId)).pipe(
    Effect.map(({ status, body, headers }) => HttpServerResponse.jsonUnsafe(body, { status, headers }))
  )

/** A handler's effect with every refusal and fault answered. What is left in its error channel is a bug, and does not compile. */
export const withErrorResponses = <A, E extends Failure, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, never, R> => Effect.catch(effect, failureResponse)
