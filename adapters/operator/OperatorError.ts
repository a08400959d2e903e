// What a call of the operator plane fails with: the same code, message and suggestion as an error body of REST has. Whatever
// goes wrong on the way (no token, a body too large, no answer) reaches a client's caller as this, too.
import { Schema } from "effect"
import { ErrorBody } from "#adapters/contract/errors/ErrorBody.ts"
import { type Failure, toErrorResponse } from "#adapters/contract/errors/ErrorTable.ts"

export class OperatorError extends Schema.TaggedError<OperatorError>()("OperatorError", {
  ...ErrorBody.fields.error.fields,
  /** Absent where the service said nothing of it. */
  request_id: Schema.optionalKey(Schema.String)
}) {
  /** The same, of this request. */
  of(request_id: string): OperatorError {
    // An error's message is no property of its own that would be copied with the others.
    return new OperatorError({ ...this, message: this.message, request_id })
  }
}

const NO_ID = ""

/** In the contract's words. */
export const operatorError = (failure: Failure, requestId = NO_ID): OperatorError => {
  const { error } = toErrorResponse(failure, requestId).body
  return new OperatorError({ ...error, ...(requestId === NO_ID ? {} : { request_id: requestId }) })
}
