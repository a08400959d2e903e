// Whether what a call carries is sound, in the words of REST: every fault by its place. Asked by the server before a call is
// one, and by clients, so that neither side ever meets a payload that its call does not take.
import { Predicate, Result, Schema } from "effect"
import { ValidationFailed } from "#adapters/contract/errors/AdapterFailure.ts"
import { toValidationFailed } from "#adapters/contract/schema/SchemaIssues.ts"
import { OperatorRpcs } from "./OperatorRpcs.ts"

type Check = (payload: unknown) => Result.Result<unknown, ValidationFailed>

const fault = (message: string) => Result.fail(new ValidationFailed({ errors: [{ path: "body", message }] }))

/** A schema without fields lets everything pass but null, so calls that take nothing are looked at here. */
const checkEmpty: Check = (payload) =>
  Predicate.isObject(payload) && Object.keys(payload).length === 0
    ? Result.succeed({})
    : fault("Must be {}: this call takes no fields.")

/** Payloads have no transformations: what is sent is what is meant, so one check serves both sides. */
const checks: ReadonlyMap<string, Check> = new Map(
  [...OperatorRpcs.requests].map(([tag, { payloadSchema }]) => {
    if (Object.keys(payloadSchema.fields).length === 0) return [tag, checkEmpty]
    const decode = Schema.decodeUnknownResult(payloadSchema, { onExcessProperty: "error", errors: "all" })
    return [tag, (payload) => Result.mapError(decode(payload), ({ issue }) => toValidationFailed(issue, "body"))]
  })
)

/** `undefined` where there is no such call. */
export const payloadCheck = (tag: string): Check | undefined => checks.get(tag)
