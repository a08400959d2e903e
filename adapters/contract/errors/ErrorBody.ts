// The shape of every error body, the same over REST and MCP.
import { Schema } from "effect"

export const FieldError = Schema.Struct({
  path: Schema.String.annotate({ description: "Where, such as `items[0].anchor_type`." }),
  message: Schema.String.annotate({ description: "What is wrong there, in a sentence; never what was sent." })
}).annotate({ identifier: "FieldError", description: "One thing that is wrong with the request." })
export type FieldError = typeof FieldError.Type

const Recovery = Schema.Literals(["retry", "correct", "wait", "human", "none"]).annotate({
  description:
    "Who or what can fix it: `retry` the same request, `correct` the request, `wait` until `details.resets_at`, a `human` must act, or `none`."
})

const errorFields = {
  message: Schema.String.annotate({ description: "What went wrong, in a sentence." }),
  status: Schema.Int.annotate({ description: "The HTTP status." }),
  param: Schema.optionalKey(
    Schema.String.annotate({
      description: "The field at fault, such as `items[0].site_id`. Absent where it is about no field."
    })
  ),
  details: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({
      description: "Facts to act on, such as limits and times; `code` says which. Absent without facts."
    })
  ),
  errors: Schema.optionalKey(
    Schema.Array(FieldError).annotate({
      description: "Every fault, for `validation_failed`. Absent for other codes."
    })
  ),
  retryable: Schema.Boolean.annotate({
    description:
      "Whether the very same request may succeed later. False in every 5xx answer to an order without an idempotency key."
  }),
  recovery: Recovery,
  suggestion: Schema.optionalKey(
    Schema.String.annotate({ description: "What to do next. Absent where nothing helps." })
  )
}

const RequestId = Schema.String.annotate({
  description: "Quote this when asking for help; also in the Request-Id header."
})

const errorBody = <Fault extends Schema.Top>(error: Fault) =>
  Schema.Struct({
    ok: Schema.Literal(false).annotate({ description: "`false` in every refusal." }),
    error,
    request_id: RequestId
  })

/** An error body limited to some codes. */
export const errorBodyWithCodes = <const Codes extends ReadonlyArray<string>>(codes: Codes) =>
  errorBody(Schema.Struct({ code: Schema.Literals(codes), ...errorFields }))

export const ErrorBody = errorBody(
  Schema.Struct({
    code: Schema.String.annotate({ description: "What to branch on; later versions may know more." }),
    ...errorFields
  }).annotate({ identifier: "Refusal", description: "What went wrong, and what to do next." })
).annotate({
  identifier: "ErrorBody",
  description: "What every refusal looks like."
})
export type ErrorBody = typeof ErrorBody.Type
