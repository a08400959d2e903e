// Ids are sortable by time, distinct, and marked in sandbox. The secret shares no bits with them.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CONTEXT_ENTROPY_BYTES, idPrefixAt, makeDecisionContext, makeId } from "#core/domain/shared/DecisionContext.ts"
import { NOON } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const entropy = fc.uint8Array({ minLength: CONTEXT_ENTROPY_BYTES, maxLength: CONTEXT_ENTROPY_BYTES })
const instant = fc.integer({ min: 0, max: Date.UTC(2500, 0) })

const zero = new Uint8Array(CONTEXT_ENTROPY_BYTES)
const full = zero.map(() => 255)

/** Crockford's alphabet without i, l, o and u, most significant digit first. */
const value = (text: string): bigint =>
  [...text].reduce((all, digit) => all * 32n + BigInt("0123456789abcdefghjkmnpqrstvwxyz".indexOf(digit)), 0n)

describe("makeDecisionContext", () => {
  it("keeps the time it is given", () => {
    expect(makeDecisionContext(NOON, zero).nowMs).toBe(NOON)
  })

  it("takes a time before 1970 for the first that an id can have", () => {
    expect([idPrefixAt(-1), idPrefixAt(-(2 ** 52))]).toEqual([idPrefixAt(0), idPrefixAt(0)])
  })

  it("uses all of its entropy: 80 bits in the id prefix, 160 in the secret", () => {
    expect([makeDecisionContext(0, zero).idPrefix, makeDecisionContext(0, zero).secret]).toEqual([
      "0".repeat(26),
      "0".repeat(32)
    ])
    expect([makeDecisionContext(0, full).idPrefix, makeDecisionContext(0, full).secret]).toEqual([
      "0".repeat(10) + "z".repeat(16),
      "z".repeat(32)
    ])
  })

  property("id prefix and secret hold the time and every random bit", [instant, entropy], (nowMs, bytes) => {
    const { idPrefix, secret } = makeDecisionContext(nowMs, bytes)
    const hex = (from: number, to: number) => BigInt(`0x0${Buffer.from(bytes.subarray(from, to)).toString("hex")}`)
    expect([idPrefix.length, secret.length]).toEqual([26, 32])
    expect([value(idPrefix.slice(0, 10)), value(idPrefix.slice(10)), value(secret)]).toEqual([
      BigInt(nowMs),
      hex(0, 10),
      hex(10, 30)
    ])
  })

  property("a later context has a greater id prefix", [instant, instant, entropy, entropy], (one, other, a, b) => {
    fc.pre(one !== other)
    expect(makeDecisionContext(one, a).idPrefix < makeDecisionContext(other, b).idPrefix).toBe(one < other)
  })
})

describe("makeId", () => {
  const { idPrefix } = makeDecisionContext(NOON, zero)

  it("is type, id prefix and ordinal; sandbox ids have test_ after the type", () => {
    expect(makeId("q_", "live", idPrefix, 0)).toBe(`q_${idPrefix}00`)
    expect(makeId("ord_", "sandbox", idPrefix, 33)).toBe(`ord_test_${idPrefix}11`)
  })

  it("gives a thousand ids of one decision in order", () => {
    const ids = Array.from({ length: 1_024 }, (_, ordinal) => makeId("led_", "live", idPrefix, ordinal))
    expect(new Set(ids).size).toBe(1_024)
    expect(ids.toSorted()).toEqual(ids)
  })
})
