// Turns failures into responses in the error envelope, and counts them. The wording is the contract's; the request id is the
// request's.
import { Context, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Failure, toErrorBody } from "#adapters/contract/ErrorTable.ts"
import { countRefusal } from "#adapters/contract/RefusalCounters.ts"
import { CurrentRequestId } from "./RequestId.ts"

export const failureResponse = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const { status, body, headers } = toErrorBody(failure, Context.get(context, CurrentRequestId))
    countRefusal(body.error.code, context)
    return Effect.succeed(HttpServerResponse.jsonUnsafe(body, { status, headers }))
  })

/** A handler's effect with every refusal and fault answered. What is left in its error channel is a bug, and does not compile. */
export const refusing = <A, E extends Failure, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A | HttpServerResponse.HttpServerResponse, never, R> => Effect.catch(effect, failureResponse)
