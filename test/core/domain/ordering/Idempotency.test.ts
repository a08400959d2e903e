// The verdict on an idempotency key depends on the fingerprint alone.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isIdempotencyKey } from "#adapters/contract/schema/IdempotencyKey.ts"
import {
  type Binding,
  judgeKey,
  keyOfUnkeyed,
  UNKEYED_REPLAY_MS,
  unkeyedKey
} from "#core/domain/ordering/Idempotency.ts"
import { AccountId, KeyId, QuoteId } from "#core/domain/shared/Ids.ts"
import { NOON } from "#test/core/Given.ts"
import { property } from "#test/Property.ts"

const bound = (over: Partial<Binding> = {}): Binding => ({
  keyId: KeyId.make("key_1"),
  accountId: AccountId.make("acc_1"),
  mode: "live",
  boundScope: "account",
  idempotencyKey: "purchase 1",
  fingerprint: "f1",
  quoteId: QuoteId.make("q_1"),
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
    keyId: text.map((id) => KeyId.make(id)),
    accountId: text.map((id) => AccountId.make(id)),
    mode: fc.constantFrom("live" as const, "sandbox" as const),
    boundScope: fc.constantFrom("account" as const, null),
    idempotencyKey: text,
    fingerprint: print,
    quoteId: text.map((id) => QuoteId.make(id)),
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

describe("keyOfUnkeyed", () => {
  const latest = (nth: number, over: Partial<Parameters<typeof keyOfUnkeyed>[1]> = {}) => ({
    idempotencyKey: unkeyedKey("f1", nth),
    status: "paid" as const,
    createdAtMs: NOON,
    expiresAtMs: NOON + 2 * UNKEYED_REPLAY_MS,
    paymentPendingAtMs: null,
    ...over
  })
  const nth = fc.integer({ min: 1, max: 99_999 })

  it("the first order gets the first key, which no caller can send", () => {
    expect(keyOfUnkeyed("f1", null, NOON)).toBe(unkeyedKey("f1", 1))
    expect(isIdempotencyKey(unkeyedKey("f1", 1))).toBe(false)
  })

  property(
    "the latest order's key serves for ten minutes, then the next one does, which sorts behind it",
    [nth, fc.integer({ min: -UNKEYED_REPLAY_MS, max: 2 * UNKEYED_REPLAY_MS })],
    (n, pastMs) => {
      const key = keyOfUnkeyed("f1", latest(n), NOON + pastMs)
      expect(key).toBe(unkeyedKey("f1", pastMs < UNKEYED_REPLAY_MS ? n : n + 1))
      expect(unkeyedKey("f1", n + 1) > unkeyedKey("f1", n)).toBe(true)
    }
  )

  property("an abandoned quote is not replayed, nor one that can no longer be paid", [nth], (n) => {
    const next = unkeyedKey("f1", n + 1)
    expect(keyOfUnkeyed("f1", latest(n, { status: "abandoned" }), NOON)).toBe(next)
    expect(keyOfUnkeyed("f1", latest(n, { status: "awaiting_payment", expiresAtMs: NOON }), NOON)).toBe(next)
    expect(keyOfUnkeyed("f1", latest(n, { status: "awaiting_payment" }), NOON)).toBe(unkeyedKey("f1", n))
    expect(keyOfUnkeyed("f1", latest(n, { expiresAtMs: NOON }), NOON)).toBe(unkeyedKey("f1", n))
  })
})
