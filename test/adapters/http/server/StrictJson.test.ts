// Strict JSON agrees with JSON.parse on unambiguous text, and names the fault of any other.
import { isDeepStrictEqual } from "node:util"
import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseStrictJson } from "#adapters/http/server/StrictJson.ts"
import { property } from "#test/Property.ts"

const faultOf = (text: string) => Result.getOrThrow(Result.flip(parseStrictJson(text)))
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)

/** JSON texts of the strict profile, made by `JSON.stringify`. */
const wellFormed = fc.string({ unit: "grapheme" })
const number = fc
  .oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }))
  .map((value) => value + 0) // -0 + 0 is 0
/** Without escapes, because V8 sometimes misreads an escaped key: see `CanonicalJson.test.ts`. */
const key = fc
  .oneof(wellFormed, fc.constantFrom("__proto__", "constructor", "toString", "{", ","))
  .filter((text) => JSON.stringify(text) === `"${text}"`)
const { json } = fc.letrec((tie) => ({
  json: fc.oneof({ depthSize: "small" }, tie("leaf"), tie("list"), tie("record")),
  leaf: fc.oneof(fc.constant(null), fc.boolean(), number, wellFormed),
  list: fc.array(tie("json"), { maxLength: 5 }),
  record: fc.array(fc.tuple(key, tie("json")), { maxLength: 6 }).map((members) => Object.fromEntries(members))
}))
const jsonText = fc
  .tuple(json, fc.constantFrom(0, 1, "\t", " \n"))
  .map(([value, space]) => JSON.stringify(value, null, space))

describe("parseStrictJson", () => {
  property("reads what JSON.parse reads if nothing is ambiguous", [jsonText], (text) => {
    const value = Result.getOrThrow(parseStrictJson(text))
    expect(isDeepStrictEqual(value, JSON.parse(text))).toBe(true)
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
  })

  const escapeAll = (text: string) =>
    `"${text
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("")}"`
  property("reads escaped text as the same value", [wellFormed], (text) => {
    expect(parseStrictJson(escapeAll(text))).toEqual(Result.succeed(text))
    expect(parseStrictJson(`{${escapeAll(text)}:1}`)).toEqual(Result.succeed(Object.fromEntries([[text, 1]])))
  })

  const token = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"\\u0061"',
    '"',
    "\\",
    "1",
    "-0",
    "1e400",
    "null",
    " ",
    "\uFEFF",
    "\ud800"
  )
  const text = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new TextDecoder().decode(bytes)),
    fc.string({ unit: "binary" }),
    fc.array(token, { maxLength: 12 }).map((tokens) => tokens.join("")),
    fc
      .tuple(jsonText, fc.nat(), token)
      .map(([text, at, token]) => text.slice(0, at % (text.length + 1)) + token + text.slice(at % (text.length + 1)))
  )
  property("never throws, and never accepts what JSON.parse rejects", [text], (text) => {
    const verdict = parseStrictJson(text)
    if (Result.isSuccess(verdict)) expect(isDeepStrictEqual(verdict.success, JSON.parse(text))).toBe(true)
    else if (verdict.failure.offset !== undefined) {
      expect(verdict.failure.offset).toBeGreaterThanOrEqual(0)
      expect(verdict.failure.offset).toBeLessThanOrEqual(text.length)
    }
  })

  property(
    "rejects a duplicate key anywhere, with its offset",
    [fc.array(fc.tuple(key, json), { minLength: 1, maxLength: 5 }), fc.nat(), json],
    (members, pick, value) => {
      const distinct = [...new Map(members)]
      const [again = ""] = distinct[pick % distinct.length] ?? []
      const head = `[{"x":{}},{${distinct.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")},`
      const fault = faultOf(`${head}${JSON.stringify(again)}:${JSON.stringify(value)}}]`)
      expect(fault.message).toContain("twice")
      expect(fault.offset).toBe(head.length)
    }
  )

  it.each([
    ["two equal keys", '{"a":1,"a":2}', 7],
    ["two equal keys with equal values", '{"a":1,"a":1}', 7],
    ["a key and the same key escaped", '{"a":1,"\\u0061":2}', 7],
    ["a key after a nested object", '{"a":{"b":1},"a":2}', 13],
    ["a key after a nested list", '{"a":["a",{}],"a":2}', 14],
    ["two __proto__", '{"__proto__":1,"__proto__":2}', 15],
    ["two empty keys", '{"":1,"":2}', 6],
    ["a repeated key in an inner object", '[{"a":{"b":1,"b":2}}]', 13]
  ])("refuses %s", (_, text, offset) => {
    expect(faultOf(text)).toEqual({ message: expect.stringMatching(/^The key ".*" appears twice/), offset })
  })

  it("names a duplicate key of an object, unless it contains an API key", () => {
    const secret = `sn_live_${"x".repeat(38)}`
    expect(faultOf(`{"${secret}":1,"${secret}":2}`).message).toBe('The key "sn_live_…" appears twice in one object.')
  })

  it.each([
    '{"a":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":1,"A":2}',
    '{"a":["b","b"],"b":1}',
    '{"é":1,"e\u0301":2}',
    '{"a:1,\\"a":1,"a":2}'
  ])("sees no repeated key in %s", (text) => {
    expect(parseStrictJson(text)).toEqual(Result.succeed(JSON.parse(text)))
  })

  it.each(["-0", "-0.0", "-0e5", "-0.000E-3", "[1,-0]", '{"a":-0}', "-1e-400"])(
    "refuses the negative zero in %s",
    (text) => {
      expect(faultOf(text).message).toContain("Negative zero")
    }
  )

  const tooLarge =
    "1e400 -1e400 1e309 9007199254740992 -9007199254740992 9007199254740993 1e16 1E+30 90071992547409920e-1 12345678901234567890.5"

  it.each(tooLarge.split(" "))("refuses %s as too large", (text) => {
    expect(faultOf(text)).toEqual({ message: expect.stringContaining("9007199254740991"), offset: 0 })
    expect(faultOf(`{"a":[0, ${text}]}`).offset).toBe(9)
  })

  it.each("1e-400 0.1e-400 123e-999".split(" "))("refuses %s as too small", (text) => {
    expect(faultOf(text)).toEqual({ message: expect.stringContaining("close to zero"), offset: 0 })
  })

  it.each("0 0.0 0e5 0E-999 1 -1 1e3 1.5 -1.5e-3 9007199254740991 -9007199254740991 5e-324 0.1 1e15".split(" "))(
    "takes the number %s",
    (text) => {
      expect(parseStrictJson(text)).toEqual(Result.succeed(Number(text)))
      expect(parseStrictJson(`[${text},${text}]`)).toEqual(Result.succeed([Number(text), Number(text)]))
    }
  )

  it.each([
    ["escaped high", '"\\ud800"', 0],
    ["escaped low", '"\\udc00x"', 0],
    ["escaped in the wrong order", '"\\udc00\\ud800"', 0],
    ["raw", '["a","\ud800"]', 5],
    ["half raw, half escaped, in the wrong order", '"\udc00\\ud800"', 0],
    ["in a key", '{"\\udead":1}', 1]
  ])("refuses a lone surrogate: %s", (_, text, offset) => {
    expect(faultOf(text)).toEqual({ message: expect.stringContaining("surrogate"), offset })
  })

  it("accepts surrogate pairs, raw or escaped, and NUL as an escape", () => {
    expect(parseStrictJson('["\u{1f600}","\\ud83d\\ude00","\\u0000"]')).toEqual(Result.succeed(["😀", "😀", "\u0000"]))
  })

  it("accepts nesting 32 deep and no deeper", () => {
    expect(parseStrictJson(nested(32))).toEqual(Result.succeed(JSON.parse(nested(32))))
    expect(faultOf(nested(33))).toEqual({ message: expect.stringContaining("deeper than 32"), offset: 32 })
    expect(faultOf(`${'{"a":'.repeat(33)}1${"}".repeat(33)}`).message).toContain("deeper than 32")
    expect(Result.isSuccess(parseStrictJson(`[${Array(100).fill(nested(31)).join(",")}]`))).toBe(true)
  })

  it.each([
    ["a million levels", nested(1_000_000)],
    ["a million levels left open", "[".repeat(1_000_000)],
    ["a million levels of objects", '{"a":'.repeat(1_000_000)]
  ])("survives %s", (_, text) => {
    expect(Result.isFailure(parseStrictJson(text))).toBe(true)
  })

  it("reads a long text of escapes, digits and members", () => {
    const value = { escapes: '\\\n"'.repeat(300_000), list: Array.from({ length: 100_000 }, (_, index) => index) }
    expect(parseStrictJson(JSON.stringify(value))).toEqual(Result.succeed(value))
  })

  it("rejects a byte order mark at the start only", () => {
    expect(faultOf('\uFEFF{"a":1}')).toEqual({ message: expect.stringContaining("byte order mark"), offset: 0 })
    expect(parseStrictJson('"\uFEFF"')).toEqual(Result.succeed("\uFEFF"))
  })

  it("keeps __proto__ as an own member and changes no prototype", () => {
    const value = Result.getOrThrow(
      parseStrictJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    )
    expect(Object.keys(Object(value))).toEqual(["__proto__", "constructor"])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object(value).polluted).toBeUndefined()
    expect(Object({}).polluted).toBeUndefined()
  })

  it.each([
    "",
    " ",
    "{",
    "[1,]",
    '{"a":1,}',
    "{a:1}",
    "'a'",
    "01",
    "+1",
    "1.",
    ".5",
    "NaN",
    "Infinity",
    "undefined",
    "nul",
    '"\n"',
    '"a',
    '"\\x"',
    "1 2",
    "[1]]",
    "// x\n1",
    "\u00a01"
  ])("refuses %j, which is no JSON", (text) => {
    expect(faultOf(text).message).toBe("The text is not valid JSON.")
  })

  it("gives the offset of a syntax error if known, and never repeats the text", () => {
    expect(faultOf('{"secret":1,}')).toEqual({ message: "The text is not valid JSON.", offset: 12 })
    expect(faultOf("secret in JSON at position 3")).toEqual({ message: "The text is not valid JSON." })
  })
})
