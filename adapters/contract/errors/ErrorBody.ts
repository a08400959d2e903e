// The shape of every error body, the same over REST and MCP.
import { Schema } from "effect"

export const FieldError = Schema.Struct({
  path: Schema.String.annotate({ description: "Where, such as `items[0].anchor_type`." }),
  message: Schema.String
}).annotate({ identifier: "FieldError", description: "One thing that is wrong with the request." })
export type FieldError = typeof FieldError.Type

const Recovery = Schema.Literals(["retry", "correct", "wait", "human", "none"]).annotate({
  description:
    "Who or what can fix it: `retry` the same request, `correct` the request, `wait` until `details.resets_at`, a `human` must act, or `none`."
})

const errorFields = {
  message: Schema.String.annotate({ description: "What went wrong, in a sentence." }),
  status: Schema.Int.annotate({ description: "The HTTP status." }),
  param: Schema.optionalKey(Schema.String.annotate({ description: "The field at fault." })),
  details: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Json).annotate({
      description: "Facts to act on, such as limits and times."
    })
  ),
  errors: Schema.optionalKey(
    Schema.Array(FieldError).annotate({
      description: "Every fault, for `validation_failed`."
    })
  ),
  retryable: Schema.Boolean.annotate({
    description:
      "Whether the very same request may succeed later. False in every 5xx answer to an order without an idempotency key."
  }),
  recovery: Recovery,
  suggestion: Schema.optionalKey(Schema.String.annotate({ description: "What to do next." }))
}

const RequestId = Schema.String.annotate({
  description: "Quote this when asking for help; also in the Request-Id header."
})

const errorBody = <Code extends Schema.Top>(code: Code) =>
  Schema.Struct({
    ok: Schema.Literal(false),
    error: Schema.Struct({ code, ...errorFields }),
    request_id: RequestId
  })

/** An error body limited to some codes. */
export const errorBodyWithCodes = <const Codes extends ReadonlyArray<string>>(codes: Codes) =>
  errorBody(Schema.Literals(codes))

export const ErrorBody = errorBody(Schema.String).annotate({
  identifier: "ErrorBody",
  description: "What every refusal looks like."
})
export type ErrorBody = typeof ErrorBody.Type
