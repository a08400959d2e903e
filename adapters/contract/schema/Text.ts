// Strings in requests and responses: their length and allowed characters, ids and timestamps.
import { Schema } from "effect"
import type { Days } from "#core/domain/ordering/OrderSummary.ts"
import { hiddenCharacterFault, isVisible } from "#core/domain/shared/VisibleText.ts"
import { asName } from "./MemberMarks.ts"

/** The longest string of any field, in characters. */
export const MAX_TEXT = 2_048

const storable = Schema.makeFilter<string>((text) => text.isWellFormed() && !text.includes("\0"), {
  message: "Must be well-formed Unicode without NUL characters.",
  toJsonSchema: () => [{}, true]
})

const noControls = Schema.makeFilter<string>((text) => !/\p{Cc}/u.test(text), {
  message: "Must not contain control characters such as line breaks or tabs.",
  toJsonSchema: () => [{}, true]
})

/** Whether a text has `min` to `max` code points, each of which is one or two code units. They are rarely counted. */
const isBetween = (value: string, min: number, max: number): boolean => {
  const { length } = value
  if (length >= 2 * min && length <= max) return true
  if (length < min || length > 2 * max) return false
  const characters = [...value].length
  return characters >= min && characters <= max
}

const bounds = (min: number, max: number): string =>
  min === 0 ? `at most ${max} characters` : min === 1 ? `1 to ${max} characters` : `${min} to ${max} characters`

/** Text of `min` to `max` characters (code points) that every store can keep: no NUL, no lone surrogate. */
export const text = (min = 0, max = MAX_TEXT) =>
  Schema.String.check(
    Schema.makeFilter((value: string) => isBetween(value, min, max), {
      message: `Must be a string of ${bounds(min, max)}.`,
      toJsonSchema: () => ({ ...(min === 0 ? {} : { minLength: min }), maxLength: max })
    }),
    storable
  )

/** Text on a single line: no control characters. */
export const line = (min: number, max: number) => text(min, max).check(noControls)

const allSeen = Schema.makeFilter<string>(hiddenCharacterFault, { toJsonSchema: () => [{}, true] })

// The length of an empty text is judged by its bounds.
const notBlank = Schema.makeFilter<string>((value) => value === "" || isVisible(value), {
  message: "Must contain at least one visible character.",
  toJsonSchema: () => [{}, true]
})

/** The words of a link: a line of which at least one character is visible and none hidden. */
export const anchorText = line(1, 120).check(allSeen, notBlank)

/** A buyer's own reference: a line of which at least one character is visible and none hidden. */
export const reference = line(1, 100).check(allSeen, notBlank)

/** A name that mails and pages show to others: a line of which at least one character is visible and none hidden. */
export const shownName = line(1, 200).check(allSeen, notBlank)

/** An opaque id. The prefix only documents it: an id of any other form is not found. */
export const id = (prefix: string, what: string) =>
  text(1).annotate({
    description: `${what}. Opaque; starts with \`${prefix}\`.`,
    examples: [`${prefix}0123`],
    ...asName
  })

export const Timestamp = Schema.String.annotate({
  description: "RFC 3339, UTC.",
  format: "date-time",
  examples: ["2026-11-21T09:00:00.000Z"]
})

/** A time in an answer, and what happened or happens then. */
export const at = (what: string) => Timestamp.annotate({ description: `${what} RFC 3339, UTC.` })

export const CreatedAt = at("When it was made.")

/** From milliseconds since the epoch. */
export const timestamp = (atMs: number): string => new Date(atMs).toISOString()

const utcDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" })

/** The days of summaries, such as "4 December 2026". */
export const utcDays: Days = { dayOf: (atMs) => utcDay.format(atMs), zone: "UTC" }

export const timestampOrNull = (atMs: number | null): string | null => (atMs === null ? null : timestamp(atMs))
