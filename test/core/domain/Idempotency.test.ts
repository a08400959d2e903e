// The verdict on an idempotency key depends on the fingerprint alone.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Binding, judgeKey } from "#core/domain/Idempotency.ts"
import { property } from "#test/Property.ts"
import { NOON } from "../Given.ts"

const bound = (over: Partial<Binding> = {}): Binding => ({
  keyId: "key_1",
  idempotencyKey: "purchase 1",
  fingerprint: "f1",
  quoteId: "q_1",
  response: { status: 201, body: "{}" },
  boundAtMs: NOON,
  ...over
})

describe("judgeKey", () => {
  it("a key without a binding is fresh", () => {
    expect(judgeKey(undefined, "f1")).toEqual({ verdict: "fresh" })
  })

  it("the same body replays the stored response", () => {
    const binding = bound()
    const verdict = judgeKey(binding, "f1")
    expect(verdict).toEqual({ verdict: "replay", quoteId: "q_1", response: { status: 201, body: "{}" } })
    if (verdict.verdict === "replay") expect(verdict.response).toBe(binding.response)
  })

  it("the same body resumes a quote whose payment link is not stored yet", () => {
    expect(judgeKey(bound({ response: null }), "f1")).toEqual({ verdict: "resume", quoteId: "q_1" })
  })

  it("another body is a reuse, whether a response is stored or not", () => {
    expect(judgeKey(bound(), "f2")).toEqual({ verdict: "reused", quoteId: "q_1" })
    expect(judgeKey(bound({ response: null }), "f2")).toEqual({ verdict: "reused", quoteId: "q_1" })
  })

  const text = fc.string({ maxLength: 4 })
  const print = fc.constantFrom("f1", "f2", "F1", "")
  const anyBinding = fc.record({
    keyId: text,
    idempotencyKey: text,
    fingerprint: print,
    quoteId: text,
    response: fc.option(fc.record({ status: fc.constantFrom(200, 201), body: text })),
    boundAtMs: fc.integer({ min: 0 })
  })

  property(
    "depends on whether the fingerprints are equal, and on nothing else",
    [anyBinding, anyBinding, print],
    (one, other, asked) => {
      // A bound key is either accepted or reused, depending on the fingerprint alone.
      const accepted = judgeKey(one, asked).verdict !== "reused"
      expect(accepted).toBe(one.fingerprint === asked)
      expect(judgeKey({ ...other, fingerprint: one.fingerprint }, asked).verdict !== "reused").toBe(accepted)
    }
  )

  property("an accepted key returns its own quote and, once stored, its own response", [anyBinding], (binding) => {
    const { response, quoteId, fingerprint } = binding
    const expected = response === null ? { verdict: "resume", quoteId } : { verdict: "replay", response, quoteId }
    expect(judgeKey(binding, fingerprint)).toEqual(expected)
  })
})
