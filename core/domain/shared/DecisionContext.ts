// The time, ids and randomness that a store passes to a decision, fresh for every run. The same books and the same context always
// give the same decision.
import { Schema } from "effect"
import type { IdByPrefix } from "./Ids.ts"

/** Milliseconds since the Unix epoch, UTC. */
export const Millis = Schema.Int
export type Millis = typeof Millis.Type

/** What a client is told to wait. */
export const secondsUntil = (atMs: Millis, nowMs: Millis): number => Math.max(1, Math.ceil((atMs - nowMs) / 1_000))

export const Mode = Schema.Literals(["live", "sandbox"])
export type Mode = typeof Mode.Type

export interface DecisionContext {
  readonly nowMs: Millis
  /** 26 characters, unique and sortable by time. The ids of everything that the decision creates begin with it. */
  readonly idPrefix: string
  /** At least 128 random bits as text, independent of the id prefix. */
  readonly secret: string
}

export type IdType = keyof IdByPrefix

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

const PAIRS = Array.from(
  { length: 32 * 32 },
  (_, pair) => ALPHABET.charAt(Math.floor(pair / 32)) + ALPHABET.charAt(pair % 32)
)

/** The last `length` base32 digits of a whole number that a double carries exactly; an even number of digits, two at a time. */
const base32 = (value: number, length: number): string => {
  let text = ""
  for (let rest = value; text.length < length; rest = Math.floor(rest / PAIRS.length)) {
    text = PAIRS[rest % PAIRS.length] + text
  }
  return text
}

/** Five bytes are eight base32 characters, and a number that a double carries exactly. */
const GROUP_BYTES = 5
const GROUP_CHARACTERS = 8

const base32OfBytes = (bytes: Uint8Array, from: number, to: number): string => {
  let text = ""
  for (let start = from; start < to; start += GROUP_BYTES) {
    let group = 0
    for (let at = start; at < start + GROUP_BYTES; at++) group = group * 256 + (bytes[at] ?? 0)
    text += base32(group, GROUP_CHARACTERS)
  }
  return text
}

const ID_TIME_CHARACTERS = 10

/** The beginning of every id prefix of that millisecond. A time before 1970 counts as its first millisecond: no id is older. */
export const idPrefixAt = (nowMs: Millis): string => base32(Math.max(0, nowMs), ID_TIME_CHARACTERS)

/** The time at the beginning of an id prefix, or of an id without its type; `undefined` for other text. */
export const idTimeMs = (text: string): Millis | undefined => {
  if (text.length < ID_TIME_CHARACTERS) return undefined
  let value = 0
  for (let at = 0; at < ID_TIME_CHARACTERS; at++) {
    const digit = ALPHABET.indexOf(text.charAt(at))
    if (digit < 0) return undefined
    value = value * 32 + digit
  }
  return value
}

/** The random bytes of an id prefix. */
export const ID_PREFIX_BYTES = 10

/** The random bytes of a context: those of the id prefix, then twenty of the secret. */
export const CONTEXT_ENTROPY_BYTES = ID_PREFIX_BYTES + 20

/** `entropy`: at least `ID_PREFIX_BYTES` random bytes. */
export const idPrefixOf = (nowMs: Millis, entropy: Uint8Array): string =>
  idPrefixAt(nowMs) + base32OfBytes(entropy, 0, ID_PREFIX_BYTES)

/** `entropy`: `CONTEXT_ENTROPY_BYTES` random bytes. */
export const secretOf = (entropy: Uint8Array): string => base32OfBytes(entropy, ID_PREFIX_BYTES, CONTEXT_ENTROPY_BYTES)

export const makeDecisionContext = (nowMs: Millis, entropy: Uint8Array): DecisionContext => ({
  nowMs,
  idPrefix: idPrefixOf(nowMs, entropy),
  secret: secretOf(entropy)
})

/** The `ordinal`-th id of a decision. Sandbox ids have `test_` after their type. */
export const makeId = <Type extends IdType>(
  type: Type,
  mode: Mode,
  idPrefix: string,
  ordinal: number
): IdByPrefix[Type] =>
  // An id is of the kind that its prefix says: here it gets it.
  `${type}${mode === "sandbox" ? "test_" : ""}${idPrefix}${base32(ordinal, 2)}` as IdByPrefix[Type]

const FRACTION_CHARACTERS = 5

/** A random number from 0 to below 1, for jitter: 25 bits of the secret. */
export const jitterOf = ({ secret }: DecisionContext): number => {
  let value = 0
  for (const character of secret.slice(0, FRACTION_CHARACTERS)) value = value * 32 + ALPHABET.indexOf(character)
  return value / 32 ** FRACTION_CHARACTERS
}

export const DAY_MS = 86_400_000

/** The UTC day, counted from the Unix epoch. Daily limits apply per UTC day. */
export const utcDay = (atMs: Millis): number => Math.floor(atMs / DAY_MS)

export const dayEndsAtMs = (day: number): Millis => (day + 1) * DAY_MS
