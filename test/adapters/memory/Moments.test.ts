// Moments in order: whatever the clock and the random bytes do, every stem sorts behind the one before.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ascendingMoments } from "#adapters/memory/Moments.ts"
import { MOMENT_ENTROPY_BYTES, makeMoment } from "#core/domain/Moment.ts"
import { property } from "#test/Property.ts"

const entropy = fc.oneof(
  fc.uint8Array({ minLength: MOMENT_ENTROPY_BYTES, maxLength: MOMENT_ENTROPY_BYTES }),
  fc.constant(new Uint8Array(MOMENT_ENTROPY_BYTES).fill(0xff))
)
const ticks = fc.array(fc.record({ nowMs: fc.integer({ min: 1_000, max: 1_010 }), entropy }), { maxLength: 40 })

describe("ascendingMoments", () => {
  property("stems ascend strictly whatever the clock does, and the time is the clock's", [ticks], (all) => {
    const momentAt = ascendingMoments()
    let last = ""
    for (const { nowMs, entropy } of all) {
      const { stem, secret, ...rest } = momentAt(nowMs, entropy)
      expect(rest).toEqual({ nowMs })
      expect(stem > last).toBe(true)
      expect(stem).toHaveLength(26)
      expect(secret).toBe(makeMoment(nowMs, entropy).secret)
      last = stem
    }
  })

  it("is makeMoment's own for the first of a millisecond, and counts up from there", () => {
    const momentAt = ascendingMoments()
    const bytes = Uint8Array.from({ length: MOMENT_ENTROPY_BYTES }, (_, index) => index)
    const next = Uint8Array.from(bytes).fill(10, 9, 10)
    expect(momentAt(5_000, bytes)).toEqual(makeMoment(5_000, bytes))
    expect(momentAt(5_000, bytes)).toEqual(makeMoment(5_000, next))
    expect(momentAt(5_001, bytes)).toEqual(makeMoment(5_001, bytes))
  })

  it("goes into the next millisecond where a stem has no room left, and leaves the given bytes alone", () => {
    const momentAt = ascendingMoments()
    const full = new Uint8Array(MOMENT_ENTROPY_BYTES).fill(0xff)
    momentAt(5_000, full)
    const over = momentAt(5_000, full)
    expect(over.nowMs).toBe(5_000)
    expect(over.stem > makeMoment(5_000, full).stem).toBe(true)
    expect(full.every((byte) => byte === 0xff)).toBe(true)
  })
})
