// The text format of an API key: prefix, 32 random base62 characters, and a checksum that is verified before any look-up.
import { Result } from "effect"
import type { Mode } from "../shared/DecisionContext.ts"

/** The parts of a key that may be stored and shown: `sn_live_…Ab3Z` is enough for its owner to recognise it. */
export interface ParsedKey {
  readonly mode: Mode
  readonly prefix: string
  readonly lastFour: string
}

const PREFIXES: { readonly [mode in Mode]: string } = { live: "sn_live_", sandbox: "sn_test_" }
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const encoder = new TextEncoder()
const keyShape = /^sn_(?:live|test)_[0-9A-Za-z]{38}$/

/** Whether a text was meant as a key; it need not be a valid one. */
export const isKeyText = (text: string): boolean => text.startsWith("sn_")

/** The random bytes of a new key: 320 bits, far more than the 190 that 32 base62 characters hold (see `formatKey`). */
export const KEY_ENTROPY_BYTES = 40

/** The last `width` base62 digits of a number, padded with leading zeros. */
const base62 = (value: bigint, width: number): string => {
  let digits = ""
  for (let rest = value; digits.length < width; rest /= 62n) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits
  }
  return digits
}

/** CRC-32 as in zlib, PNG and Ethernet: the remainders of every byte by the reflected polynomial 0x04C11DB7. */
const crcOfByte = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  }
  return remainder
})

const crc32 = (bytes: Uint8Array): number => {
  const remainder = bytes.reduce((crc, byte) => (crc >>> 8) ^ (crcOfByte[(crc ^ byte) & 0xff] ?? 0), 0xffffffff)
  return (remainder ^ 0xffffffff) >>> 0
}

/** `base62` for numbers up to 62 ** 8, faster without big integers: the key of every request is checked. */
const base62OfNumber = (value: number, width: number): string => {
  let digits = ""
  for (let rest = value; digits.length < width; rest = Math.floor(rest / 62))
    digits = ALPHABET.charAt(rest % 62) + digits
  return digits
}

/** Appends the checksum: the CRC-32 of `body` as six base62 characters. */
export const withChecksum = (body: string): string =>
  body + base62OfNumber(crc32(encoder.encode(body)), CHECKSUM_LENGTH)

/**
 * The text of a new key. `entropy` is read as one big-endian number and reduced modulo 62^32 (190.5 bits). With `KEY_ENTROPY_BYTES`
 * random bytes the modulo bias is below 2^-129; with fewer bytes the key space shrinks.
 */
export const formatKey = (mode: Mode, entropy: Uint8Array): string => {
  const drawn = entropy.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return withChecksum(PREFIXES[mode] + base62(drawn, SECRET_LENGTH))
}

/**
 * Reads a presented key. `malformed`: the text does not have the shape of a key; `bad_checksum`: it has the shape but is mistyped or
 * invented. Success proves a valid checksum, not that the key was issued.
 */
export const parseKey = (text: string): Result.Result<ParsedKey, "malformed" | "bad_checksum"> => {
  if (!keyShape.test(text)) return Result.fail("malformed")
  if (withChecksum(text.slice(0, -CHECKSUM_LENGTH)) !== text) return Result.fail("bad_checksum")
  const mode: Mode = text.startsWith(PREFIXES.live) ? "live" : "sandbox"
  return Result.succeed({ mode, prefix: PREFIXES[mode], lastFour: text.slice(-4) })
}
