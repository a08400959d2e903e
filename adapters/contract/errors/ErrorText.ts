// Code and wording of one failure, from which an error body is built.
import type { Refusal } from "#core/domain/Refusal.ts"
import type { FieldPath } from "#core/domain/shared/RequestRefusal.ts"
import type { CredentialKind } from "./CredentialNouns.ts"
import type { ErrorBody, FieldError } from "./ErrorBody.ts"
import type { ErrorCode } from "./ErrorCode.ts"
import type { DetailsOf } from "./ErrorDetails.ts"

interface Wording {
  /** Overrides the code's status; only `malformed_request` has several. */
  readonly status?: number
  /** Overrides the code's. */
  readonly retryable?: boolean
  /** Overrides the code's. */
  readonly recovery?: ErrorBody["error"]["recovery"]
  readonly message: string
  readonly suggestion?: string
  readonly param?: string
  readonly errors?: ReadonlyArray<FieldError>
  readonly headers?: Readonly<Record<string, string>>
}

/** The wording of a code with the facts that it has. */
export type ErrorText = { readonly [Code in ErrorCode]: Wording & { readonly code: Code } & DetailsOf<Code> }[ErrorCode]

/** The text of each failure of a union, for a caller by a key or by a connection; a missing one does not compile. */
export type ErrorTexts<F extends { readonly _tag: string }> = {
  readonly [Tag in F["_tag"]]: (failure: Extract<F, { readonly _tag: Tag }>, by: CredentialKind) => ErrorText
}

/** The texts of some refusals; the error table checks that none is missing. */
export type RefusalTexts = Partial<ErrorTexts<Refusal>>

/** Fields whose wire name is not their own name in snake case. */
const WIRE_NAMES: Readonly<Record<string, string>> = { maxTotalCents: "max_total_eur" }

const wireName = (field: string): string =>
  WIRE_NAMES[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `{ item: 0, field: "siteId" }` is `items[0].site_id`. */
export const pathOf = (path: FieldPath): string =>
  "item" in path ? `items[${path.item}].${wireName(path.field)}` : wireName(path.field)

/** `param` for a failure that concerns a field, nothing otherwise. */
export const paramOf = (path: FieldPath | undefined): { readonly param?: string } =>
  path === undefined ? {} : { param: pathOf(path) }

/** The most characters of input that a message repeats. */
const MAX_EXCERPT = 80

/** An API key sent in the wrong place must not appear in an error or a log. */
const KEY = /sn_(live|test)_\w+/g

/** Input made safe to repeat in a message: truncated, API keys masked. */
export const safeExcerpt = (text: string, max = MAX_EXCERPT): string => {
  const safe = text.slice(0, 2 * max).replace(KEY, "sn_$1_…")
  return safe.length <= max && text.length <= 2 * max ? safe : `${safe.slice(0, max)}…`
}

/** Every field that is wrong, by its path. */
export const invalidFields = (errors: readonly [FieldError, ...ReadonlyArray<FieldError>]): ErrorText => {
  const [{ path, message }] = errors
  return {
    code: "validation_failed",
    message:
      errors.length === 1 ? `${path}: ${message}` : `${errors.length} things are wrong; the first: ${path}: ${message}`,
    param: path,
    errors,
    suggestion:
      "Correct every entry of `errors` and send the request again; an Idempotency-Key sent along is not bound by it."
  }
}
