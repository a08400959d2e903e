// Ids made from moments sort as they were made: within a process, and along an account's decisions whoever made them, even by
// clocks that stand still or go back.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { CONTEXT_ENTROPY_BYTES, makeDecisionContext } from "#core/domain/DecisionContext.ts"
import { monotonicContexts } from "#core/domain/MonotonicIds.ts"
import { property } from "#test/Property.ts"

const entropy = fc.oneof(
  fc.uint8Array({ minLength: CONTEXT_ENTROPY_BYTES, maxLength: CONTEXT_ENTROPY_BYTES }),
  fc.constant(new Uint8Array(CONTEXT_ENTROPY_BYTES).fill(0xff))
)
/** Few different times, so that most moments meet others of the same millisecond. */
const nowMs = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_003 })
const call = fc.record({ nowMs, entropy, instance: fc.integer({ min: 0, max: 2 }) })

const calls = fc.array(call, { maxLength: 20 })

property("of one process, stems ascend whatever the clock does, which the moments tell", [calls], (all) => {
  const momentAfter = monotonicContexts()
  const moments = all.map(({ nowMs, entropy }) => momentAfter(nowMs, entropy, ""))
  const stems = moments.map(({ idPrefix: stem }) => stem)
  expect(stems).toEqual([...new Set(stems)].sort())
  expect(moments.map(({ nowMs }) => nowMs)).toEqual(all.map(({ nowMs }) => nowMs))
})

property("of one account, stems ascend whichever instance makes them", [calls], (all) => {
  const instances = [monotonicContexts(), monotonicContexts(), monotonicContexts()]
  const stems: Array<string> = []
  for (const { nowMs, entropy, instance } of all) {
    const momentAfter = instances[instance]
    if (momentAfter !== undefined) stems.push(momentAfter(nowMs, entropy, stems.at(-1) ?? "").idPrefix)
  }
  expect(stems).toEqual([...new Set(stems)].sort())
  expect(stems).toHaveLength(all.length)
})

property("a secret is of the fresh bytes alone", [call, call], (one, other) => {
  const momentAfter = monotonicContexts()
  momentAfter(one.nowMs, one.entropy, "")
  const { secret } = momentAfter(one.nowMs, other.entropy, "")
  expect(secret).toBe(makeDecisionContext(other.nowMs, other.entropy).secret)
})

describe("of one process, a stem", () => {
  it("is makeMoment's own for the first of a millisecond, and counts up from there", () => {
    const momentAfter = monotonicContexts()
    const bytes = Uint8Array.from({ length: CONTEXT_ENTROPY_BYTES }, (_, index) => index)
    const next = Uint8Array.from(bytes).fill(10, 9, 10)
    expect(momentAfter(5_000, bytes, "")).toEqual(makeDecisionContext(5_000, bytes))
    expect(momentAfter(5_000, bytes, "")).toEqual(makeDecisionContext(5_000, next))
    expect(momentAfter(5_001, bytes, "")).toEqual(makeDecisionContext(5_001, bytes))
  })

  it("goes into the next millisecond where a stem has no room left, and leaves the given bytes alone", () => {
    const momentAfter = monotonicContexts()
    const full = new Uint8Array(CONTEXT_ENTROPY_BYTES).fill(0xff)
    momentAfter(5_000, full, "")
    const over = momentAfter(5_000, full, "")
    expect(over.nowMs).toBe(5_000)
    expect(over.idPrefix > makeDecisionContext(5_000, full).idPrefix).toBe(true)
    expect(full.every((byte) => byte === 0xff)).toBe(true)
  })
})
