// The signing keys of a webhook during rotations: each stays valid for its full overlap, the newest first.
import { describe, expect, it } from "vitest"
import { MAX_PREVIOUS_KEYS, ROTATION_OVERLAP_MS, rotated, signingKeysAt } from "#core/domain/webhooks/Subscription.ts"
import { HOUR_MS, NOON } from "#test/core/Given.ts"

const fresh = { sealedSigningKey: "first", previousKeys: [] }

describe("a rotated secret", () => {
  it("is signed with for a day after the rotation", () => {
    const second = rotated(fresh, "second", NOON)
    expect(signingKeysAt(second, NOON)).toEqual(["second", "first"])
    expect(signingKeysAt(second, NOON + ROTATION_OVERLAP_MS - 1)).toEqual(["second", "first"])
    expect(signingKeysAt(second, NOON + ROTATION_OVERLAP_MS)).toEqual(["second"])
  })

  it("keeps its day if the next rotation comes earlier, and is dropped by a later one", () => {
    const third = rotated(rotated(fresh, "second", NOON), "third", NOON + HOUR_MS)
    expect(signingKeysAt(third, NOON + ROTATION_OVERLAP_MS - 1)).toEqual(["third", "second", "first"])
    expect(signingKeysAt(third, NOON + ROTATION_OVERLAP_MS)).toEqual(["third", "second"])
    const fourth = rotated(third, "fourth", NOON + ROTATION_OVERLAP_MS)
    expect(fourth.previousKeys.map(({ sealedSigningKey }) => sealedSigningKey)).toEqual(["third", "second"])
  })

  it("is one of a limited number", () => {
    let keys: Parameters<typeof rotated>[0] = fresh
    for (let nth = 0; nth < 20; nth++) keys = rotated(keys, `key ${nth}`, NOON + nth)
    expect(signingKeysAt(keys, NOON)).toEqual(["key 19", "key 18", "key 17", "key 16", "key 15"])
    expect(keys.previousKeys).toHaveLength(MAX_PREVIOUS_KEYS)
  })
})
