// The error of every call of the operator plane, with the fields of a REST error body. The client also turns failures before the
// call (no token, body too large, no response) into this error.
import { Effect, Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"

export class OperatorError extends Schema.TaggedError<OperatorError>()("OperatorError", {
  ...ErrorBody.fields.error.fields,
  /** Absent when no response of the service carried one. */
  request_id: Schema.optionalKey(Schema.String)
}) {
  /** The same error with the id of its request. */
  of(request_id: string): OperatorError {
    // `message` is not an own enumerable property, so the spread does not copy it.
    return new OperatorError({ ...this, message: this.message, request_id })
  }
}

const NO_ID = ""

/** The error with the code, message and suggestion of the error table. */
export const operatorError = (failure: Failure, requestId = NO_ID): OperatorError => {
  const { error } = toErrorResponse(failure, requestId).body
  return new OperatorError({ ...error, ...(requestId === NO_ID ? {} : { request_id: requestId }) })
}

/** Maps the failures of a use case to `OperatorError`. */
export const withOperatorError = <A, E extends Failure, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, OperatorError, R> => Effect.mapError(effect, (failure) => operatorError(failure))
