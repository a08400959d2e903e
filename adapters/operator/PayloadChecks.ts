// Validation of a call's payload, with all errors by path as over REST. Used by the server before a call is handled and by the
// client before it is sent.
import { Predicate, Result } from "effect"
import { strictDecoder } from "#adapters/contract/decoding/StrictDecoding.ts"
import { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import { OperatorRpcs } from "./OperatorRpcs.ts"

type Check = (payload: unknown) => Result.Result<unknown, ValidationFailed>

const fault = (message: string) => Result.fail(new ValidationFailed({ errors: [{ path: "body", message }] }))

/** For calls without fields: an empty `Schema.Struct` accepts any value but null. */
const checkEmpty: Check = (payload) =>
  Predicate.isObject(payload) && Object.keys(payload).length === 0
    ? Result.succeed({})
    : fault("Must be {}: this call takes no fields.")

/** One check serves client and server, because what a payload decodes to is a payload too, which decodes to itself. */
const checks: ReadonlyMap<string, Check> = new Map(
  [...OperatorRpcs.requests].map(([tag, { payloadSchema }]) => {
    if (Object.keys(payloadSchema.fields).length === 0) return [tag, checkEmpty]
    return [tag, strictDecoder(payloadSchema, "body")]
  })
)

/** `undefined` for an unknown call. */
export const payloadCheck = (tag: string): Check | undefined => checks.get(tag)
