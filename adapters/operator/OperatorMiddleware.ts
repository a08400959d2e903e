// Server side of the middleware: provides the operator's name, counts each error by its code, adds the request id to it, and
// replaces a defect by `internal_error`.
import { Cause, type Context, Effect, Layer, Result } from "effect"
import { InternalError } from "#adapters/contract/errors/AdapterFailure.ts"
import { countRefusal } from "#adapters/contract/errors/RefusalCounters.ts"
import { CurrentOperator, OperatorMiddleware } from "./CurrentOperator.ts"
import { OperatorError, operatorError } from "./OperatorError.ts"
import type { IdentifyOperator } from "./OperatorTokens.ts"

const failing = (error: OperatorError): Effect.Effect<never, OperatorError> =>
  Effect.contextWith((context: Context.Context<never>) => {
    countRefusal(error.code, context)
    return Effect.fail(error)
  })

/** `requestId` reads the id of the current request. */
export const layer = (identify: IdentifyOperator, requestId: Effect.Effect<string>): Layer.Layer<OperatorMiddleware> =>
  Layer.succeed(OperatorMiddleware, (call, { headers }) =>
    Effect.flatMap(requestId, (request_id) =>
      Effect.fromResult(Result.mapError(identify(headers), (failure) => operatorError(failure))).pipe(
        Effect.flatMap(({ actor }) => Effect.provideService(call, CurrentOperator, { actor })),
        Effect.catchCause((cause) => {
          const error = Cause.squash(cause)
          if (error instanceof OperatorError) return failing(error.of(request_id))
          if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
          const report = Effect.logError("A call of the operator failed on our side", cause)
          return Effect.andThen(report, failing(operatorError(new InternalError(), request_id)))
        })
      )
    )
  )
