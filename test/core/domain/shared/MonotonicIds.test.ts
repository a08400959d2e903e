// Ids sort in the order in which they were made, within a process and per account across instances, even with clocks that stand still
// or go back.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CONTEXT_ENTROPY_BYTES, makeDecisionContext } from "#core/domain/shared/DecisionContext.ts"
import { monotonicContexts } from "#core/domain/shared/MonotonicIds.ts"
import { property } from "#test/Property.ts"

const entropy = fc.oneof(
  fc.uint8Array({ minLength: CONTEXT_ENTROPY_BYTES, maxLength: CONTEXT_ENTROPY_BYTES }),
  fc.constant(new Uint8Array(CONTEXT_ENTROPY_BYTES).fill(0xff))
)
/** Few different times, so that most contexts share their millisecond with others. */
const nowMs = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_003 })
const call = fc.record({ nowMs, entropy, instance: fc.integer({ min: 0, max: 2 }) })

const calls = fc.array(call, { maxLength: 20 })

property("within a process, id prefixes ascend whatever the clock does, and contexts keep its time", [calls], (all) => {
  const momentAfter = monotonicContexts()
  const contexts = all.map(({ nowMs, entropy }) => momentAfter(nowMs, entropy, ""))
  const prefixes = contexts.map(({ idPrefix }) => idPrefix)
  expect(prefixes).toEqual([...new Set(prefixes)].sort())
  expect(contexts.map(({ nowMs }) => nowMs)).toEqual(all.map(({ nowMs }) => nowMs))
})

property("within an account, id prefixes ascend whichever instance makes them", [calls], (all) => {
  const instances = [monotonicContexts(), monotonicContexts(), monotonicContexts()]
  const prefixes: Array<string> = []
  for (const { nowMs, entropy, instance } of all) {
    const momentAfter = instances[instance]
    if (momentAfter !== undefined) prefixes.push(momentAfter(nowMs, entropy, prefixes.at(-1) ?? "").idPrefix)
  }
  expect(prefixes).toEqual([...new Set(prefixes)].sort())
  expect(prefixes).toHaveLength(all.length)
})

property("a secret depends on the fresh bytes alone", [call, call], (one, other) => {
  const momentAfter = monotonicContexts()
  momentAfter(one.nowMs, one.entropy, "")
  const { secret } = momentAfter(one.nowMs, other.entropy, "")
  expect(secret).toBe(makeDecisionContext(other.nowMs, other.entropy).secret)
})

describe("within a process, an id prefix", () => {
  it("is that of makeDecisionContext for the first of a millisecond, and then counts up", () => {
    const momentAfter = monotonicContexts()
    const bytes = Uint8Array.from({ length: CONTEXT_ENTROPY_BYTES }, (_, index) => index)
    const next = Uint8Array.from(bytes).fill(10, 9, 10)
    expect(momentAfter(5_000, bytes, "")).toEqual(makeDecisionContext(5_000, bytes))
    expect(momentAfter(5_000, bytes, "")).toEqual(makeDecisionContext(5_000, next))
    expect(momentAfter(5_001, bytes, "")).toEqual(makeDecisionContext(5_001, bytes))
  })

  it("continues in the next millisecond after an overflow, and does not change the given bytes", () => {
    const momentAfter = monotonicContexts()
    const full = new Uint8Array(CONTEXT_ENTROPY_BYTES).fill(0xff)
    momentAfter(5_000, full, "")
    const over = momentAfter(5_000, full, "")
    expect(over.nowMs).toBe(5_000)
    expect(over.idPrefix > makeDecisionContext(5_000, full).idPrefix).toBe(true)
    expect(full.every((byte) => byte === 0xff)).toBe(true)
  })
})
