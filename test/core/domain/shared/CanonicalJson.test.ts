// Canonical JSON, compared with the vectors of RFC 8785 and an independent implementation.
import canonicalize from "canonicalize"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson, type Json } from "#core/domain/shared/CanonicalJson.ts"
import { property } from "#test/Property.ts"

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "\u20ac", "\r", "\ud83d\ude00", "\ufb33")
)
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 1e21, 1e-7)
)
const valuesWith = (key: fc.Arbitrary<string>) =>
  fc.letrec<{ json: Json; leaf: Json; list: Json; record: Json }>((tie) => ({
    json: fc.oneof({ depthSize: "small", withCrossShrink: true }, tie("leaf"), tie("list"), tie("record")),
    leaf: fc.oneof(fc.constant(null), fc.boolean(), number, text),
    list: fc.array(tie("json"), { maxLength: 5 }),
    record: fc.dictionary(key, tie("json"), { maxKeys: 6, noNullPrototype: true })
  })).json
const json = valuesWith(text)

/**
 * For properties that parse, without keys that need an escape: V8 since 13.6 (Node 24 and 26) sometimes reads the second key of
 * `{"\ufb33":null,"\t":null}` as a backslash.
 */
const parsable = valuesWith(text.filter((key) => JSON.stringify(key) === `"${key}"`))

/** The same value with the members of every object in reverse order. */
const reversed = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)])
  )
}

const doubleOfBits = (hex: string): number => Buffer.from(hex, "hex").readDoubleBE()

describe("canonicalJson", () => {
  it("writes the sample of RFC 8785, section 3.2.2", () => {
    const sample: Json = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)
    expect(canonicalJson(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    )
  })

  it("orders keys by UTF-16 code units (section 3.2.3)", () => {
    const sample: Json = {
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }
    const order = [...canonicalJson(sample).matchAll(/:"([^"]+)"/g)].map(([, value]) => value)
    expect(order).toEqual([
      "Carriage Return",
      "One",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh"
    ])
  })

  // Appendix B: IEEE 754 bits and their text, without NaN and the infinities, which are not JSON values.
  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555554", "333333333.33333325"],
    ["41b3de4355555555", "333333333.3333333"],
    ["41b3de4355555556", "333333333.3333334"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"]
  ])("writes the double %s as %s", (bits, expected) => {
    expect(canonicalJson(doubleOfBits(bits))).toBe(expected)
  })

  it.each<[string, Json, string]>([
    ["an empty object", {}, "{}"],
    ["an empty list", [], "[]"],
    ["an empty key", { b: 1, "": 2 }, '{"":2,"b":1}'],
    ["numeric keys as text", { 10: 1, 9: 2, 1: 3 }, '{"1":3,"10":1,"9":2}'],
    ["upper case before lower", { b: 1, B: 2, a: 3, A: 4 }, '{"A":4,"B":2,"a":3,"b":1}'],
    ["a prefix before the longer key", { ab: 1, a: 2 }, '{"a":2,"ab":1}'],
    ["lists in their own order", [3, 1, 2], "[3,1,2]"],
    ["control characters as escapes", "\b\t\n\f\r\u0000\u001f\u007f", '"\\b\\t\\n\\f\\r\\u0000\\u001f\u007f"'],
    ["a slash and an emoji as they are", "/\u{1f600}", '"/\u{1f600}"'],
    [
      "nested objects, each sorted",
      { z: { b: [], a: null }, y: [{ d: 1, c: 2 }] },
      '{"y":[{"c":2,"d":1}],"z":{"a":null,"b":[]}}'
    ]
  ])("writes %s", (_, value, expected) => {
    expect(canonicalJson(value)).toBe(expected)
  })

  it("keeps a member called __proto__", () => {
    const value: Json = JSON.parse('{"b":1,"__proto__":{"a":2}}')
    expect(canonicalJson(value)).toBe('{"__proto__":{"a":2},"b":1}')
  })

  property("agrees with an independent implementation", [json], (value) => {
    expect(canonicalJson(value)).toBe(canonicalize(value))
  })

  property("does not depend on the order of members", [json], (value) => {
    expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
  })

  property("parses back to the same value, and is its own canonical form", [parsable], (value) => {
    const canonical = canonicalJson(value)
    expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)))
    expect(canonicalJson(JSON.parse(canonical))).toBe(canonical)
  })
})
