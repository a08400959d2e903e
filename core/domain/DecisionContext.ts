// What a decision cannot work out for itself: the time, a stem for new ids, a secret. Fresh for every run of a decision,
// made by the store; a decision given the same books and the same moment decides the same.

/** Milliseconds since the Unix epoch, UTC. */
export type Millis = number

export type Mode = "live" | "sandbox"

export interface DecisionContext {
  readonly nowMs: Millis
  /** 26 characters, sortable by time and unique: everything that one decision creates is named after it. */
  readonly idPrefix: string
  /** At least 128 random bits as text; never derivable from the stem. */
  readonly secret: string
}

export type IdType =
  | "acc_"
  | "key_"
  | "q_"
  | "ord_"
  | "lnk_"
  | "wh_"
  | "evt_"
  | "dlv_"
  | "hld_"
  | "led_"
  | "prj_"
  | "opp_"
  | "aud_"

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

/** The last `length` base32 digits of a whole number that a double carries exactly. */
const base32 = (value: number, length: number): string => {
  let text = ""
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = ALPHABET.charAt(rest % 32) + text
  return text
}

/** So many bytes are so many characters, and a number without loss. */
const GROUP_BYTES = 5
const GROUP_CHARACTERS = 8

const base32OfBytes = (bytes: Uint8Array): string => {
  let text = ""
  for (let at = 0; at < bytes.length; at += GROUP_BYTES) {
    const group = bytes.subarray(at, at + GROUP_BYTES).reduce((value, byte) => value * 256 + byte, 0)
    text += base32(group, GROUP_CHARACTERS)
  }
  return text
}

const ID_TIME_CHARACTERS = 10

/** How the stems of that millisecond begin. */
export const idPrefixAt = (nowMs: Millis): string => base32(nowMs, ID_TIME_CHARACTERS)

/** The time that a stem, or an id behind its prefix, begins with; `undefined` where it is neither. */
export const idTimeMs = (stem: string): Millis | undefined => {
  const digits = [...stem.slice(0, ID_TIME_CHARACTERS)].map((character) => ALPHABET.indexOf(character))
  if (digits.length < ID_TIME_CHARACTERS || digits.includes(-1)) return undefined
  return digits.reduce((value, digit) => value * 32 + digit, 0)
}

/** Of the randomness that `makeMoment` wants, the first bytes are the stem's. */
export const ID_PREFIX_BYTES = 10

/** Bytes of randomness that `makeMoment` wants: ten for the stem, twenty for the secret. */
export const CONTEXT_ENTROPY_BYTES = ID_PREFIX_BYTES + 20

export const makeDecisionContext = (nowMs: Millis, entropy: Uint8Array): DecisionContext => ({
  nowMs,
  idPrefix: idPrefixAt(nowMs) + base32OfBytes(entropy.subarray(0, ID_PREFIX_BYTES)),
  secret: base32OfBytes(entropy.subarray(ID_PREFIX_BYTES, CONTEXT_ENTROPY_BYTES))
})

/** The `ordinal`-th id of a decision. Sandbox ids continue with `test_`. */
export const makeId = (type: IdType, mode: Mode, idPrefix: string, ordinal: number): string =>
  `${type}${mode === "sandbox" ? "test_" : ""}${idPrefix}${base32(ordinal, 2)}`

const FRACTION_CHARACTERS = 5

/** A random number of the moment, from 0 to below 1: 25 bits of its secret, for whatever needs jitter. */
export const jitterOf = ({ secret }: DecisionContext): number => {
  let value = 0
  for (const character of secret.slice(0, FRACTION_CHARACTERS)) value = value * 32 + ALPHABET.indexOf(character)
  return value / 32 ** FRACTION_CHARACTERS
}

export const DAY_MS = 86_400_000

/** The UTC day as a count of days since the epoch; a day of an account's limits begins and ends with it. */
export const utcDay = (atMs: Millis): number => Math.floor(atMs / DAY_MS)

export const dayEndsAtMs = (day: number): Millis => (day + 1) * DAY_MS
