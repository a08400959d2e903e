// Lengths of lists and objects in a request, checked before their members: a schema reports every fault, and thousands of them would
// take longer than all else that a request does.
import { Predicate, Result } from "effect"
import { ValidationFailed } from "../errors/AdapterFailure.ts"
import { safeExcerpt } from "../errors/ErrorText.ts"

/** The most entries of any list in a request. */
export const MAX_ENTRIES = 20

/** More than the fields of any object in a request. */
export const MAX_FIELDS = 32

const tooLong = (path: string, message: string) =>
  Result.fail(new ValidationFailed({ errors: [{ path: path === "" ? "body" : path, message }] }))

const entriesOf = (value: unknown): ReadonlyArray<readonly [segment: string, value: unknown]> => {
  if (Array.isArray(value)) return value.map((member, index) => [`[${index}]`, member])
  return Predicate.isObject(value) ? Object.entries(value).map(([name, member]) => [`.${name}`, member]) : []
}

/** Whether every list and object of a JSON value is short enough. Outer ones come before what they contain. */
export const checkLengths = (value: unknown, path = ""): Result.Result<void, ValidationFailed> => {
  if (Array.isArray(value) && value.length > MAX_ENTRIES)
    return tooLong(path, `Must have at most ${MAX_ENTRIES} entries; ${value.length} were sent.`)
  const entries = entriesOf(value)
  if (!Array.isArray(value) && entries.length > MAX_FIELDS)
    return tooLong(path, `Must have at most ${MAX_FIELDS} fields; ${entries.length} were sent.`)
  for (const [segment, member] of entries) {
    if (typeof member !== "object" || member === null) continue
    const name = safeExcerpt(segment, 64)
    const checked = checkLengths(member, path === "" ? name.replace(/^\./, "") : `${path}${name}`)
    if (Result.isFailure(checked)) return checked
  }
  return Result.void
}

/** Whether a query has no more parameters than any call takes. */
export const checkParameterCount = (names: ReadonlyArray<string>): Result.Result<void, ValidationFailed> =>
  names.length <= MAX_FIELDS
    ? Result.void
    : Result.fail(
        new ValidationFailed({
          errors: [{ path: "query", message: `Must have at most ${MAX_FIELDS} parameters; ${names.length} were sent.` }]
        })
      )
