// The strings of the wire: how long they may be and what they may never hold. Owns no meaning of any field.
import { Schema } from "effect"

/** The longest string that any field takes, in characters (contract §1). */
const MAX_TEXT = 2_048

const storable = Schema.makeFilter<string>((text) => text.isWellFormed() && !text.includes("\0"), {
  message: "Must be well-formed Unicode without NUL characters.",
  toJsonSchema: () => [{}, true]
})

const noControls = Schema.makeFilter<string>((text) => !/\p{Cc}/u.test(text), {
  message: "Must not contain control characters such as line breaks or tabs.",
  toJsonSchema: () => [{}, true]
})

const isBetween = (value: number, min: number, max: number): boolean => value >= min && value <= max

const bounds = (min: number, max: number): string =>
  min === 0 ? `at most ${max} characters` : min === 1 ? `1 to ${max} characters` : `${min} to ${max} characters`

/** Text of `min` to `max` characters (code points) that any store can keep: no NUL, no half of a surrogate pair. */
export const text = (min = 0, max = MAX_TEXT) =>
  Schema.String.check(
    Schema.makeFilter((value: string) => value.length <= 2 * max && isBetween([...value].length, min, max), {
      message: `Must be a string of ${bounds(min, max)}.`,
      toJsonSchema: () => ({ ...(min === 0 ? {} : { minLength: min }), maxLength: max })
    }),
    storable
  )

/** The same on a single line: no control characters at all. */
export const line = (min: number, max: number) => text(min, max).check(noControls)

/** An opaque id. The prefix is documentation: whatever is not an id of ours is simply not found. */
export const id = (prefix: string, what: string) =>
  text(1).annotate({ description: `${what}. Opaque; starts with \`${prefix}\`.`, examples: [`${prefix}0123`] })

export const Timestamp = Schema.String.annotate({
  description: "RFC 3339 in UTC.",
  format: "date-time",
  examples: ["2026-11-21T09:00:00.000Z"]
})

/** Milliseconds since the epoch as the wire has them. */
export const timestamp = (atMs: number): string => new Date(atMs).toISOString()
