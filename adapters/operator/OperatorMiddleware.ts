// Server side of the middleware: provides the operator's name, counts each error by its code, adds the request id to it, replaces a
// defect by `internal_error`, and answers a call that waits for the store too long.
import { Cause, Context, Effect, Layer, Result } from "effect"
import { answerInTime, Patience } from "#adapters/concurrency/AnswerInTime.ts"
import { InternalError } from "#adapters/contract/errors/AdapterFailure.ts"
import { countRefusal } from "#adapters/contract/errors/RefusalCounters.ts"
import { CurrentOperator, OperatorMiddleware } from "./CurrentOperator.ts"
import { IsWaitedFor } from "./calls/Call.ts"
import { OperatorError, operatorError } from "./OperatorError.ts"
import type { IdentifyOperator } from "./OperatorTokens.ts"

const failing = (error: OperatorError): Effect.Effect<never, OperatorError> =>
  Effect.contextWith((context: Context.Context<never>) => {
    countRefusal(error.code, context)
    return Effect.fail(error)
  })

const stored = operatorError({ _tag: "StoreUnavailable", retryAfterSeconds: 2 })

/** What was asked goes on, and an operator has no idempotency key. */
const late = new OperatorError({
  ...stored,
  message: "The store takes too long, and what was asked may still be done.",
  suggestion: "Look whether it was done, with the command that shows or lists it, before you do it again."
})

/** `requestId` reads the id of the current request. */
export const layer = (identify: IdentifyOperator, requestId: Effect.Effect<string>): Layer.Layer<OperatorMiddleware> =>
  Layer.effect(
    OperatorMiddleware,
    Effect.map(Patience, (patienceMs) =>
      OperatorMiddleware.of((call, { headers, rpc }) => {
        const isWaitedFor = Context.get(rpc.annotations, IsWaitedFor)
        const answered = isWaitedFor ? call : answerInTime(call, patienceMs, Effect.fail(late))
        return Effect.flatMap(requestId, (request_id) =>
          Effect.fromResult(Result.mapError(identify(headers), (failure) => operatorError(failure))).pipe(
            Effect.flatMap(({ actor }) => Effect.provideService(answered, CurrentOperator, { actor })),
            Effect.catchCause((cause) => {
              const error = Cause.squash(cause)
              if (error instanceof OperatorError) return failing(error.of(request_id))
              if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
              const report = Effect.logError("A call of the operator failed on our side", cause)
              return Effect.andThen(report, failing(operatorError(new InternalError(), request_id)))
            })
          )
        )
      })
    )
  )
