// Lengths of lists and objects in a request, checked before their members: decoding thousands of them would take longer than all else that a
// request does, also if none has a fault.
import { Predicate, Result } from "effect"
import { ValidationFailed } from "../errors/AdapterFailure.ts"
import { safeExcerpt } from "../errors/ErrorText.ts"
import { MAX_ENTRIES } from "../schema/QueryValue.ts"

/** More than the fields of any object in a request. */
export const MAX_FIELDS = 32

const tooLong = (path: string, message: string) =>
  Result.fail(new ValidationFailed({ errors: [{ path: path === "" ? "body" : path, message }] }))

const pathOf = (path: string, name: string, isEntry: boolean): string => {
  if (isEntry) return `${path}[${name}]`
  const shown = safeExcerpt(name, 64)
  return path === "" ? shown : `${path}.${shown}`
}

/** Where a value is in the request; only worked out if it is too long. */
type PathOf = () => string

/** Whether every list and object of a JSON value is short enough. Outer ones come before what they contain. */
export const checkLengths = (value: unknown, path: PathOf = () => ""): Result.Result<void, ValidationFailed> => {
  if (Array.isArray(value)) {
    if (value.length > MAX_ENTRIES)
      return tooLong(path(), `Must have at most ${MAX_ENTRIES} entries; ${value.length} were sent.`)
    return checkMembers(value, path, true)
  }
  if (!Predicate.isObject(value)) return Result.void
  const { length } = Object.keys(value)
  return length > MAX_FIELDS
    ? tooLong(path(), `Must have at most ${MAX_FIELDS} fields; ${length} were sent.`)
    : checkMembers(value, path, false)
}

const checkMembers = (value: object, path: PathOf, isEntries: boolean): Result.Result<void, ValidationFailed> => {
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== "object" || member === null) continue
    const checked = checkLengths(member, () => pathOf(path(), name, isEntries))
    if (Result.isFailure(checked)) return checked
  }
  return Result.void
}

/** Whether a query has no more parameters, and none of them more values, than any call takes. */
export const checkParameters = (
  query: Readonly<Record<string, string | ReadonlyArray<string>>>
): Result.Result<void, ValidationFailed> => {
  const { length } = Object.keys(query)
  return length <= MAX_FIELDS
    ? checkLengths(query)
    : tooLong("query", `Must have at most ${MAX_FIELDS} parameters; ${length} were sent.`)
}
