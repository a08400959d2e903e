// What the error table says of one failure, before it becomes a body.
import type { Schema } from "effect"
import type { FieldPath } from "#core/domain/Refusal.ts"
import type { FieldError } from "./ErrorBody.ts"
import type { ErrorCode } from "./ErrorCode.ts"

export interface ErrorText {
  readonly code: ErrorCode
  /** Overrides the code's own status; only for broken HTTP, which has several. */
  readonly status?: number
  readonly message: string
  readonly suggestion?: string
  readonly param?: string
  readonly details?: Readonly<Record<string, Schema.Json>>
  readonly errors?: ReadonlyArray<FieldError>
  readonly headers?: Readonly<Record<string, string>>
}

/** How each failure of a family is explained; a missing one does not compile. */
export type ErrorTexts<F extends { readonly _tag: string }> = {
  readonly [Tag in F["_tag"]]: (failure: Extract<F, { readonly _tag: Tag }>) => ErrorText
}

/** Fields whose wire name is not just their own in snake case. */
const WIRE_NAMES: Readonly<Record<string, string>> = { maxTotalCents: "max_total_eur" }

const wireName = (field: string): string =>
  WIRE_NAMES[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `{ item: 0, field: "siteId" }` is `items[0].site_id`. */
export const pathOf = (path: FieldPath): string =>
  "item" in path ? `items[${path.item}].${wireName(path.field)}` : wireName(path.field)

/** A `param` where there is a place, nothing where there is none. */
export const paramOf = (path: FieldPath | undefined): { readonly param?: string } =>
  path === undefined ? {} : { param: pathOf(path) }

/** Longer pieces of input than this are never repeated. */
const MAX_EXCERPT = 80

/** A key sent in the wrong place must not come back in an error, nor reach a log with it. */
const KEY = /sn_(live|test)_\w+/g

/** Input that may be repeated in a message: short, and without keys. */
export const safeExcerpt = (text: string, max = MAX_EXCERPT): string => {
  const safe = text.slice(0, 2 * max).replace(KEY, "sn_$1_…")
  return safe.length <= max && text.length <= 2 * max ? safe : `${safe.slice(0, max)}…`
}
