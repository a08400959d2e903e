// The format of API keys, compared with zlib's CRC-32 and an independent base62 decoder.
import { crc32 } from "node:zlib"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatKey, KEY_ENTROPY_BYTES, parseKey, withChecksum } from "#core/domain/access/ApiKeyFormat.ts"
import { property } from "#test/Property.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const readBase62 = (text: string): bigint =>
  [...text].reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n)
const bigEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`)

const mode = fc.constantFrom("live" as const, "sandbox" as const)
const entropy = fc.uint8Array({ minLength: KEY_ENTROPY_BYTES, maxLength: KEY_ENTROPY_BYTES })
const base62Char = fc.constantFrom(...alphabet)
const key = fc.tuple(mode, entropy).map(([mode, entropy]) => formatKey(mode, entropy))

describe("withChecksum", () => {
  property(
    "appends the CRC-32 of zlib in six base62 characters, whatever the text",
    [fc.string({ unit: "grapheme", maxLength: 60 })],
    (body) => {
      const checksum = withChecksum(body).slice(body.length)
      expect(checksum).toMatch(/^[0-9A-Za-z]{6}$/)
      expect(readBase62(checksum)).toBe(BigInt(crc32(body)))
    }
  )

  it('uses the standard CRC-32: check value of "123456789"', () => {
    expect(readBase62(withChecksum("123456789").slice(-6))).toBe(0xcbf43926n)
    expect(withChecksum("")).toBe("000000")
  })

  it("makes valid keys from readable text, for the fixed keys of the demo", () => {
    const demo = withChecksum("sn_live_DemoLiveKeyWithCreditForReadme01")
    expect(parseKey(demo)).toEqual(
      Result.succeed({ mode: "live", prefix: "sn_live_", lastFour: demo.slice(demo.length - 4) })
    )
  })
})

describe("formatKey", () => {
  it("writes prefix, 32 characters and checksum", () => {
    expect(formatKey("live", new Uint8Array(40))).toBe(withChecksum(`sn_live_${"0".repeat(32)}`))
    expect(formatKey("sandbox", new Uint8Array(40).fill(0, 0, 39).fill(61, 39))).toBe(
      withChecksum(`sn_test_${"0".repeat(31)}z`)
    )
  })

  property(
    "uses every bit: the body is the entropy modulo 62^32, for any number of bytes",
    [mode, fc.uint8Array({ maxLength: 80 })],
    (mode, entropy) => {
      const text = formatKey(mode, entropy)
      expect(text).toMatch(mode === "live" ? /^sn_live_[0-9A-Za-z]{38}$/ : /^sn_test_[0-9A-Za-z]{38}$/)
      expect(readBase62(text.slice(8, 40))).toBe(bigEndian(entropy) % 62n ** 32n)
    }
  )

  it("takes enough bytes to make the modulo bias negligible", () => {
    expect(256n ** BigInt(KEY_ENTROPY_BYTES) / 62n ** 32n).toBeGreaterThan(2n ** 128n)
  })
})

describe("parseKey", () => {
  property("reads back what formatKey wrote", [mode, entropy], (mode, entropy) => {
    const text = formatKey(mode, entropy)
    const prefix = mode === "live" ? "sn_live_" : "sn_test_"
    expect(parseKey(text)).toEqual(Result.succeed({ mode, prefix, lastFour: text.substring(42) }))
  })

  property(
    "detects every single wrong character after the prefix",
    [key, fc.integer({ min: 8, max: 45 }), base62Char],
    (text, at, other) => {
      fc.pre(text.charAt(at) !== other)
      const wrong = text.slice(0, at) + other + text.slice(at + 1)
      expect(parseKey(wrong)).toEqual(Result.fail("bad_checksum"))
    }
  )

  property(
    "detects every swap of neighbours in the random part",
    [key, fc.integer({ min: 8, max: 38 })],
    (text, at) => {
      fc.pre(text.charAt(at) !== text.charAt(at + 1))
      const swapped = text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
      expect(parseKey(swapped)).toEqual(Result.fail("bad_checksum"))
    }
  )

  it("detects a sandbox key with the prefix of a live one", () => {
    const dressed = formatKey("sandbox", new Uint8Array(40).fill(7)).replace("sn_test_", "sn_live_")
    expect(parseKey(dressed)).toEqual(Result.fail("bad_checksum"))
  })

  const sound = withChecksum(`sn_live_${"aB3".repeat(10)}xy`)
  it.each([
    ["nothing", ""],
    ["the prefix alone", "sn_live_"],
    ["an unknown prefix", sound.replace("live", "prod")],
    ["an upper-case prefix", sound.replace("sn_live_", "SN_LIVE_")],
    ["one character short", sound.slice(0, -1)],
    ["one character long", `${sound}0`],
    ["white space before", ` ${sound}`],
    ["white space after", `${sound} `],
    ["a line end after", `${sound}\n`],
    ["a line before", `x\n${sound}`],
    ["a character outside base62", sound.replace("aB3", "a-3")],
    ["a letter that only looks right", sound.replace("a", "а")],
    ["a NUL byte", sound.replace("aB3", "a\u00003")],
    ["another scheme", `Bearer ${sound}`]
  ])("calls %s malformed", (_, text) => {
    expect(parseKey(text)).toEqual(Result.fail("malformed"))
  })

  property("never accepts arbitrary text as a key", [fc.oneof(fc.string(), fc.string({ unit: "binary" }))], (text) => {
    expect(parseKey(text)).toEqual(Result.fail("malformed"))
  })
})
