// What a decision cannot work out for itself: the time, a stem for new ids, a secret. Fresh for every run of a decision,
// made by the store; a decision given the same books and the same moment decides the same.

/** Milliseconds since the Unix epoch, UTC. */
export type Millis = number

export type Mode = "live" | "sandbox"

export interface Moment {
  readonly nowMs: Millis
  /** 26 characters, sortable by time and unique: everything that one decision creates is named after it. */
  readonly stem: string
  /** At least 128 random bits as text; never derivable from the stem. */
  readonly secret: string
}

export type IdPrefix =
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

const base32 = (value: bigint, length: number): string => {
  let text = ""
  for (let rest = value, i = 0; i < length; i++, rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text
  return text
}

const toBigInt = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

const STEM_TIME_CHARACTERS = 10

/** How the stems of that millisecond begin. */
export const stemAt = (nowMs: Millis): string => base32(BigInt(nowMs), STEM_TIME_CHARACTERS)

/** The time that a stem, or an id behind its prefix, begins with; `undefined` where it is neither. */
export const stemTimeMs = (stem: string): Millis | undefined => {
  const digits = [...stem.slice(0, STEM_TIME_CHARACTERS)].map((character) => ALPHABET.indexOf(character))
  if (digits.length < STEM_TIME_CHARACTERS || digits.includes(-1)) return undefined
  return digits.reduce((value, digit) => value * 32 + digit, 0)
}

/** Bytes of randomness that `makeMoment` wants: ten for the stem, twenty for the secret. */
export const MOMENT_ENTROPY_BYTES = 30

export const makeMoment = (nowMs: Millis, entropy: Uint8Array): Moment => ({
  nowMs,
  stem: stemAt(nowMs) + base32(toBigInt(entropy.subarray(0, 10)), 16),
  secret: base32(toBigInt(entropy.subarray(10, MOMENT_ENTROPY_BYTES)), 32)
})

/** The `ordinal`-th id of a decision. Sandbox ids continue with `test_`. */
export const makeId = (prefix: IdPrefix, mode: Mode, stem: string, ordinal: number): string =>
  `${prefix}${mode === "sandbox" ? "test_" : ""}${stem}${base32(BigInt(ordinal), 2)}`

const FRACTION_CHARACTERS = 5

/** A random number of the moment, from 0 to below 1: 25 bits of its secret, for whatever needs jitter. */
export const fractionOf = ({ secret }: Moment): number => {
  let value = 0
  for (const character of secret.slice(0, FRACTION_CHARACTERS)) value = value * 32 + ALPHABET.indexOf(character)
  return value / 32 ** FRACTION_CHARACTERS
}

export const DAY_MS = 86_400_000

/** The UTC day as a count of days since the epoch; a day of an account's limits begins and ends with it. */
export const utcDay = (atMs: Millis): number => Math.floor(atMs / DAY_MS)

export const dayEndsAtMs = (day: number): Millis => (day + 1) * DAY_MS
